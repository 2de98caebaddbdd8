//===- MachineCode.h - Instructions of programs -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_MACHINECODE_H
#define MLIR_PROF_PROFILE_MACHINECODE_H

#include "mlir-prof/Profile/OpKey.h"
#include "mlir-prof/Profile/Program.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlirprof::profile {

/// The instruction at `offset` of the text section, or the last one before it.
/// An index into Program::instructions, or kNone.
uint32_t findInstruction(const Program &program, uint64_t offset);

/// The function that contains `offset` of the text section, or null.
const MachineFunction *findFunction(const Program &program, uint64_t offset);

/// "main+0x1a4", for an index into Program::instructions.
std::string describeInstruction(const Program &program, uint32_t instruction);

/// The key of samples at an instruction. `kernel`: the library function that
/// the instruction had called when they were taken, "kernel", or "".
/// `instance`: the dispatch that ran it, or kNone.
OpKey makeCodeKey(const Program &program, uint32_t instruction,
                  llvm::StringRef kernel, uint32_t instance = trace::kNone);

/// The dispatch whose kernel was called by the call that returns to `offset` of
/// the text section, or kNone.
uint32_t findCalledInstance(const Program &program, uint64_t offset);

/// The name of the file in the DWARF line tables of code whose lines are the
/// identities of a program's last level, each + 1.
inline constexpr llvm::StringLiteral kLinesFile = "prof.program";

/// The section of an object that contains the program from which it was
/// compiled. Code does not read it; linkers concatenate the sections of several
/// objects. A program without its machine code belongs to the units of debug
/// information whose folder is its fingerprint, and whose lines are in
/// kLinesFile.
inline constexpr llvm::StringLiteral kProgramSection = ".mlirprof.program";

/// The content of the section for one program.
std::string writeProgramSection(const Program &program);
/// The programs in a section, possibly of several objects. An error describes
/// the first damaged one.
llvm::Expected<std::vector<Program>>
readProgramSection(llvm::StringRef contents);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_MACHINECODE_H
