//===- Csv.h - Comma-separated values ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_TABLE_CSV_H
#define MLIR_PROF_LIB_IMPORT_COMMON_TABLE_CSV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlirprof::importer::table {

/// Reads RFC 4180 text line by line, with any kind of line end.
class CsvReader {
public:
  /// Limit on the fields, above any format's: a line with more is not a table.
  static constexpr size_t kMostFields = 4096;

  enum class Fault : uint8_t { None, OpenQuote, TooManyFields };

  explicit CsvReader(llvm::StringRef text) : rest(text) {}

  /// Goes to the next line that is not empty; false at the end of the text and
  /// at a fault.
  bool next();

  llvm::ArrayRef<std::string> getFields() const { return fields; }
  /// The line of the fields, from 1; fields with line ends count as their first
  /// line.
  size_t getLine() const { return line; }
  Fault getFault() const { return fault; }
  /// The fault for people: "has a quote that does not end".
  llvm::StringRef describeFault() const;

private:
  bool splitLine();

  llvm::StringRef rest;
  std::vector<std::string> fields;
  size_t line = 0;
  size_t nextLine = 1;
  Fault fault = Fault::None;
};

/// The columns of a table by name.
class Header {
public:
  Header() = default;
  explicit Header(llvm::ArrayRef<std::string> names);

  /// The position of the column `name`, ignoring surrounding blanks.
  std::optional<size_t> find(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const { return find(name).has_value(); }
  size_t size() const { return names.size(); }

private:
  std::vector<std::string> names;
};

/// The header of the table at the beginning of `bytes`; empty if its first line
/// is longer than any format's. For detection.
Header peekHeader(llvm::StringRef bytes);

/// Field `name` of a line, without surrounding blanks; empty if the table or
/// the line lacks it.
llvm::StringRef getField(const Header &header,
                         llvm::ArrayRef<std::string> fields,
                         llvm::StringRef name);

} // namespace mlirprof::importer::table

#endif // MLIR_PROF_LIB_IMPORT_COMMON_TABLE_CSV_H
