//===- BackendCode.cpp - What the machine code says -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackendCode.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Target/TargetMachine.h"

#include <map>

using namespace llvm;
using namespace mlirprof;

namespace {
class CodeReader {
public:
  CodeReader(object::ELFObjectFileBase &object, const TargetMachine &machine,
             Program &program)
      : object(object), machine(machine), program(program) {}

  Error read();

private:
  Error findText();
  Error readFunctions();
  Error readRelocations();
  void readLines();
  Error createDisassembler();
  void disassemble(const mlirprof::MachineFunction &function);
  uint32_t nodeAt(uint64_t address) const;
  const mlirprof::MachineFunction *findFunction(uint64_t begin) const;
  void addInstruction(uint64_t address, uint64_t size, const MCInst &inst);
  void addLoops();
  void fillGaps();
  void fillGaps(MutableArrayRef<mlirprof::Instruction> function,
                bool acrossBlocks);
  uint32_t intern(StringRef text);

  object::ELFObjectFileBase &object;
  const TargetMachine &machine;
  Program &program;

  object::SectionRef text;
  StringRef bytes;
  /// Symbols that relocations refer to, by their place in the text.
  std::map<uint64_t, std::string> references;
  /// Lines by the address where they begin; 0 where there are none.
  std::map<uint64_t, uint32_t> lines;
  StringMap<uint32_t> strings;

  /// A jump back within a function: from the end of the jump to its target.
  struct BackEdge {
    uint64_t begin;
    uint64_t end;
  };
  std::vector<BackEdge> backEdges;
  std::vector<uint64_t> calls;
  /// Where basic blocks begin, those of jumps.
  std::vector<uint64_t> blocks;

  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCObjectFileInfo> fileInfo;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  std::unique_ptr<MCInstrAnalysis> analysis;
};
} // namespace

/// The recorder knows code by one number, its offset in the text.
Error CodeReader::findText() {
  unsigned count = 0;
  for (object::ELFSectionRef section : object.sections()) {
    if (!(section.getFlags() & ELF::SHF_EXECINSTR) || section.getSize() == 0)
      continue;
    text = section;
    ++count;
  }
  if (count != 1)
    return inputError("the object", Twine(count) + " sections of code",
                      "Code must stand in one section: functions of the model "
                      "may not name sections of their own.");
  Expected<StringRef> contents = text.getContents();
  if (!contents)
    return contents.takeError();
  bytes = *contents;
  return Error::success();
}

Error CodeReader::readFunctions() {
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
    program.functions.push_back({name->str(), *begin, end});
  }
  llvm::sort(program.functions, [](const auto &a, const auto &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  return Error::success();
}

Error CodeReader::readRelocations() {
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
      references[relocation.getOffset()] = name->str();
    }
  }
  return Error::success();
}

void CodeReader::readLines() {
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(object);
  for (const auto &unit : dwarf->compile_units()) {
    const DWARFDebugLine::LineTable *table =
        dwarf->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      // Where one sequence ends another may begin: its row counts.
      if (row.EndSequence)
        lines.try_emplace(row.Address.Address, 0);
      else
        lines[row.Address.Address] = row.Line;
    }
  }
}

uint32_t CodeReader::nodeAt(uint64_t address) const {
  auto it = lines.upper_bound(address);
  if (it == lines.begin())
    return kNone;
  uint32_t line = std::prev(it)->second;
  if (line == 0 || line > program.nodes.size() || program.levels.empty())
    return kNone;
  bool last = program.nodes[line - 1].level + 1 == program.levels.size();
  return last ? line - 1 : kNone;
}

