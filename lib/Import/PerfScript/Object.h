//===- Object.h - An ELF object and its debug lines -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H

#include "DebugFile.h"
#include "Symbols.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir-prof/Profile/SourcePosition.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"

#include <map>
#include <memory>
#include <optional>

namespace mlirprof::importer::perfscript {

/// An instruction of a program that an object contains.
struct ProgramPlace {
  const profile::Program *program = nullptr;
  /// Index into Program::instructions.
  uint32_t instruction = trace::kNone;
  /// The address that was looked up, as an offset in the program's text.
  uint64_t offset = 0;
};

/// An ELF file, with the file to which its debug information was moved.
/// Addresses are those of the file's code before it is loaded.
class Object {
public:
  /// Null if it is not a regular file, not a program or library in ELF, or
  /// damaged. `folder`, or "", is also searched for debug information.
  static std::unique_ptr<Object> open(llvm::StringRef path,
                                      llvm::StringRef folder);

  /// Reads the symbols, which are there already if a compiler on MLIR made
  /// parts of the object.
  void readSymbols();

  /// Whether a compiler on MLIR made parts of it.
  bool hasLines() const {
    return isRelevant || hasUnplaced || !programs.empty() ||
           !placedPrograms.empty();
  }
  /// Whether it is loaded at its own addresses.
  bool isFixed() const { return elf.file->getEType() == llvm::ELF::ET_EXEC; }
  /// Whether its debug information was searched for in another file.
  DebugFileState getDebugFileState() const { return debug.state; }

  /// Fails if it, or the file with its debug information, has changed since it
  /// was opened.
  llvm::Error checkUnchanged() const;

  const ElfFile &getFile() const { return elf; }
  Symbols &getSymbols() { return symbols; }
  const Symbols &getSymbols() const { return symbols; }
  /// The lines at `address`, innermost first; those without a number are left
  /// out. None outside of the relevant units.
  const std::vector<profile::SourcePosition> *getChain(uint64_t address);
  /// The instruction at `address`, in an object with the programs that it
  /// contains (kProgramSection). Functions of programs that come with their
  /// machine code are identified by name, so none if two programs have one of
  /// that name.
  std::optional<ProgramPlace> findInstruction(uint64_t address) const;

private:
  Object() = default;
  void readPrograms(const ElfFile &from);
  void placePrograms();
  std::optional<ProgramPlace> findPlaced(uint64_t address) const;
  void findUnits(const ElfFile &from);
  bool isRelevantUnit(llvm::DWARFUnit &unit);
  std::vector<profile::SourcePosition> readChain(uint64_t address);

  ElfFile elf;
  DebugFile debug;
  std::unique_ptr<llvm::DWARFContext> dwarf;
  Symbols symbols;
  std::map<uint64_t, std::vector<profile::SourcePosition>> chains;
  bool isRelevant = false;
  /// Programs with the machine code of their original object.
  std::vector<profile::Program> programs;
  /// Programs whose machine code was read from this object: at its addresses.
  std::vector<profile::Program> placedPrograms;
  /// Whether it has a program whose debug information was removed.
  bool hasUnplaced = false;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECT_H
