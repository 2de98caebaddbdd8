//===- Symbols.h - The functions of an object -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_SYMBOLS_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_SYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"

#include <map>
#include <utility>

namespace mlirprof::importer::perfscript {

/// The functions in the symbol tables of an object.
class Symbols {
public:
  struct Function {
    uint64_t address = 0;
    uint64_t size = 0;
  };
  /// Maximum number of functions kept per name. With so many, the list may be
  /// incomplete.
  static constexpr size_t kMostAlike = 16;

  /// Adds those of a table, whose names must outlive this.
  void add(llvm::object::ELFObjectFileBase::elf_symbol_iterator_range table);

  /// Calls `visit` with the name and the place of each function, by address.
  /// Functions that begin at one address count once.
  void forEach(
      llvm::function_ref<void(llvm::StringRef, const Function &)> visit) const;
  /// The name of the function around `address`, or "".
  llvm::StringRef getNameAt(uint64_t address) const;
  /// By the linker's name, which functions of several files may share.
  llvm::ArrayRef<Function> find(llvm::StringRef name) const;
  /// By a name as printed by perf: the linker's, or that of the source, with or
  /// without the types of the arguments and the result.
  llvm::ArrayRef<Function> findPrinted(llvm::StringRef name);
  /// Number of functions that findPrinted() knows only by the linker's names:
  /// C++ names that are too long to be printed.
  uint64_t countUnspelled() const { return unspelled; }

private:
  using Alike = llvm::StringMap<llvm::SmallVector<Function, 1>>;

  static void addTo(Alike &map, llvm::StringRef name, const Function &function);
  void addSpellings();

  Alike functions;
  /// By printed form, without spaces, which demanglers place differently. Built
  /// on first use.
  Alike spellings;
  uint64_t unspelled = 0;
  /// The name and the size of the function at each address.
  std::map<uint64_t, std::pair<llvm::StringRef, uint64_t>> names;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_SYMBOLS_H
