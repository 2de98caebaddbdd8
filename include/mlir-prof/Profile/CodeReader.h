//===- CodeReader.h - Reading instructions from machine code ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_CODEREADER_H
#define MLIR_PROF_PROFILE_CODEREADER_H

#include "mlir-prof/Profile/Program.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mlirprof::profile {

/// The machine code of one program in an object file. All addresses are
/// relative to one origin: the section of an object, or that of a linked file.
struct CodeSource {
  llvm::Triple triple;
  std::string cpu;
  std::string features;
  /// The program's functions, by address.
  std::vector<MachineFunction> functions;
  /// Debug lines by their begin address: index of a node of the last level + 1,
  /// or 0 if there is none.
  std::map<uint64_t, uint32_t> lines;
  /// Symbols to which relocations refer, by the address of the relocation.
  std::map<uint64_t, std::string> references;
  /// The code from `begin` to `end`; shorter, or empty, if there is none.
  std::function<llvm::StringRef(uint64_t begin, uint64_t end)> getBytes;
  /// The called function at an address, or "".
  std::function<std::string(uint64_t address)> getCallee;
};

/// Sets functions, loops and instructions of `program` from machine code. Fails
/// if LLVM does not have a disassembler for the machine.
llvm::Error readCode(const CodeSource &source, Program &program);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_CODEREADER_H
