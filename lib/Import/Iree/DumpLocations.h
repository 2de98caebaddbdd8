//===- DumpLocations.h - Locations in MLIR text -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_DUMPLOCATIONS_H
#define MLIR_PROF_LIB_IMPORT_IREE_DUMPLOCATIONS_H

#include "DumpLexer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace mlirprof::importer::iree {

/// Reads locations as text, whose aliases may be defined anywhere.
class DumpLocations {
public:
  DumpLocations();

  /// Defines "#ALIAS" as the location `text`.
  void addAlias(llvm::StringRef alias, llvm::StringRef text);
  /// Number of the location `text` (the text within the brackets of loc); equal
  /// ones have equal numbers. All aliases must have been added.
  uint32_t read(llvm::StringRef text);
  /// The op's own names, without the calls around it: or "FILE:LINE:COLUMN" if
  /// it does not have any. Empty if unknown.
  llvm::ArrayRef<std::string> getNames(uint32_t location) const {
    return names[location];
  }

private:
  uint32_t parse(DumpLexer &lexer, Token token, unsigned depth);
  uint32_t parseAlias(llvm::StringRef alias, unsigned depth);
  uint32_t parseText(DumpLexer &lexer, Token token, unsigned depth);
  uint32_t parseCall(DumpLexer &lexer, unsigned depth);
  uint32_t parseFused(DumpLexer &lexer, unsigned depth);
  uint32_t intern(std::string key, std::vector<std::string> ownNames);

  struct Alias {
    llvm::StringRef text;
    /// kNone until it is read.
    uint32_t location;
    bool isOpen = false;
  };
  llvm::StringMap<Alias> aliases;
  llvm::StringMap<uint32_t> known;
  std::vector<std::vector<std::string>> names;
};

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_DUMPLOCATIONS_H
