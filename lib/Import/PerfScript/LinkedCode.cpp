//===- LinkedCode.cpp - A program's code in its linked file ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkedCode.h"
#include "mlir-prof/Profile/CodeReader.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using llvm::StringRef;
using LineTable = llvm::DWARFDebugLine::LineTable;

namespace {
/// The places of the code of a program, by its debug lines.
class LinkedLines {
public:
  LinkedLines(llvm::DWARFContext &dwarf, StringRef fingerprint);

  bool contains(uint64_t address) const;
  std::map<uint64_t, uint32_t> lines;

private:
  void add(const LineTable &table);

  /// The ends of the ranges of code by their begins.
  std::map<uint64_t, uint64_t> ranges;
};
} // namespace

LinkedLines::LinkedLines(llvm::DWARFContext &dwarf, StringRef fingerprint) {
  for (const auto &unit : dwarf.compile_units()) {
    llvm::DWARFDie die = unit->getUnitDIE();
    StringRef folder =
        llvm::dwarf::toString(die.find(llvm::dwarf::DW_AT_comp_dir), "");
    StringRef name =
        llvm::dwarf::toString(die.find(llvm::dwarf::DW_AT_name), "");
    if (folder != fingerprint || name != kLinesFile)
      continue;
    if (const LineTable *table = dwarf.getLineTableForUnit(unit.get()))
      add(*table);
  }
}

/// Code that the linker left out has lines at 0, where there are no functions.
void LinkedLines::add(const LineTable &table) {
  for (const llvm::DWARFDebugLine::Sequence &sequence : table.Sequences) {
    uint64_t &end = ranges[sequence.LowPC];
    end = std::max(end, sequence.HighPC);
  }
  std::map<uint64_t, bool> isOwn;
  auto isLine = [&](uint64_t file) {
    auto [it, isNew] = isOwn.try_emplace(file);
    std::string name;
    using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
    if (isNew)
      it->second = table.getFileNameByIndex(file, "", Kind::RawValue, name) &&
                   name == kLinesFile;
    return it->second;
  };
  for (const llvm::DWARFDebugLine::Row &row : table.Rows) {
    // One sequence may begin where another ends: its row counts.
    if (row.EndSequence)
      lines.try_emplace(row.Address.Address, 0);
    else
      // The origin of inlined code is unknown.
      lines[row.Address.Address] = isLine(row.File) ? row.Line : 0;
  }
}

bool LinkedLines::contains(uint64_t address) const {
  auto it = ranges.upper_bound(address);
  return it != ranges.begin() && address < std::prev(it)->second;
}

/// The code from `begin` to `end`, as far as it lies in one section of `file`.
static StringRef getCode(const llvm::object::ELFObjectFileBase &file,
                         uint64_t begin, uint64_t end) {
  for (llvm::object::ELFSectionRef section : file.sections()) {
    uint64_t address = section.getAddress();
    if (!(section.getFlags() & llvm::ELF::SHF_EXECINSTR) || begin < address ||
        begin - address >= section.getSize())
      continue;
    llvm::Expected<StringRef> bytes = section.getContents();
    if (bytes)
      return bytes->slice(begin - address, end - address);
    llvm::consumeError(bytes.takeError());
  }
  return "";
}

llvm::Error perfscript::readLinkedCode(const ElfFile &elf,
                                       llvm::DWARFContext &dwarf,
                                       const Symbols &symbols,
                                       Program &program) {
  LinkedLines linked(dwarf, program.fingerprint);
  CodeSource source;
  source.triple = elf.file->makeTriple();
  // The features that the code needs are unknown; other targets do without.
  if (source.triple.isAArch64())
    source.features = "+all";
  symbols.forEach([&](StringRef name, const Symbols::Function &function) {
    uint64_t end = llvm::SaturatingAdd(function.address, function.size);
    if (linked.contains(function.address))
      source.functions.push_back({name.str(), function.address, end});
  });
  if (source.functions.empty())
    return llvm::Error::success();
  source.lines = std::move(linked.lines);
  source.getBytes = [&](uint64_t begin, uint64_t end) {
    return getCode(*elf.file, begin, end);
  };
  source.getCallee = [&](uint64_t address) {
    return symbols.getNameAt(address).str();
  };
  if (llvm::Error error = readCode(source, program))
    return error;
  program.fingerprint = fingerprintProgram(program);
  return llvm::Error::success();
}
