//===- Code.cpp - Reading machine code ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "mlir-prof/Profile/CodeReader.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

namespace {
/// Reads the object that the back end emitted for one model.
class ObjectReader {
public:
  ObjectReader(object::ELFObjectFileBase &object, CodeSource &source)
      : object(object), source(source) {}

  Error read();

private:
  Error findText();
  Error readFunctions();
  Error readRelocations();
  void readLines();
  std::string findFunction(uint64_t begin) const;

  object::ELFObjectFileBase &object;
  CodeSource &source;
  object::SectionRef text;
  StringRef bytes;
};
} // namespace

/// The recorder identifies code by one number, its offset in the text section.
Error ObjectReader::findText() {
  unsigned count = 0;
  for (object::ELFSectionRef section : object.sections()) {
    if (!(section.getFlags() & ELF::SHF_EXECINSTR) || section.getSize() == 0)
      continue;
    text = section;
    ++count;
  }
  if (count != 1)
    return inputError("the object", Twine(count) + " sections of code",
                      "Code must be in one section: functions of the model "
                      "must not specify sections.");
  Expected<StringRef> contents = text.getContents();
  if (!contents)
    return contents.takeError();
  bytes = *contents;
  return Error::success();
}

Error ObjectReader::readFunctions() {
  for (object::ELFSymbolRef symbol : object.symbols()) {
    Expected<object::section_iterator> section = symbol.getSection();
    if (!section)
      return section.takeError();
    if (symbol.getELFType() != ELF::STT_FUNC ||
        *section == object.section_end() || **section != text)
      continue;
    Expected<uint64_t> begin = symbol.getValue();
    Expected<StringRef> name = symbol.getName();
    if (!begin)
      return begin.takeError();
    if (!name)
      return name.takeError();
    uint64_t end = *begin + symbol.getSize();
    if (end < *begin || end > bytes.size())
      return inputError(*name, "the function lies outside of its section");
    source.functions.push_back({name->str(), *begin, end});
  }
  llvm::sort(source.functions, [](const auto &a, const auto &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  return Error::success();
}

Error ObjectReader::readRelocations() {
  for (const object::SectionRef &section : object.sections()) {
    Expected<object::section_iterator> target = section.getRelocatedSection();
    if (!target)
      return target.takeError();
    if (*target == object.section_end() || **target != text)
      continue;
    for (const object::RelocationRef &relocation : section.relocations()) {
      object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == object.symbol_end())
        continue;
      Expected<StringRef> name = symbol->getName();
      if (!name)
        return name.takeError();
      source.references[relocation.getOffset()] = name->str();
    }
  }
  return Error::success();
}

void ObjectReader::readLines() {
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(object);
  for (const auto &unit : dwarf->compile_units()) {
    const DWARFDebugLine::LineTable *table =
        dwarf->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      // Another sequence may begin where one ends: the beginning row takes
      // precedence.
      if (row.EndSequence)
        source.lines.try_emplace(row.Address.Address, 0);
      else
        source.lines[row.Address.Address] = row.Line;
    }
  }
}

std::string ObjectReader::findFunction(uint64_t begin) const {
  auto it = llvm::lower_bound(source.functions, begin,
                              [](const profile::MachineFunction &f,
                                 uint64_t at) { return f.begin < at; });
  return it != source.functions.end() && it->begin == begin ? it->name : "";
}

Error ObjectReader::read() {
  if (Error error = findText())
    return error;
  if (Error error = readFunctions())
    return error;
  if (Error error = readRelocations())
    return error;
  readLines();
  source.getBytes = [this](uint64_t begin, uint64_t end) {
    return bytes.slice(begin, end);
  };
  source.getCallee = [this](uint64_t address) { return findFunction(address); };
  return Error::success();
}

Error compile::readCode(StringRef object, const TargetMachine &machine,
                        Program &program) {
  MemoryBufferRef buffer(object, "the object");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return file.takeError();
  auto *elf = dyn_cast<object::ELFObjectFileBase>(file->get());
  if (!elf)
    return inputError("the object", "it is not an ELF file",
                      "Recording works on systems with ELF objects.");
  CodeSource source;
  source.triple = machine.getTargetTriple();
  source.cpu = machine.getTargetCPU().str();
  source.features = machine.getTargetFeatureString().str();
  ObjectReader reader(*elf, source);
  if (Error error = reader.read())
    return error;
  return readCode(source, program);
}
