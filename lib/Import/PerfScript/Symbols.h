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

/// The functions that the tables of symbols of an object have.
class Symbols {
public:
  struct Function {
    uint64_t address = 0;
    uint64_t size = 0;
  };
  /// Of those that have one name no more are kept. As many as that may not be
  /// all.
  static constexpr size_t kMostAlike = 16;

  /// Adds those of a table, whose names must outlive this.
  void add(llvm::object::ELFObjectFileBase::elf_symbol_iterator_range table);

  /// Calls `visit` with the name and the place of each function, by address.
  /// Those that begin at one address count once.
  void forEach(
      llvm::function_ref<void(llvm::StringRef, const Function &)> visit) const;
  /// The name of the function around `address`, or "".
  llvm::StringRef getNameAt(uint64_t address) const;
  /// By the linker's name, which functions of several files may share.
  llvm::ArrayRef<Function> find(llvm::StringRef name) const;
  /// By a name as perf prints it: the linker's, or that of the source, with or
  /// without the types of the arguments and the result.
  llvm::ArrayRef<Function> findPrinted(llvm::StringRef name);
  /// How many functions findPrinted() knows by the linker's names only: names
  /// of C++ that are too long to be printed.
  uint64_t countUnspelled() const { return unspelled; }

private:
  using Alike = llvm::StringMap<llvm::SmallVector<Function, 1>>;

  static void addTo(Alike &map, llvm::StringRef name, const Function &function);
  void addSpellings();

  Alike functions;
  /// By what may be printed, without spaces: demanglers set them differently.
  /// Made when it is first asked for.
  Alike spellings;
  uint64_t unspelled = 0;
  /// The name and the size of the function at each address.
  std::map<uint64_t, std::pair<llvm::StringRef, uint64_t>> names;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_SYMBOLS_H
