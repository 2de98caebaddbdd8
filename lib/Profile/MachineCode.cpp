//===- MachineCode.cpp - Instructions of programs -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// A linker may insert zeros between the sections of two objects.
static constexpr llvm::StringLiteral kMagic = "mlirprog";

uint32_t profile::findInstruction(const Program &program, uint64_t offset) {
  auto it = llvm::upper_bound(
      program.instructions, offset,
      [](uint64_t at, const Instruction &i) { return at < i.address; });
  return it == program.instructions.begin()
             ? kNone
             : uint32_t(it - program.instructions.begin()) - 1;
}

const MachineFunction *profile::findFunction(const Program &program,
                                             uint64_t offset) {
  for (const MachineFunction &function : program.functions)
    if (offset >= function.begin && offset < function.end)
      return &function;
  return nullptr;
}

std::string profile::describeInstruction(const Program &program,
                                         uint32_t instruction) {
  uint64_t address = program.instructions[instruction].address;
  const MachineFunction *function = findFunction(program, address);
  std::string text = function ? function->name + "+" : "";
  return text + "0x" +
         llvm::utohexstr(address - (function ? function->begin : 0),
                         /*LowerCase=*/true);
}

OpKey profile::makeCodeKey(const Program &program, uint32_t instruction,
                           llvm::StringRef kernel, uint32_t instance) {
  return OpKey(
      describeInstruction(program, instruction), kernel.str(),
      CodeKey{program.fingerprint, instruction, /*isShown=*/true, instance});
}

uint32_t profile::findCalledInstance(const Program &program, uint64_t offset) {
  auto it = llvm::lower_bound(
      program.calls, offset,
      [](const MachineCall &call, uint64_t at) { return call.address < at; });
  return it == program.calls.end() || it->address != offset ? kNone
                                                            : it->instance;
}

std::string profile::writeProgramSection(const Program &program) {
  std::string bytes = serializeProgram(program);
  char size[sizeof(uint64_t)];
  llvm::support::endian::write64le(size, bytes.size());
  return kMagic.str() + std::string(size, sizeof size) + bytes;
}

llvm::Expected<std::vector<Program>>
profile::readProgramSection(llvm::StringRef contents) {
  std::vector<Program> programs;
  while (!(contents = contents.ltrim('\0')).empty()) {
    constexpr size_t kHeader = kMagic.size() + sizeof(uint64_t);
    if (!contents.starts_with(kMagic) || contents.size() < kHeader)
      return inputError(kProgramSection, "does not begin with the right bytes",
                        "Link the object again.");
    uint64_t size =
        llvm::support::endian::read64le(contents.data() + kMagic.size());
    contents = contents.drop_front(kHeader);
    if (size > contents.size())
      return inputError(kProgramSection, "is cut off",
                        "Link the object again.");
    auto program = parseProgram(contents.take_front(size));
    if (!program)
      return program.takeError();
    programs.push_back(std::move(*program));
    contents = contents.drop_front(size);
  }
  return programs;
}
