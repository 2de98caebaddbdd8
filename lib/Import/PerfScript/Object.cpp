//===- Object.cpp - An ELF object and its debug lines ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Object.h"
#include "Objects.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlirprof;
using namespace mlirprof::perfscript;
using llvm::StringRef;

/// Broken debug information gives no lines, which is told by counts.
static void ignore(llvm::Error error) { llvm::consumeError(std::move(error)); }

/// LLVM's readers believe what a header says of the sizes of sections: beyond
/// the file they would go on for hours, and allocate what is said to be packed.
static bool isSound(const llvm::object::ELFObjectFileBase &file) {
  constexpr uint64_t kMostUnpacked = uint64_t(1) << 31;
  uint64_t size = file.getData().size();
  for (llvm::object::ELFSectionRef section : file.sections()) {
    if (section.getType() == llvm::ELF::SHT_NOBITS)
      continue;
    uint64_t offset = section.getOffset();
    if (offset > size || section.getSize() > size - offset)
      return false;
    if (!(section.getFlags() & llvm::ELF::SHF_COMPRESSED))
      continue;
    llvm::DataExtractor header(file.getData().substr(offset, section.getSize()),
                               file.isLittleEndian(), file.getBytesInAddress());
    // Behind the type of the compression; 64-bit files pad that.
    uint64_t at = file.getBytesInAddress();
    if (header.getUnsigned(&at, file.getBytesInAddress()) > kMostUnpacked)
      return false;
  }
  return file.getEType() == llvm::ELF::ET_EXEC ||
         file.getEType() == llvm::ELF::ET_DYN;
}

std::unique_ptr<Object> Object::open(StringRef path) {
  // Pipes and devices would block, or answer to being read.
  if (!llvm::sys::fs::is_regular_file(path))
    return nullptr;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return nullptr;
  auto file = llvm::object::ObjectFile::createELFObjectFile(**buffer);
  if (!file) {
    ignore(file.takeError());
    return nullptr;
  }
  std::unique_ptr<Object> object(new Object());
  object->buffer = std::move(*buffer);
  object->file.reset(
      llvm::cast<llvm::object::ELFObjectFileBase>(file->release()));
  if (!isSound(*object->file))
    return nullptr;
  object->findUnits();
  object->readPrograms();
  if (object->hasLines())
    object->readSymbols();
  return object;
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

void Object::findUnits() {
  bool hasLines =
      llvm::any_of(file->sections(), [](llvm::object::SectionRef section) {
        llvm::Expected<StringRef> name = section.getName();
        if (name)
          return *name == ".debug_line";
        ignore(name.takeError());
        return false;
      });
  if (!hasLines)
    return;
  dwarf = llvm::DWARFContext::create(
      *file, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
      ignore, ignore);
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
  // Without inlined calls there may be lines and no functions.
  if (!chain.empty() && chain.back().function.empty())
    chain.back().function = getFunctionAt(address).str();
  return chain;
}

StringRef Object::getFunctionAt(uint64_t address) const {
  auto it = names.upper_bound(address);
  if (it == names.begin())
    return "";
  auto [begin, name] = *std::prev(it);
  return address - begin < functions.find(name)->second.size ? name : "";
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

/// A section that is damaged is none: there may be lines still.
void Object::readPrograms() {
  for (llvm::object::SectionRef section : file->sections()) {
    llvm::Expected<StringRef> name = section.getName();
    if (!name || *name != kProgramSection) {
      ignore(name.takeError());
      continue;
    }
    llvm::Expected<StringRef> contents = section.getContents();
    if (!contents)
      return ignore(contents.takeError());
    llvm::Expected<std::vector<Program>> read = readProgramSection(*contents);
    if (!read)
      return ignore(read.takeError());
    programs = std::move(*read);
    return;
  }
}

std::optional<ProgramPlace> Object::findInstruction(uint64_t address) const {
  StringRef name = getFunctionAt(address);
  if (name.empty())
    return std::nullopt;
  const Function &function = functions.find(name)->second;
  std::optional<ProgramPlace> place;
  for (const Program &program : programs)
    for (const MachineFunction &known : program.functions) {
      if (known.name != name)
        continue;
      uint64_t offset = known.begin + (address - function.address);
      uint32_t instruction = mlirprof::findInstruction(program, offset);
      bool isWithin = offset < known.end && instruction != kNone &&
                      program.instructions[instruction].address >= known.begin;
      if (place || !isWithin || !function.isUnique)
        return std::nullopt;
      place = ProgramPlace{&program, instruction};
    }
  return place;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

std::string Object::getBuildId() const {
  return llvm::toHex(llvm::object::getBuildID(file.get()), /*LowerCase=*/true);
}

template <typename ElfType>
static std::optional<uint64_t>
findAddress(const llvm::object::ELFObjectFile<ElfType> &object,
            uint64_t offset) {
  auto headers = object.getELFFile().program_headers();
  if (!headers) {
    ignore(headers.takeError());
    return std::nullopt;
  }
  for (const auto &header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD && offset >= header.p_offset &&
        offset - header.p_offset < header.p_filesz)
      return offset - header.p_offset + header.p_vaddr;
  return std::nullopt;
}

std::optional<uint64_t> Object::getAddress(uint64_t offset) const {
  using namespace llvm::object;
  if (auto *object = llvm::dyn_cast<ELF64LEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF64BEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF32LEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF32BEObjectFile>(file.get()))
    return findAddress(*object, offset);
  return std::nullopt;
}

void Object::readSymbols() {
  auto add = [&](llvm::object::ELFSymbolRef symbol) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    if (name && address && symbol.getELFType() == llvm::ELF::STT_FUNC &&
        !name->empty() && symbol.getSize() != 0) {
      auto [it, isNew] = functions.try_emplace(
          *name, Function{*address, symbol.getSize(), true});
      it->second.isUnique &= isNew || it->second.address == *address;
      names.try_emplace(*address, it->first());
    }
    if (!name)
      ignore(name.takeError());
    if (!address)
      ignore(address.takeError());
  };
  for (llvm::object::ELFSymbolRef symbol : file->symbols())
    add(symbol);
  for (llvm::object::ELFSymbolRef symbol : file->getDynamicSymbolIterators())
    add(symbol);
}

std::optional<uint64_t> Object::findFunction(StringRef name,
                                             uint64_t offset) const {
  auto it = functions.find(name);
  if (it == functions.end() || !it->second.isUnique || offset > it->second.size)
    return std::nullopt;
  return it->second.address;
}
