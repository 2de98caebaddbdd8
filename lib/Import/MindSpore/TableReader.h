//===- TableReader.h - Reads a table line by line ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_TABLEREADER_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_TABLEREADER_H

#include "../Common/Table/Csv.h"
#include "Recording.h"

namespace mlirprof::importer::mindspore {

/// A table whose lines are read one by one.
class TableReader {
public:
  explicit TableReader(llvm::StringRef text) : lines(text) {
    if (lines.next()) {
      names = lines.getFields().vec();
      header = table::Header(names);
    }
  }
  bool next() { return lines.next(); }
  llvm::StringRef get(llvm::StringRef column) const {
    return table::getField(header, lines.getFields(), column);
  }
  /// The first of several columns that the table has: releases rename them.
  llvm::StringRef getAny(llvm::ArrayRef<llvm::StringRef> columns) const {
    for (llvm::StringRef column : columns)
      if (has(column))
        return get(column);
    return "";
  }
  bool has(llvm::StringRef column) const { return header.has(column); }
  llvm::ArrayRef<std::string> getNames() const { return names; }
  /// Counts a fault of the text as a loss.
  void finish(llvm::StringRef name, Recording &recording) const {
    recording.addLoss(("table that is damaged: " + name).str(),
                      lines.getFault() != table::CsvReader::Fault::None);
  }

private:
  table::CsvReader lines;
  std::vector<std::string> names;
  table::Header header;
};

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_TABLEREADER_H
