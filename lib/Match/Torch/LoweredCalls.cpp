//===- LoweredCalls.cpp - Recorded calls and their lowered ops ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoweredCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;
using llvm::StringRef;

LoweredCalls::LoweredCalls(const ModuleIndex &index,
                           llvm::ArrayRef<ModuleCall> runs,
                           const FrameworkCalls &calls, LoweredLimits limits)
    : index(index), runs(runs), calls(calls), limits(limits) {
  for (uint32_t run = 0; run < runs.size(); ++run)
    addRun(run);
  begins.push_back(uint32_t(ops.size()));
  parts.emplace_back(kinds.size(), WorkPart::None);
  isUnknown.push_back(0);
  places.emplace_back(runs.size(), Place::Elsewhere);
}

void LoweredCalls::addRun(uint32_t run) {
  begins.push_back(uint32_t(ops.size()));
  for (uint32_t op : runs[run].ops)
    ops.push_back({op, run, addKind(index[op].op)});
  std::vector<uint32_t> &row = shapes.emplace_back();
  for (const std::vector<int64_t> &shape : runs[run].shapes)
    row.push_back(shapeNumbers.try_emplace(shape, uint32_t(shapeNumbers.size()))
                      .first->second);
  llvm::sort(row);
  row.erase(llvm::unique(row), row.end());
}

uint32_t LoweredCalls::addKind(mlir::Operation *op) {
  OpWords words = getOpWords(op);
  std::string all = words.torchName;
  for (StringRef opcode : words.opcodes)
    all += (" " + opcode).str();
  auto [it, isNew] = kindNumbers.try_emplace(all, uint32_t(kinds.size()));
  if (isNew) {
    if (!words.torchName.empty())
      torchNames.insert(words.torchName);
    kinds.push_back(std::move(words));
  }
  return it->second;
}

//===----------------------------------------------------------------------===//
// Evidence
//===----------------------------------------------------------------------===//

/// kNone if the limit is reached.
uint32_t LoweredCalls::addName(StringRef name) {
  TorchWork work = getTorchWork(name);
  bool hasNoWork = work.own.empty();
  // All unknown names are alike.
  if (hasNoWork && !torchNames.contains(work.name))
    name = "?";
  auto it = names.find(name);
  if (it != names.end())
    return it->second;
  if (isFull(parts.size(), kinds.size()))
    return kNone;
  uint32_t number = uint32_t(parts.size());
  std::vector<WorkPart> &row = parts.emplace_back();
  for (const OpWords &kind : kinds)
    row.push_back(getWorkPart(work, kind));
  isUnknown.push_back(hasNoWork);
  names[name] = number;
  return number;
}

void LoweredCalls::findPlaces(llvm::ArrayRef<SourceCall> frames,
                              std::vector<Place> &row) const {
  for (const ModuleCall &run : runs)
    row.push_back(frames.empty() || run.frames.empty() ? Place::Unknown
                  : mayBeAround(frames, run.frames)    ? Place::Same
                                                       : Place::Elsewhere);
  // Compiler traces only have the functions of the user's files.
  if (llvm::is_contained(row, Place::Same))
    return;
  for (auto [run, place] : llvm::zip_equal(runs, row))
    if (place == Place::Elsewhere && run.frames.size() < frames.size() &&
        mayBeAround(frames.take_front(run.frames.size()), run.frames))
      place = Place::Same;
}

/// kNone if the limit is reached.
uint32_t LoweredCalls::addPlace(llvm::ArrayRef<SourceCall> frames) {
  std::string chain;
  for (const SourceCall &frame : frames)
    chain += frame.file + ":" + std::to_string(frame.line) + "\n";
  auto it = chains.find(chain);
  if (it != chains.end())
    return it->second;
  if (isFull(places.size(), runs.size()))
    return kNone;
  uint32_t number = uint32_t(places.size());
  findPlaces(frames, places.emplace_back());
  chains[chain] = number;
  return number;
}

