//===- LoweredShares.cpp - The best distribution of ops to calls ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SequenceAlign.h"
#include "LoweredCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::trace;

/// The progress of a call with its ops.
enum State : unsigned { kFresh, kBegun, kHasOwn, kStates };

/// Minimum value of an op that identifies a call.
static constexpr uint32_t kStrong = 32;

WorkPart LoweredCalls::getPart(const Unit &unit, uint32_t op) const {
  return parts[unit.name][ops[op].kind];
}

/// The value of `op` as a part of `unit`. The first op of a call's own work
/// counts most, so that all calls get theirs; preparing ops come before it,
/// completing ones after.
uint32_t LoweredCalls::getValue(const Unit &unit, uint32_t op,
                                unsigned state) const {
  Place place = places[unit.place][ops[op].run];
  if (place == Place::Elsewhere)
    return 0;
  bool hasOwn = state == kHasOwn;
  WorkPart part = getPart(unit, op);
  // Work of an unknown kind may be any op in its function.
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
// The best of all distributions
//===----------------------------------------------------------------------===//

/// The highest attainable value from an op on, for calls from one on in a given
/// state.
class LoweredCalls::SharingTable {
public:
  struct Cell {
    uint32_t op, unit;
    unsigned state;
  };

  SharingTable(const LoweredCalls &calls, const Part &part)
      : calls(calls), part(part), numOps(part.opEnd - part.opBegin),
        numUnits(uint32_t(part.units.size())),
        stride((size_t(numUnits) + 1) * kStates),
        best((size_t(numOps) + 1) * stride) {
    for (uint32_t op = numOps; op-- > 0;)
      for (uint32_t unit = numUnits; unit-- > 0;)
        for (unsigned state = 0; state < kStates; ++state)
          at({op, unit, state}) =
              std::max({take({op, unit, state}), at({op, unit + 1, kFresh}),
                        at(leave({op, unit, state}))});
  }

  uint32_t &at(const Cell &cell) {
    return best[cell.op * stride + getColumn(cell)];
  }
  static size_t getColumn(const Cell &cell) {
    return size_t(cell.unit) * kStates + cell.state;
  }
  /// The value of the op for the call, 0 if it cannot be a part of it.
  uint32_t getValue(const Cell &cell) const {
    return calls.getValue(part.units[cell.unit], part.opBegin + cell.op,
                          cell.state);
  }
  /// The cell after the op, if the call does not have it. A call that has begun
  /// ends with its run.
  Cell leave(const Cell &cell) const {
    bool ends = cell.state != kFresh && isLastOfRun(cell.op);
    return ends ? Cell{cell.op + 1, cell.unit + 1, kFresh}
                : Cell{cell.op + 1, cell.unit, cell.state};
  }
  /// The cell after the op, if the call has it.
  Cell goOn(const Cell &cell) const {
    unsigned next = isOwn(cell) ? unsigned(kHasOwn)
                                : std::max<unsigned>(cell.state, kBegun);
    return leave({cell.op, cell.unit, next});
  }
  bool isOwn(const Cell &cell) const {
    return calls.getPart(part.units[cell.unit], part.opBegin + cell.op) >=
           WorkPart::Own;
  }
  uint32_t take(const Cell &cell) {
    uint32_t value = getValue(cell);
    return value ? value + at(goOn(cell)) : 0;
  }

  const LoweredCalls &calls;
  const Part &part;
  const uint32_t numOps, numUnits;

private:
  bool isLastOfRun(uint32_t op) const {
    return op + 1 == numOps || calls.ops[part.opBegin + op].run !=
                                   calls.ops[part.opBegin + op + 1].run;
  }

  const size_t stride;
  std::vector<uint32_t> best;
};

/// Uses a table over ops, calls and states.
void LoweredCalls::shareBest(const Part &part, std::vector<uint32_t> &owners,
                             std::vector<Ways> &ways) const {
  SharingTable table(*this, part);
  SharingTable::Cell cell = {0, 0, kFresh};
  while (cell.op < table.numOps && cell.unit < table.numUnits) {
    uint32_t value = table.at(cell);
    if (value != 0 && table.take(cell) == value) {
      owners[part.opBegin + cell.op] = part.firstUnit + cell.unit;
      cell = table.goOn(cell);
    } else if (table.at({cell.op, cell.unit + 1, kFresh}) == value) {
      cell = {cell.op, cell.unit + 1, kFresh};
    } else {
      cell = table.leave(cell);
    }
  }
  addWays(table, ways);
}

/// A step is in one of the best distributions if the best values before and
/// after it add up, with it, to the best of all.
void LoweredCalls::addWays(SharingTable &table, std::vector<Ways> &ways) const {
  using Cell = SharingTable::Cell;
  constexpr uint32_t kUnreached = kNone;
  uint32_t most = table.at({0, 0, kFresh});
  // Best values of everything before an op, by call and state.
  std::vector<uint32_t> before((size_t(table.numUnits) + 1) * kStates,
                               kUnreached);
  std::vector<uint32_t> next = before;
  before[0] = 0;
  auto reach = [](uint32_t &sum, uint32_t value) {
    if (sum == kUnreached || sum < value)
      sum = value;
  };
  for (uint32_t op = 0; op < table.numOps; ++op) {
    std::fill(next.begin(), next.end(), kUnreached);
    for (uint32_t unit = 0; unit < table.numUnits; ++unit)
      for (unsigned state = 0; state < kStates; ++state) {
        Cell cell = {op, unit, state};
        uint32_t sum = before[SharingTable::getColumn(cell)];
        if (sum == kUnreached)
          continue;
        Ways &way = ways[table.part.firstUnit + unit];
        reach(before[SharingTable::getColumn({op, unit + 1, kFresh})], sum);
        if (state != kHasOwn && sum + table.at({op, unit + 1, kFresh}) == most)
          way.mayBeNone = true;
        reach(next[SharingTable::getColumn(table.leave(cell))], sum);
        uint32_t value = table.getValue(cell);
        if (value == 0)
          continue;
        reach(next[SharingTable::getColumn(table.goOn(cell))], sum + value);
        uint32_t place = table.part.opBegin + op;
        if (sum + table.take(cell) == most && table.isOwn(cell) &&
            (way.ops.empty() || way.ops.back() != place))
          way.ops.push_back(place);
      }
    before.swap(next);
  }
}

/// A call that may be in several runs shares them: its own work there, and the
/// ops of no call.
void LoweredCalls::addAmbiguous(llvm::ArrayRef<Ways> ways,
                                std::vector<Share> &shares) const {
  std::vector<char> isTaken(ops.size());
  for (const Ways &way : ways)
    for (uint32_t op : way.ops)
      isTaken[op] = 1;
  for (auto [way, share] : llvm::zip_equal(ways, shares)) {
    std::vector<uint32_t> found;
    for (uint32_t op : way.ops)
      if (found.empty() || found.back() != ops[op].run)
        found.push_back(ops[op].run);
    if (found.size() == 1 && way.mayBeNone && !share.ops.empty()) {
      share = Share();
      share.reason = "another call fits its ops equally well";
    }
    if (found.size() < 2)
      continue;
    share.isAmbiguous = true;
    share.run = found.front();
    share.ops.clear();
    if (found.size() > EquallyGood::kMost) {
      share = Share();
      share.reason =
          "more places fit this call equally well than are shared (" +
          std::to_string(EquallyGood::kMost) + ")";
      continue;
    }
    for (uint32_t run : found)
      for (uint32_t op = begins[run]; op < begins[run + 1]; ++op)
        if (!isTaken[op] || llvm::binary_search(way.ops, op))
          share.ops.push_back(ops[op].op);
  }
}

//===----------------------------------------------------------------------===//
// Modules beyond the limits
//===----------------------------------------------------------------------===//

uint64_t LoweredCalls::countCells(const Part &part) const {
  return (uint64_t(part.opEnd - part.opBegin) + 1) * (part.units.size() + 1) *
         kStates;
}

/// For each call an op that identifies it, or kNone; both in order.
std::vector<uint32_t>
LoweredCalls::findAnchors(llvm::ArrayRef<Unit> units) const {
  // Ops that are not own work of any call would only separate the others.
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
/// different runs, each as large as allowed. A part that cannot be split may
/// exceed that.
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
