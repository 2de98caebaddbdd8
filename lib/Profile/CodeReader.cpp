//===- CodeReader.cpp - Reading instructions from machine code ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CodeReader.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
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
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {
class CodeReader {
public:
  CodeReader(const CodeSource &source, Program &program)
      : source(source), program(program) {}

  Error read();

private:
  Error createDisassembler();
  void disassemble(const profile::MachineFunction &function);
  uint32_t nodeAt(uint64_t address) const;
  void addInstruction(uint64_t address, uint64_t size, const MCInst &inst);
  void addLoops();
  void fillGaps();
  void fillGaps(MutableArrayRef<profile::Instruction> function,
                bool acrossBlocks);
  uint32_t intern(StringRef text);

  const CodeSource &source;
  Program &program;
  StringMap<uint32_t> strings;

  /// A backward jump within a function: from the end of the jump to its target.
  struct BackEdge {
    uint64_t begin;
    uint64_t end;
  };
  std::vector<BackEdge> backEdges;
  std::vector<uint64_t> calls;
  /// Begins of basic blocks, as jump targets.
  std::vector<uint64_t> blocks;

  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembler;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCObjectFileInfo> fileInfo;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  std::unique_ptr<MCInstrAnalysis> analysis;
};
} // namespace

uint32_t CodeReader::nodeAt(uint64_t address) const {
  auto it = source.lines.upper_bound(address);
  if (it == source.lines.begin())
    return kNone;
  uint32_t line = std::prev(it)->second;
  if (line == 0 || line > program.nodes.size() || program.levels.empty())
    return kNone;
  bool last = program.nodes[line - 1].level + 1 == program.levels.size();
  return last ? line - 1 : kNone;
}

/// Samples may come from another kind of machine.
static void registerTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargetMCs();
    InitializeAllDisassemblers();
  });
}

Error CodeReader::createDisassembler() {
  registerTargets();
  const Triple &triple = source.triple;
  auto fail = [&] {
    return inputError(triple.str(),
                      "LLVM does not have a disassembler for this machine");
  };
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return fail();
  registers.reset(target->createMCRegInfo(triple));
  instructions.reset(target->createMCInstrInfo());
  subtarget.reset(
      target->createMCSubtargetInfo(triple, source.cpu, source.features));
  if (registers)
    assembler.reset(target->createMCAsmInfo(*registers, triple, options));
  if (!assembler || !instructions || !subtarget)
    return fail();
  context = std::make_unique<MCContext>(triple, assembler.get(),
                                        registers.get(), subtarget.get());
  fileInfo.reset(target->createMCObjectFileInfo(*context, /*PIC=*/true));
  context->setObjectFileInfo(fileInfo.get());
  disassembler.reset(target->createMCDisassembler(*subtarget, *context));
  printer.reset(
      target->createMCInstPrinter(triple, assembler->getAssemblerDialect(),
                                  *assembler, *instructions, *registers));
  analysis.reset(target->createMCInstrAnalysis(instructions.get()));
  return disassembler && printer && analysis ? Error::success() : fail();
}

uint32_t CodeReader::intern(StringRef string) {
  auto [it, isNew] =
      strings.try_emplace(string, uint32_t(program.strings.size()));
  if (isNew)
    program.strings.push_back(string.str());
  return it->second;
}

void CodeReader::addInstruction(uint64_t address, uint64_t size,
                                const MCInst &inst) {
  std::string printed;
  raw_string_ostream os(printed);
  printer->printInst(&inst, address, "", *subtarget, os);
  SmallVector<StringRef> words;
  StringRef(printed).split(words, '\t', -1, /*KeepEmpty=*/false);
  std::string text = join(words, " ");
  // Before linking, only the relocation determines the target of a call.
  auto reference = source.references.lower_bound(address);
  bool refers =
      reference != source.references.end() && reference->first < address + size;
  if (refers && !reference->second.empty()) {
    StringRef mnemonic = StringRef(text).split(' ').first;
    text = analysis->isCall(inst) || analysis->isBranch(inst)
               ? (mnemonic + " " + reference->second).str()
               : text + " # " + reference->second;
  } else if (analysis->isCall(inst)) {
    uint64_t target = 0;
    std::string callee;
    if (analysis->evaluateBranch(inst, address, size, target))
      callee = source.getCallee(target);
    if (!callee.empty())
      text = (StringRef(text).split(' ').first + " " + callee).str();
  }
  program.instructions.push_back(
      {address, nodeAt(address), intern(StringRef(text).trim()), kNone});
}