Error CodeReader::createDisassembler() {
  const Target &target = machine.getTarget();
  context = std::make_unique<MCContext>(
      machine.getTargetTriple(), machine.getMCAsmInfo(),
      machine.getMCRegisterInfo(), machine.getMCSubtargetInfo());
  fileInfo.reset(target.createMCObjectFileInfo(*context, /*PIC=*/true));
  context->setObjectFileInfo(fileInfo.get());
  disassembler.reset(
      target.createMCDisassembler(*machine.getMCSubtargetInfo(), *context));
  printer.reset(target.createMCInstPrinter(
      machine.getTargetTriple(), machine.getMCAsmInfo()->getAssemblerDialect(),
      *machine.getMCAsmInfo(), *machine.getMCInstrInfo(),
      *machine.getMCRegisterInfo()));
  analysis.reset(target.createMCInstrAnalysis(machine.getMCInstrInfo()));
  if (disassembler && printer && analysis)
    return Error::success();
  return inputError(machine.getTargetTriple().str(),
                    "LLVM has no disassembler for this machine");
}

uint32_t CodeReader::intern(StringRef string) {
  auto [it, isNew] =
      strings.try_emplace(string, uint32_t(program.strings.size()));
  if (isNew)
    program.strings.push_back(string.str());
  return it->second;
}

const mlirprof::MachineFunction *
CodeReader::findFunction(uint64_t begin) const {
  auto it = llvm::lower_bound(program.functions, begin,
                              [](const mlirprof::MachineFunction &f,
                                 uint64_t at) { return f.begin < at; });
  return it != program.functions.end() && it->begin == begin ? &*it : nullptr;
}

void CodeReader::addInstruction(uint64_t address, uint64_t size,
                                const MCInst &inst) {
  std::string printed;
  raw_string_ostream os(printed);
  printer->printInst(&inst, address, "", *machine.getMCSubtargetInfo(), os);
  SmallVector<StringRef> words;
  StringRef(printed).split(words, '\t', -1, /*KeepEmpty=*/false);
  std::string text = join(words, " ");
  // What a call refers to is not known before linking but by its relocation.
  auto reference = references.lower_bound(address);
  bool refers =
      reference != references.end() && reference->first < address + size;
  if (refers && !reference->second.empty()) {
    StringRef mnemonic = StringRef(text).split(' ').first;
    text = analysis->isCall(inst) || analysis->isBranch(inst)
               ? (mnemonic + " " + reference->second).str()
               : text + " # " + reference->second;
  } else if (analysis->isCall(inst)) {
    // A function of the same object.
    uint64_t target = 0;
    const mlirprof::MachineFunction *callee =
        analysis->evaluateBranch(inst, address, size, target)
            ? findFunction(target)
            : nullptr;
    if (callee)
      text = (StringRef(text).split(' ').first + " " + callee->name).str();
  }
  program.instructions.push_back(
      {address, nodeAt(address), intern(StringRef(text).trim()), kNone});
}

void CodeReader::disassemble(const mlirprof::MachineFunction &function) {
  ArrayRef<uint8_t> code(reinterpret_cast<const uint8_t *>(bytes.data()),
                         bytes.size());
  uint64_t address = function.begin;
  while (address < function.end) {
    MCInst inst;
    uint64_t size = 0;
    auto status = disassembler->getInstruction(
        inst, size, code.slice(address, function.end - address), address,
        nulls());
    size = std::max<uint64_t>(size, 1);
    if (status == MCDisassembler::Fail) {
      program.instructions.push_back(
          {address, nodeAt(address), intern("(unknown)"), kNone});
      address += size;
      continue;
    }
    addInstruction(address, size, inst);
    uint64_t target = 0;
    if (analysis->isCall(inst))
      calls.push_back(address);
    else if (analysis->isBranch(inst) &&
             analysis->evaluateBranch(inst, address, size, target)) {
      blocks.push_back(target);
      if (target <= address && target >= function.begin)
        backEdges.push_back({target, address + size});
    }
    address += size;
    if (analysis->isTerminator(inst))
      blocks.push_back(address);
  }
}

