//===- LoweredShares.cpp - The best way to share ops out to calls ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallAlign.h"
#include "LoweredCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;

/// How far a call has come with its ops.
enum State : unsigned { kFresh, kBegun, kHasOwn, kStates };

/// What an op is worth at least that a call may be known by.
static constexpr uint32_t kStrong = 32;

WorkPart LoweredCalls::getPart(const Unit &unit, uint32_t op) const {
  return parts[unit.name][ops[op].kind];
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
  bool hasShape = unit.shape != kNone &&
                  llvm::binary_search(shapes[ops[op].run], unit.shape);
  return kStrong + 4 * (part == WorkPart::Same) + 4 * (place == Place::Same) +
         2 * hasShape;
}

//===----------------------------------------------------------------------===//
// The best of all ways to share
//===----------------------------------------------------------------------===//

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

uint64_t LoweredCalls::countCells(const Part &part) const {
  return (uint64_t(part.opEnd - part.opBegin) + 1) * (part.units.size() + 1) *
         kStates;
}

/// Of each call an op that it is known by, or kNone; both in order.
std::vector<uint32_t>
LoweredCalls::findAnchors(llvm::ArrayRef<Unit> units) const {
  // What is own work of no call would only stand between the others.
  std::vector<char> isUsed(parts.size()), isOwn(kinds.size());
  for (const Unit &unit : units)
    isUsed[unit.name] = 1;
  for (size_t name = 0; name < parts.size(); ++name)
    for (size_t kind = 0; isUsed[name] && kind < kinds.size(); ++kind)
      isOwn[kind] |= parts[name][kind] >= WorkPart::Own;
  std::vector<uint32_t> strong;
  for (uint32_t op = 0; op < ops.size(); ++op)
    if (isOwn[ops[op].kind])
      strong.push_back(op);
  std::vector<uint32_t> anchors =
      align(uint32_t(units.size()), uint32_t(strong.size()),
            [&](uint32_t unit, uint32_t op) {
              uint32_t value = getValue(units[unit], strong[op], kFresh);
              return value >= kStrong ? value : 0;
            });
  for (uint32_t &anchor : anchors)
    if (anchor != kNone)
      anchor = strong[anchor];
  return anchors;
}

/// Everything if it is small enough; else parts between calls whose ops are in
/// different runs, each as large as it may be. One that cannot be cut is larger
/// than that.
std::vector<LoweredCalls::Part>
LoweredCalls::cutParts(llvm::ArrayRef<Unit> units) const {
  Part all = {units, 0, 0, uint32_t(ops.size())};
  if (countCells(all) <= limits.cells)
    return {all};
  struct Cut {
    uint32_t unit, op;
  };
  std::vector<Cut> cuts;
  uint32_t last = kNone;
  std::vector<uint32_t> anchors = findAnchors(units);
  for (uint32_t unit = 0; unit < units.size(); ++unit) {
    if (anchors[unit] == kNone)
      continue;
    uint32_t begin = begins[ops[anchors[unit]].run];
    if (last != kNone && last < begin)
      cuts.push_back({unit, begin});
    last = anchors[unit];
  }
  cuts.push_back({uint32_t(units.size()), uint32_t(ops.size())});
  std::vector<Part> found;
  Cut from = {0, 0};
  auto makePart = [&](const Cut &to) {
    return Part{units.slice(from.unit, to.unit - from.unit), from.unit, from.op,
                to.op};
  };
  for (size_t i = 0; i < cuts.size(); ++i) {
    bool isLast = i + 1 == cuts.size();
    if (!isLast && countCells(makePart(cuts[i + 1])) <= limits.cells)
      continue;
    found.push_back(makePart(cuts[i]));
    from = cuts[i];
  }
  return found;
}
