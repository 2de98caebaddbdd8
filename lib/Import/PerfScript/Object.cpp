//===- Object.cpp - An ELF object and its debug lines ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Object.h"
#include "LinkedCode.h"
#include "Objects.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Broken debug information does not have lines, which counts report.
static void ignore(llvm::Error error) { llvm::consumeError(std::move(error)); }

std::unique_ptr<Object> Object::open(StringRef path, StringRef folder) {
  std::optional<ElfFile> elf = ElfFile::open(path);
  if (!elf)
    return nullptr;
  std::unique_ptr<Object> object(new Object());
  object->elf = std::move(*elf);
  object->findUnits(object->elf);
  object->readPrograms(object->elf);
  if (!object->dwarf)
    object->debug = findDebugFile(object->elf, path, folder);
  if (object->debug.state == DebugFileState::Found) {
    object->findUnits(object->debug.elf);
    if (object->programs.empty())
      object->readPrograms(object->debug.elf);
  }
  if (object->hasLines()) {
    object->readSymbols();
    object->placePrograms();
  }
  return object;
}

llvm::Error Object::checkUnchanged() const {
  for (const ElfFile *file : {&elf, &debug.elf})
    if (file->buffer)
      if (llvm::Error error = mlirprof::checkUnchanged(*file->buffer))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

bool Object::isRelevantUnit(llvm::DWARFUnit &unit) {
  llvm::DWARFDie die = unit.getUnitDIE();
  StringRef producer =
      llvm::dwarf::toString(die.find(llvm::dwarf::DW_AT_producer), "");
  return producer.starts_with("MLIR") || producer.starts_with("mlir-prof") ||
         producer.starts_with("IREE") ||
         isModelSource(
             llvm::dwarf::toString(die.find(llvm::dwarf::DW_AT_name), ""));
}

void Object::findUnits(const ElfFile &from) {
  if (!from.getSection(".debug_line"))
    return;
  dwarf = llvm::DWARFContext::create(
      *from.file, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr,
      "", ignore, ignore);
  isRelevant = llvm::any_of(dwarf->compile_units(), [&](const auto &unit) {
    return isRelevantUnit(*unit);
  });
}

std::vector<SourcePosition> Object::readChain(uint64_t address) {
  constexpr unsigned kMostFrames = 64;
  std::vector<SourcePosition> chain;
  if (!isRelevant)
    return chain;
  llvm::DWARFCompileUnit *unit = dwarf->getCompileUnitForCodeAddress(address);
  if (!unit || !isRelevantUnit(*unit))
    return chain;
  using Specifier = llvm::DILineInfoSpecifier;
  llvm::DIInliningInfo info = dwarf->getInliningInfoForAddress(
      {address, llvm::object::SectionedAddress::UndefSection},
      Specifier(Specifier::FileLineInfoKind::AbsoluteFilePath,
                Specifier::FunctionNameKind::ShortName));
  unsigned count = std::min(info.getNumberOfFrames(), kMostFrames);
  for (unsigned i = 0; i != count; ++i) {
    const llvm::DILineInfo &frame = info.getFrame(i);
    bool hasFile = frame.FileName != llvm::DILineInfo::BadString;
    if (frame.Line == 0 || !hasFile)
      continue;
    bool hasName = frame.FunctionName != llvm::DILineInfo::BadString;
    chain.push_back({frame.FileName, frame.Line, frame.Column,
                     hasName ? frame.FunctionName : ""});
  }
  // Without inlined calls there may be lines without functions.
  if (!chain.empty() && chain.back().function.empty())
    chain.back().function = symbols.getNameAt(address).str();
  return chain;
}

const std::vector<SourcePosition> *Object::getChain(uint64_t address) {
  auto [it, isNew] = chains.try_emplace(address);
  if (isNew)
    it->second = readChain(address);
  return &it->second;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A damaged section counts as missing: there may still be lines.
void Object::readPrograms(const ElfFile &from) {
  std::optional<StringRef> section = from.getSection(kProgramSection);
  if (!section)
    return;
  llvm::Expected<std::vector<Program>> read = readProgramSection(*section);
  if (!read)
    return ignore(read.takeError());
  programs = std::move(*read);
}

void Object::readSymbols() {
  symbols.add(elf.file->symbols());
  symbols.add(elf.file->getDynamicSymbolIterators());
  // Its table of dynamic symbols is empty.
  if (debug.state == DebugFileState::Found)
    symbols.add(debug.elf.file->symbols());
}

/// Debug information tells the place of a program without machine code. If that
/// is missing, its samples do not have lines.
void Object::placePrograms() {
  std::vector<Program> complete;
  for (Program &program : programs) {
    if (!program.instructions.empty()) {
      complete.push_back(std::move(program));
      continue;
    }
    if (dwarf)
      ignore(readLinkedCode(elf, *dwarf, symbols, program));
    if (!program.instructions.empty())
      placedPrograms.push_back(std::move(program));
    else if (debug.state == DebugFileState::None ||
             debug.state == DebugFileState::Found)
      hasUnplaced = true;
  }
  programs = std::move(complete);
}

std::optional<ProgramPlace> Object::findPlaced(uint64_t address) const {
  for (const Program &program : placedPrograms) {
    const MachineFunction *function = findFunction(program, address);
    uint32_t instruction = profile::findInstruction(program, address);
    if (function && instruction != kNone &&
        program.instructions[instruction].address >= function->begin)
      return ProgramPlace{&program, instruction, address};
  }
  return std::nullopt;
}

std::optional<ProgramPlace> Object::findInstruction(uint64_t address) const {
  if (auto placed = findPlaced(address))
    return placed;
  StringRef name = symbols.getNameAt(address);
  llvm::ArrayRef<Symbols::Function> functions = symbols.find(name);
  if (functions.size() != 1)
    return std::nullopt;
  std::optional<ProgramPlace> place;
  for (const Program &program : programs)
    for (const MachineFunction &known : program.functions) {
      if (known.name != name)
        continue;
      uint64_t offset = known.begin + (address - functions[0].address);
      uint32_t instruction = profile::findInstruction(program, offset);
      bool isWithin = offset < known.end && instruction != kNone &&
                      program.instructions[instruction].address >= known.begin;
      if (place || !isWithin)
        return std::nullopt;
      place = ProgramPlace{&program, instruction, offset};
    }
  return place;
}
