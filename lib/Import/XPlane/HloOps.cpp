//===- HloOps.cpp - Measured HLO instructions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloOps.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

uint32_t HloOps::find(const EventStats &stats, uint32_t kernel,
                      DeviceWork work) {
  uint64_t hash =
      llvm::hash_combine(stats.hloOp, stats.hloModule, stats.getProgramId(),
                         stats.has(StatKind::ProgramId), kernel, work);
  uint32_t &first = byHash[hash];
  for (uint32_t i = first; i != kNone; i = entries[i].next)
    if (isSame(entries[i], stats, kernel, work))
      return i;
  Entry entry;
  entry.kernel = kernel;
  entry.work = work;
  entry.hloOp = stats.hloOp;
  entry.hloModule = stats.hloModule;
  entry.programId = stats.getProgramId();
  entry.hasProgramId = stats.has(StatKind::ProgramId);
  entry.next = first;
  first = uint32_t(entries.size());
  resolve(entry);
  entries.push_back(entry);
  return uint32_t(entries.size() - 1);
}

const HloModule *HloOps::findModule(const Entry &entry) const {
  if (entry.hloModule != kNone)
    return modules.find(texts[entry.hloModule], entry.getProgramId());
  // TPU events contain only the program's name.
  if (entry.hasProgramId)
    return modules.findProgram(entry.programId);
  return nullptr;
}

const HloIndex &HloOps::getIndex(const HloModule &module) {
  std::unique_ptr<HloIndex> &index = indices[&module];
  if (!index)
    index = std::make_unique<HloIndex>(module);
  return *index;
}

/// On GPUs the stack of annotations is joined; the innermost is the op.
static llvm::StringRef getInnermost(llvm::StringRef op) {
  size_t at = op.rfind("::");
  return at == llvm::StringRef::npos ? op : op.substr(at + 2);
}

bool HloOps::isInProgram(const EventStats &stats) {
  Entry entry;
  entry.hloModule = stats.hloModule;
  entry.programId = stats.getProgramId();
  entry.hasProgramId = stats.has(StatKind::ProgramId);
  const HloModule *module = findModule(entry);
  return module &&
         getIndex(*module).find(getInnermost(texts[stats.hloOp])) != kNone;
}

void HloOps::resolve(Entry &entry) {
  HloInstructionKey details;
  const HloModule *module = findModule(entry);
  if (entry.hloModule != kNone)
    details.module = texts[entry.hloModule].str();
  else if (module)
    details.module = module->name;
  details.programId = entry.getProgramId();
  llvm::StringRef op = getInnermost(texts[entry.hloOp]);
  llvm::StringRef kernel = entry.kernel == kNone ? "" : texts[entry.kernel];
  OpKey key(op.str(), kernel.str(), std::move(details));
  key.work = entry.work;
  entry.sinkOp = sink.addOpKey(key);
  if (!module)
    return;
  entry.hasProto = true;
  const HloIndex &index = getIndex(*module);
  uint32_t instruction = index.find(op);
  if (instruction == kNone)
    return;
  entry.isInProto = true;
  // A device reports when its work ends.
  if (entry.work == DeviceWork::None)
    addConsumers(entry, *module, instruction, std::move(key));
}

uint32_t HloOps::getScope(const Entry &entry, const HloModule &module) {
  return scopes
      .try_emplace(
          {&module, entry.hloModule, entry.hasProgramId, entry.programId},
          uint32_t(scopes.size()))
      .first->second;
}

void HloOps::addConsumers(const Entry &entry, const HloModule &module,
                          uint32_t instruction, OpKey key) {
  uint64_t scope = uint64_t(getScope(entry, module)) << 32;
  sinkOps[scope | instruction] = entry.sinkOp;
  HloIndex::Consumers found = getIndex(module).getConsumers(instruction);
  cutConsumers += found.isCut;
  llvm::SmallVector<uint32_t> consumers;
  for (uint32_t consumer : found.instructions) {
    uint32_t &sinkOp = sinkOps[scope | consumer];
    if (sinkOp == kNone) {
      key.op = module.instructions[consumer].name;
      sinkOp = sink.addOpKey(key);
    }
    consumers.push_back(sinkOp);
  }
  sink.setConsumers(entry.sinkOp, consumers);
}

uint32_t HloOps::count(uint32_t index, int64_t durationPs) {
  Entry &entry = entries[index];
  ++entry.events;
  entry.timePs = saturatingAdd(entry.timePs, durationPs);
  return entry.sinkOp;
}

void HloOps::reportMissing() {
  if (cutConsumers)
    sink.loss("instruction with more consumers than are considered",
              cutConsumers, 0);
  for (const Entry &entry : entries) {
    if (entry.isInProto)
      continue;
    std::string module = entry.hloModule == kNone
                             ? std::string("without a name")
                             : "'" + texts[entry.hloModule].str() + "'";
    if (entry.hasProgramId)
      module += " (program " + std::to_string(entry.programId) + ")";
    if (entry.hasProto)
      sink.loss("instruction that is not in the proto of HLO module " + module,
                entry.events, entry.timePs);
    else
      sink.loss("HLO module " + module +
                    " does not have a proto in plane /host:metadata: its "
                    "instructions cannot be matched",
                entry.events, entry.timePs);
  }
}
