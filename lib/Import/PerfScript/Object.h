//===- Object.h - An ELF object and its debug lines -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H

#include "mlir-prof/Profile/Program.h"
#include "mlir-prof/Profile/SourceKey.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

#include <map>
#include <memory>
#include <optional>

namespace mlirprof::perfscript {

/// An instruction of a program that an object was made of.
struct ProgramPlace {
  const Program *program = nullptr;
  /// Index into Program::instructions.
  uint32_t instruction = kNone;
};

/// An ELF file. Addresses are those that the file gives its code, before it is
/// loaded.
class Object {
public:
  /// Null for what is no regular file, no program or library in ELF, or
  /// damaged.
  static std::unique_ptr<Object> open(llvm::StringRef path);

  /// Whether a compiler on MLIR made some of it.
  bool hasLines() const { return isRelevant || !programs.empty(); }
  /// Whether it is loaded at its own addresses.
  bool isFixed() const { return file->getEType() == llvm::ELF::ET_EXEC; }
  /// As lower-case hexadecimal digits, or "".
  std::string getBuildId() const;

  /// The address of the byte at `offset` of the file, in a loaded segment.
  std::optional<uint64_t> getAddress(uint64_t offset) const;
  /// The address of a function, where only one has that name, and at least
  /// `offset` bytes: a call may be the last of it.
  std::optional<uint64_t> findFunction(llvm::StringRef name,
                                       uint64_t offset) const;
  /// The lines at `address`, the innermost first; those without a number are
  /// left out. None outside of the units that are relevant.
  const std::vector<SourcePosition> *getChain(uint64_t address);
  /// The instruction at `address`, in an object with the programs that it was
  /// made of (kProgramSection). Functions are told by their names, so none
  /// where two programs have one of that name.
  std::optional<ProgramPlace> findInstruction(uint64_t address) const;

private:
  Object() = default;
  void readSymbols();
  void readPrograms();
  void findUnits();
  bool isRelevantUnit(llvm::DWARFUnit &unit);
  std::vector<SourcePosition> readChain(uint64_t address);
  llvm::StringRef getFunctionAt(uint64_t address) const;

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<llvm::object::ELFObjectFileBase> file;
  std::unique_ptr<llvm::DWARFContext> dwarf;
  struct Function {
    uint64_t address;
    uint64_t size;
    bool isUnique;
  };
  llvm::StringMap<Function> functions;
  /// The name of the function at each address.
  std::map<uint64_t, llvm::StringRef> names;
  std::map<uint64_t, std::vector<SourcePosition>> chains;
  bool isRelevant = false;
  std::vector<Program> programs;
};

} // namespace mlirprof::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H
