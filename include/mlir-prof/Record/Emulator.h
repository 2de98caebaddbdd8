//===- Emulator.h - Counting instructions in QEMU ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_EMULATOR_H
#define MLIR_PROF_RECORD_EMULATOR_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>

namespace mlirprof::record {

/// Executions of instructions by their address.
using InstructionCounts = std::map<uint64_t, uint64_t>;

/// Runs `command`, QEMU with its options, on the program `elf`, and counts with
/// the plugin of this installation. Fails if the program does not end with
/// status 0 within `seconds` (0: any time).
llvm::Expected<InstructionCounts>
countInstructions(llvm::ArrayRef<std::string> command, llvm::StringRef elf,
                  unsigned seconds);

/// Code that is not the model's.
struct OtherFunction {
  std::string name;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Adds `counts` of `calls` calls of `model`, whose code began at the address
/// `codeBegin`, to `profile`, as one run that counted instructions. Those of
/// the `others`, which are in ascending order, are outside; those of functions
/// that are neither are left out, as they are the program's that runs the
/// model.
llvm::Error addCounts(const compile::CompiledModel &model,
                      const InstructionCounts &counts, uint64_t codeBegin,
                      llvm::ArrayRef<OtherFunction> others, uint64_t calls,
                      profile::Profile &profile);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_EMULATOR_H
