//===- LoweredCalls.cpp - Recorded calls beside what became of them -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoweredCalls.h"
#include "CallAlign.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using llvm::StringRef;

/// Cells of a table, four bytes each.
static constexpr uint64_t kMostCells = uint64_t(16) << 20;

/// How far a call has come with its ops.
enum State : unsigned { kFresh, kBegun, kHasOwn, kStates };

LoweredCalls::LoweredCalls(const ModuleIndex &index,
                           llvm::ArrayRef<ModuleCall> runs,
                           const FrameworkCalls &calls)
    : index(index), runs(runs), calls(calls) {
  for (uint32_t run = 0; run < runs.size(); ++run) {
    begins.push_back(uint32_t(ops.size()));
    for (uint32_t op : runs[run].ops)
      ops.push_back({op, run});
  }
  begins.push_back(uint32_t(ops.size()));
}

//===----------------------------------------------------------------------===//
// Evidence
//===----------------------------------------------------------------------===//

uint32_t LoweredCalls::addName(StringRef name) {
  auto [it, isNew] = names.try_emplace(name, uint32_t(parts.size()));
  if (isNew) {
    std::vector<WorkPart> &row = parts.emplace_back();
    for (const Op &op : ops)
      row.push_back(getWorkPart(name, index[op.op].op));
    isUnknown.push_back(getTorchWork(name).own.empty());
  }
  return it->second;
}

uint32_t LoweredCalls::addPlace(llvm::ArrayRef<SourceCall> frames,
                                Agree agree) {
  std::string chain;
  for (const SourceCall &frame : frames)
    chain += frame.file + ":" + std::to_string(frame.line) + "\n";
  auto [it, isNew] = chains.try_emplace(chain, uint32_t(places.size()));
  if (isNew) {
    std::vector<Place> &row = places.emplace_back();
    for (const ModuleCall &run : runs)
      row.push_back(frames.empty() || run.frames.empty() ? Place::Unknown
                    : agree(frames, run.frames)          ? Place::Same
                                                         : Place::Elsewhere);
    // What a compiler traced has the functions of the user's files alone.
    if (!llvm::is_contained(row, Place::Same))
      for (auto [run, place] : llvm::zip_equal(runs, row))
        if (place == Place::Elsewhere && run.frames.size() < frames.size() &&
            agree(frames.take_front(run.frames.size()), run.frames))
          place = Place::Same;
  }
  return it->second;
}

WorkPart LoweredCalls::getPart(const Unit &unit, uint32_t op) const {
  return parts[unit.name][op];
}

/// What it is worth that `op` is part of `unit`. The first op of a call's own
/// work counts most, so that all calls get theirs; what prepares stands before
/// it, what completes behind.
uint32_t LoweredCalls::getValue(const Unit &unit, uint32_t op,
                                unsigned state) const {
  Place place = places[unit.place][ops[op].run];
  if (place == Place::Elsewhere)
    return 0;
  bool hasOwn = state == kHasOwn;
  WorkPart part = getPart(unit, op);
  // Work of a kind that nobody knows may be anything in its function.
  if (isUnknown[unit.name] && part != WorkPart::Same)
    return place == Place::Same ? (state == kFresh ? 6 : 2) : 0;
  switch (part) {
  case WorkPart::None:
    return 0;
  case WorkPart::Any:
    return hasOwn ? 0 : 1;
  case WorkPart::Before:
    return hasOwn ? 0 : 3;
  case WorkPart::After:
    return hasOwn ? 3 : 0;
  case WorkPart::Around:
    return 3;
  case WorkPart::Own:
  case WorkPart::Same:
    break;
  }
  if (hasOwn)
    return 4;
  const RecordedCall &call = *unit.call;
  bool hasShape =
      !call.shapes.empty() &&
      llvm::is_contained(runs[ops[op].run].shapes, call.shapes.front());
  return 32 + 4 * (part == WorkPart::Same) + 4 * (place == Place::Same) +
         2 * hasShape;
}

//===----------------------------------------------------------------------===//
// The best of all ways to share
//===----------------------------------------------------------------------===//

/// Some of the calls, and some of the ops: whole runs.
struct LoweredCalls::Part {
  llvm::ArrayRef<Unit> units;
  uint32_t firstUnit, opBegin, opEnd;
};

