//===- Tables.h - The tables to which samples refer -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PPROF_TABLES_H
#define MLIR_PROF_LIB_IMPORT_PPROF_TABLES_H

#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlirprof::importer::pprof {

/// ValueType: indices of strings.
struct ValueType {
  uint64_t type = 0;
  uint64_t unit = 0;
};

/// All parts of a profile except its samples.
class Tables {
public:
  /// Reads the file once. `position` is updated while reading. Throws
  /// protozero's exceptions.
  Tables(llvm::StringRef bytes, const char *&position);

  /// "" for an index outside the table, which is counted.
  llvm::StringRef getString(uint64_t index);
  /// Names of the functions at a location, innermost (inlined) first.
  void getFrames(uint64_t location, std::vector<std::string> &names);

  std::vector<ValueType> sampleTypes;
  ValueType periodType;
  int64_t timeNs = 0;
  int64_t durationNs = 0;
  int64_t period = 0;
  uint64_t defaultType = 0;
  std::vector<uint64_t> comments;
  uint64_t samples = 0;
  /// Number of references to missing entries.
  uint64_t dangling = 0;

private:
  struct Location {
    uint64_t mapping = 0;
    uint64_t address = 0;
    /// Its lines: [firstLine, firstLine + lines) of functionsOfLines.
    uint32_t firstLine = 0;
    uint32_t lines = 0;
  };
  struct Named {
    uint64_t id = 0;
    uint64_t name = 0;
  };

  void readField(uint64_t tag, const char *&at, const char *end);
  void addLocation(llvm::StringRef message);
  static Named readNamed(llvm::StringRef message, uint64_t nameField);

  std::vector<llvm::StringRef> strings;
  std::vector<Location> locations;
  std::vector<uint64_t> functionsOfLines;
  std::vector<Named> functions, mappings;
  trace::IntegerMap locationById, functionById, mappingById;
};

} // namespace mlirprof::importer::pprof

#endif // MLIR_PROF_LIB_IMPORT_PPROF_TABLES_H