LoweredCalls::Unit LoweredCalls::makeUnit(uint32_t number, bool knowsPlaces,
                                          Share &share) {
  const RecordedCall &call = calls[number];
  Unit unit;
  unit.name = addName(calls.getKey(number).op);
  unit.place = addPlace(knowsPlaces ? llvm::ArrayRef(call.frames)
                                    : llvm::ArrayRef<SourceCall>());
  if (!call.shapes.empty())
    if (auto it = shapeNumbers.find(call.shapes.front());
        it != shapeNumbers.end())
      unit.shape = it->second;
  if (unit.name != kNone && unit.place != kNone)
    return unit;
  share.reason = "more kinds of calls and ops, or places of these, than are "
                 "compared (" +
                 std::to_string(limits.evidence) + " pairs)";
  // No op has the first name, and the first place is nowhere.
  unit.name = unit.place = 0;
  return unit;
}

//===----------------------------------------------------------------------===//
// The main functions
//===----------------------------------------------------------------------===//

/// An op that no call claimed belongs to one in its line: to the one before it,
/// else to the one after it. Neighbors with unknown lines are not in one.
void LoweredCalls::fillRuns(std::vector<uint32_t> &owners) const {
  for (uint32_t run = 0; run < runs.size(); ++run) {
    if (runs[run].frames.empty())
      continue;
    uint32_t owner = kNone;
    for (uint32_t op = begins[run]; op < begins[run + 1]; ++op)
      if (owners[op] == kNone)
        owners[op] = owner;
      else
        owner = owners[op];
    owner = kNone;
    for (uint32_t op = begins[run + 1]; op-- > begins[run];)
      if (owners[op] == kNone)
        owners[op] = owner;
      else
        owner = owners[op];
  }
}

/// Preparing or completing ops belong to a call only together with its work.
void LoweredCalls::dropIncomplete(llvm::ArrayRef<Unit> units,
                                  std::vector<uint32_t> &owners) const {
  std::vector<char> isFound(units.size());
  for (uint32_t op = 0; op < ops.size(); ++op)
    if (uint32_t owner = owners[op]; owner != kNone)
      isFound[owner] |= isUnknown[units[owner].name] ||
                        getPart(units[owner], op) >= WorkPart::Own;
  for (uint32_t &owner : owners)
    if (owner != kNone && !isFound[owner])
      owner = kNone;
}

/// Ops between two calls in one line are in this line.
void LoweredCalls::addLines(llvm::ArrayRef<Unit> units,
                            std::vector<Share> &shares) const {
  for (size_t i = 0, last = shares.size(); i < shares.size(); ++i) {
    if (shares[i].ops.empty())
      continue;
    for (size_t between = last + 1; between < i; ++between)
      if (shares[last].run == shares[i].run &&
          places[units[between].place][shares[i].run] == Place::Same)
        shares[between].run = shares[i].run;
    last = i;
  }
}

std::vector<LoweredCalls::Share>
LoweredCalls::share(llvm::ArrayRef<uint32_t> numbers, bool knowsPlaces) {
  std::vector<Unit> units;
  std::vector<Share> shares(numbers.size());
  for (auto [number, share] : llvm::zip_equal(numbers, shares))
    units.push_back(makeUnit(number, knowsPlaces, share));
  std::vector<uint32_t> owners(ops.size(), kNone);
  std::vector<Ways> ways(numbers.size());
  for (const Part &part : cutParts(units)) {
    if (countCells(part) <= limits.cells) {
      shareBest(part, owners, ways);
      continue;
    }
    for (size_t i = 0; i < part.units.size(); ++i)
      shares[part.firstUnit + i].reason =
          "more calls and ops in one place than are compared (" +
          std::to_string(limits.cells) + " cells)";
  }
  dropIncomplete(units, owners);
  for (uint32_t owner : owners)
    if (owner != kNone)
      ++shares[owner].numOwn;
  fillRuns(owners);
  for (uint32_t op = 0; op < ops.size(); ++op)
    if (owners[op] != kNone) {
      shares[owners[op]].run = ops[op].run;
      shares[owners[op]].ops.push_back(ops[op].op);
    }
  addLines(units, shares);
  addAmbiguous(ways, shares);
  return shares;
}