/// By a table over ops, calls and states: the most that is to be had from an op
/// on, for calls from one on that is in this state.
void LoweredCalls::shareBest(const Part &part,
                             std::vector<uint32_t> &owners) const {
  uint32_t numOps = part.opEnd - part.opBegin;
  uint32_t numUnits = uint32_t(part.units.size());
  size_t stride = (size_t(numUnits) + 1) * kStates;
  std::vector<uint32_t> best((size_t(numOps) + 1) * stride);
  auto at = [&](uint32_t op, uint32_t unit, unsigned state) -> uint32_t & {
    return best[op * stride + size_t(unit) * kStates + state];
  };
  auto isLastOfRun = [&](uint32_t op) {
    return op + 1 == numOps ||
           ops[part.opBegin + op].run != ops[part.opBegin + op + 1].run;
  };
  // A call that has begun ends with its run.
  auto getRest = [&](uint32_t op, uint32_t unit, unsigned state) {
    bool ends = state != kFresh && isLastOfRun(op);
    return ends ? at(op + 1, unit + 1, kFresh) : at(op + 1, unit, state);
  };
  auto getNext = [&](uint32_t op, uint32_t unit, unsigned state) -> unsigned {
    bool isOwn = getPart(part.units[unit], part.opBegin + op) >= WorkPart::Own;
    return isOwn ? kHasOwn : std::max<unsigned>(state, kBegun);
  };
  auto take = [&](uint32_t op, uint32_t unit, unsigned state) -> uint32_t {
    uint32_t value = getValue(part.units[unit], part.opBegin + op, state);
    return value ? value + getRest(op, unit, getNext(op, unit, state)) : 0;
  };
  for (uint32_t op = numOps; op-- > 0;)
    for (uint32_t unit = numUnits; unit-- > 0;)
      for (unsigned state = 0; state < kStates; ++state)
        at(op, unit, state) =
            std::max({take(op, unit, state), at(op, unit + 1, kFresh),
                      getRest(op, unit, state)});
  unsigned state = kFresh;
  for (uint32_t op = 0, unit = 0; op < numOps && unit < numUnits;) {
    uint32_t value = at(op, unit, state);
    if (value != 0 && take(op, unit, state) == value) {
      owners[part.opBegin + op] = part.firstUnit + unit;
      state = getNext(op, unit, state);
    } else if (at(op, unit + 1, kFresh) == value) {
      ++unit;
      state = kFresh;
      continue;
    }
    if (state != kFresh && isLastOfRun(op)) {
      ++unit;
      state = kFresh;
    }
    ++op;
  }
}

//===----------------------------------------------------------------------===//
// Modules that are too large for that
//===----------------------------------------------------------------------===//

uint32_t LoweredCalls::getRunScore(const Unit &unit, uint32_t run) const {
  uint32_t score = 0;
  for (uint32_t op = begins[run]; op < begins[run + 1]; ++op)
    score = std::max(score, getValue(unit, op, kFresh));
  return score;
}

void LoweredCalls::shareByRuns(llvm::ArrayRef<Unit> units,
                               std::vector<uint32_t> &owners) const {
  std::vector<uint32_t> pairs =
      align(uint32_t(units.size()), uint32_t(runs.size()), AlignMode::ManyToOne,
            [&](uint32_t unit, uint32_t run) {
              return getRunScore(units[unit], run);
            });
  for (uint32_t i = 0; i < units.size();) {
    uint32_t end = i + 1;
    while (end < units.size() && pairs[end] == pairs[i])
      ++end;
    if (pairs[i] != kNone) {
      Part part = {units.slice(i, end - i), i, begins[pairs[i]],
                   begins[pairs[i] + 1]};
      uint64_t cells = uint64_t(part.opEnd - part.opBegin + 1) *
                       (part.units.size() + 1) * kStates;
      if (cells <= kMostCells)
        shareBest(part, owners);
    }
    i = end;
  }
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

/// An op that no call asked for is part of one in its line: of the one before
/// it, else of the one behind.
void LoweredCalls::fillRuns(std::vector<uint32_t> &owners) const {
  for (uint32_t run = 0; run < runs.size(); ++run) {
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

std::vector<LoweredCalls::Share>
LoweredCalls::share(llvm::ArrayRef<uint32_t> numbers, Agree agree,
                    bool knowsPlaces) {
  std::vector<Unit> units;
  for (uint32_t number : numbers) {
    llvm::ArrayRef<SourceCall> frames = calls[number].frames;
    units.push_back(
        {addName(calls.getKey(number).op),
         addPlace(knowsPlaces ? frames : llvm::ArrayRef<SourceCall>(), agree),
         &calls[number]});
  }
  std::vector<uint32_t> owners(ops.size(), kNone);
  uint64_t cells = (uint64_t(ops.size()) + 1) * (units.size() + 1) * kStates;
  if (cells <= kMostCells)
    shareBest({units, 0, 0, uint32_t(ops.size())}, owners);
  else
    shareByRuns(units, owners);
  // What stands before or behind work is of a call only with that work.
  std::vector<char> isFound(units.size());
  for (uint32_t op = 0; op < ops.size(); ++op)
    if (uint32_t owner = owners[op]; owner != kNone)
      isFound[owner] |= isUnknown[units[owner].name] ||
                        getPart(units[owner], op) >= WorkPart::Own;
  for (uint32_t &owner : owners)
    if (owner != kNone && !isFound[owner])
      owner = kNone;
  fillRuns(owners);
  std::vector<Share> shares(units.size());
  for (uint32_t op = 0; op < ops.size(); ++op)
    if (owners[op] != kNone) {
      shares[owners[op]].run = ops[op].run;
      shares[owners[op]].ops.push_back(ops[op].op);
    }
  // Between two calls in one line there is only this line.
  for (size_t i = 0, last = shares.size(); i < shares.size(); ++i) {
    if (shares[i].ops.empty())
      continue;
    for (size_t between = last + 1; between < i; ++between)
      if (shares[last].run == shares[i].run &&
          places[units[between].place][shares[i].run] == Place::Same)
        shares[between].run = shares[i].run;
    last = i;
  }
  return shares;
}