void CodeReader::disassemble(const profile::MachineFunction &function) {
  StringRef bytes = source.getBytes(function.begin, function.end);
  ArrayRef<uint8_t> code(reinterpret_cast<const uint8_t *>(bytes.data()),
                         bytes.size());
  uint64_t address = function.begin, end = address + code.size();
  while (address < end) {
    MCInst inst;
    uint64_t size = 0;
    auto status = disassembler->getInstruction(
        inst, size, code.drop_front(address - function.begin), address,
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

/// Loops are the ranges spanned by backward jumps; among those with the same
/// head, the longest. Innermost loops are those that do not contain another
/// one.
void CodeReader::addLoops() {
  std::map<uint64_t, uint64_t> endOfHead;
  for (const BackEdge &edge : backEdges)
    endOfHead[edge.begin] = std::max(endOfHead[edge.begin], edge.end);
  // By head, so that a loop can only contain later loops: it is innermost if
  // the nearest of them ends beyond its end.
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
                               [](const profile::Instruction &i, uint64_t at) {
                                 return i.address < at;
                               });
    for (; it != program.instructions.end() && it->address < loop.end; ++it)
      it->loop = index;
  }
}

/// Instructions that LLVM generates without a line (spills, addresses,
/// constants, prologues) prepare the next ones: each counts for the next
/// instruction of its block with a line, else for the previous one; if the
/// block does not have any, for the nearest of the function. Innermost loops
/// that do not call functions stay unchanged: their time is split by the
/// instructions of each op.
void CodeReader::fillGaps() {
  llvm::sort(blocks);
  MutableArrayRef<profile::Instruction> all(program.instructions);
  for (const profile::MachineFunction &function : program.functions) {
    auto begin = llvm::partition_point(
        all, [&](const auto &i) { return i.address < function.begin; });
    auto end = llvm::partition_point(
        all, [&](const auto &i) { return i.address < function.end; });
    for (bool acrossBlocks : {false, true})
      fillGaps({begin, end}, acrossBlocks);
  }
}

void CodeReader::fillGaps(MutableArrayRef<profile::Instruction> function,
                          bool acrossBlocks) {
  uint32_t node = kNone;
  auto fill = [&](profile::Instruction &instruction) {
    bool isSplit =
        instruction.loop != kNone && !program.loops[instruction.loop].calls;
    if (instruction.node == kNone && !isSplit)
      instruction.node = node;
    if (instruction.node != kNone)
      node = instruction.node;
  };
  auto isFirst = [&](const profile::Instruction &instruction) {
    return !acrossBlocks && std::binary_search(blocks.begin(), blocks.end(),
                                               instruction.address);
  };
  for (profile::Instruction &instruction : llvm::reverse(function)) {
    fill(instruction);
    if (isFirst(instruction))
      node = kNone;
  }
  node = kNone;
  for (profile::Instruction &instruction : function) {
    if (isFirst(instruction))
      node = kNone;
    fill(instruction);
  }
}

Error CodeReader::read() {
  if (Error error = createDisassembler())
    return error;
  if (program.strings.empty())
    program.strings.emplace_back();
  for (size_t i = 0; i != program.strings.size(); ++i)
    strings.try_emplace(program.strings[i], uint32_t(i));
  uint64_t end = 0;
  for (const profile::MachineFunction &function : program.functions) {
    // Functions that share code (aliases) are read once.
    if (function.begin >= end)
      disassemble(function);
    end = std::max(end, function.end);
  }
  addLoops();
  fillGaps();
  return Error::success();
}

Error profile::readCode(const CodeSource &source, Program &program) {
  program.functions = source.functions;
  program.loops.clear();
  program.instructions.clear();
  return CodeReader(source, program).read();
}