/// Loops are the ranges that jumps back span; of those with one head the
/// longest. Innermost are those that hold no other.
void CodeReader::addLoops() {
  std::map<uint64_t, uint64_t> endOfHead;
  for (const BackEdge &edge : backEdges)
    endOfHead[edge.begin] = std::max(endOfHead[edge.begin], edge.end);
  // By head, so that a loop can only hold loops that come after it: it is
  // innermost if the nearest of them reaches beyond its end.
  for (auto it = endOfHead.begin(); it != endOfHead.end(); ++it) {
    bool innermost = true;
    for (auto inner = std::next(it);
         innermost && inner != endOfHead.end() && inner->first < it->second;
         ++inner)
      innermost = inner->second > it->second;
    if (!innermost)
      continue;
    auto call = std::lower_bound(calls.begin(), calls.end(), it->first);
    bool hasCall = call != calls.end() && *call < it->second;
    program.loops.push_back({it->first, it->second, hasCall});
  }
  for (uint32_t index = 0; index != program.loops.size(); ++index) {
    const MachineLoop &loop = program.loops[index];
    auto it = std::lower_bound(program.instructions.begin(),
                               program.instructions.end(), loop.begin,
                               [](const mlirprof::Instruction &i, uint64_t at) {
                                 return i.address < at;
                               });
    for (; it != program.instructions.end() && it->address < loop.end; ++it)
      it->loop = index;
  }
}

/// What LLVM makes without a line (spills, addresses, constants, what opens a
/// function) prepares what comes next: it counts for the next instruction of
/// its block that has a line, else for the one before; where the block has
/// none, for the nearest of the function. Innermost loops stay as they are:
/// time in them is split by what they have of each op.
void CodeReader::fillGaps() {
  llvm::sort(blocks);
  MutableArrayRef<mlirprof::Instruction> all(program.instructions);
  for (const mlirprof::MachineFunction &function : program.functions) {
    auto begin = llvm::partition_point(
        all, [&](const auto &i) { return i.address < function.begin; });
    auto end = llvm::partition_point(
        all, [&](const auto &i) { return i.address < function.end; });
    for (bool acrossBlocks : {false, true})
      fillGaps({begin, end}, acrossBlocks);
  }
}

void CodeReader::fillGaps(MutableArrayRef<mlirprof::Instruction> function,
                          bool acrossBlocks) {
  uint32_t node = kNone;
  auto fill = [&](mlirprof::Instruction &instruction) {
    if (instruction.node == kNone && instruction.loop == kNone)
      instruction.node = node;
    if (instruction.node != kNone)
      node = instruction.node;
  };
  auto isFirst = [&](const mlirprof::Instruction &instruction) {
    return !acrossBlocks && std::binary_search(blocks.begin(), blocks.end(),
                                               instruction.address);
  };
  for (mlirprof::Instruction &instruction : llvm::reverse(function)) {
    fill(instruction);
    if (isFirst(instruction))
      node = kNone;
  }
  node = kNone;
  for (mlirprof::Instruction &instruction : function) {
    if (isFirst(instruction))
      node = kNone;
    fill(instruction);
  }
}

Error CodeReader::read() {
  if (Error error = findText())
    return error;
  if (Error error = readFunctions())
    return error;
  if (Error error = readRelocations())
    return error;
  if (Error error = createDisassembler())
    return error;
  readLines();
  if (program.strings.empty())
    program.strings.emplace_back();
  for (size_t i = 0; i != program.strings.size(); ++i)
    strings.try_emplace(program.strings[i], uint32_t(i));
  uint64_t end = 0;
  for (const mlirprof::MachineFunction &function : program.functions) {
    // Functions that share code (aliases) are read once.
    if (function.begin >= end)
      disassemble(function);
    end = std::max(end, function.end);
  }
  addLoops();
  fillGaps();
  return Error::success();
}

Error mlirprof::readCode(StringRef object, const TargetMachine &machine,
                         Program &program) {
  program.functions.clear();
  program.loops.clear();
  program.instructions.clear();
  MemoryBufferRef buffer(object, "the object");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return file.takeError();
  auto *elf = dyn_cast<object::ELFObjectFileBase>(file->get());
  if (!elf)
    return inputError("the object", "it is not an ELF file",
                      "Recording works on systems with ELF objects.");
  return CodeReader(*elf, machine, program).read();
}
