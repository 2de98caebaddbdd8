//===- Units.cpp - The units of a diff ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "HloStructure.h"
#include "Stalls.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Profile/HloFinder.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::diff;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// With fewer executions, the quickest one is random.
static constexpr uint64_t kFew = 8;

void RunValue::add(const RunValue &other) {
  sumPs = saturatingAdd(sumPs, other.sumPs);
  steadyPs += other.steadyPs;
  variance += other.variance;
  steadyVariance += other.steadyVariance;
  quickPs += other.quickPs;
  quickVariance += other.quickVariance;
  calmPs += other.calmPs;
}

void Unit::add(const Unit &other) {
  members += other.members;
  for (size_t i = 0; i != perRun.size(); ++i)
    perRun[i].add(other.perRun[i]);
  sumPs = saturatingAdd(sumPs, other.sumPs);
  isUnknown |= other.isUnknown;
  isSampled |= other.isSampled;
  isEven |= other.isEven;
  hasQuick &= other.hasQuick;
}

int64_t diff::getValue(const OpSummary &op, DiffQuantity quantity) {
  switch (quantity) {
  case DiffQuantity::Time:
  case DiffQuantity::Counts:
    return op.getTimePs();
  case DiffQuantity::Cycles:
    return op.getSum(Quantity::Cycles);
  case DiffQuantity::Samples:
    return op.getSum(Quantity::Samples);
  }
  return 0;
}

/// The summary whose scatter represents that of getValue: times of events until
/// the end of their asynchronous work, if there is any, else their own.
static const Summary *findScatter(const OpSummary &op, DiffQuantity quantity) {
  if (quantity == DiffQuantity::Cycles || quantity == DiffQuantity::Samples)
    return op.find(quantity == DiffQuantity::Cycles ? Quantity::Cycles
                                                    : Quantity::Samples);
  for (Quantity wanted : {Quantity::Bounded, Quantity::Self, Quantity::Execute})
    if (const Summary *summary = op.find(wanted))
      return summary;
  return nullptr;
}

namespace {

/// Collects the units of one side.
class Collector {
public:
  Collector(const DiffSide &side, DiffQuantity quantity);
  std::vector<Unit> collect();

private:
  /// A part of the time of a measured op.
  struct Owner {
    uint32_t unit;
    uint64_t weight;
  };

  uint32_t addUnit();
  uint32_t getOpUnit(uint32_t op);
  void describeKey(const OpKey &key, Unit &unit);
  std::string hashKey(const OpKey &key);
  std::vector<Owner> makeOwners(uint32_t key);
  void chargeRun(const Run &run, size_t number);
  void charge(Unit &unit, size_t number, int64_t partPs, double share,
              const Summary *summary, const Summary *steady, bool isSampled);

  const DiffSide &side;
  const Profile &profile;
  DiffQuantity quantity;
  HloFinder instructions;
  std::vector<Unit> units;
  /// Unit of an op of the module, kNone before one is created.
  std::vector<uint32_t> unitOfOp;
  /// By op key.
  std::vector<std::vector<Owner>> owners;
};

} // namespace

Collector::Collector(const DiffSide &side, DiffQuantity quantity)
    : side(side), profile(side.profile), quantity(quantity),
      instructions(side.profile.hloModules) {
  if (side.ownership)
    unitOfOp.resize(side.ownership->ops.size(), kNone);
}

uint32_t Collector::addUnit() {
  Unit &unit = units.emplace_back();
  unit.keys.resize(kTiers);
  unit.perRun.resize(profile.runs.size());
  return uint32_t(units.size()) - 1;
}

uint32_t Collector::getOpUnit(uint32_t op) {
  if (unitOfOp[op] != kNone)
    return unitOfOp[op];
  uint32_t number = unitOfOp[op] = addUnit();
  Unit &unit = units[number];
  const MlirOp &described = side.ownership->ops[op];
  unit.op = described.op;
  unit.name = described.path.empty() ? described.location : described.path;
  if (!side.aligned.empty()) {
    AlignedOp aligned =
        op < side.aligned.size() ? side.aligned[op] : AlignedOp();
    if (aligned.group != kNone)
      unit.keys[kWhole] = {"op " + std::to_string(aligned.group),
                           aligned.match};
    return number;
  }
  auto setKey = [&](Tier tier, const std::string &text) {
    if (!text.empty())
      unit.keys[tier].text = described.op + "\n" + text;
  };
  setKey(kWhole, described.path);
  // Lines shift when a file is edited, so they have the last tier.
  setKey(kName, described.location);
  return number;
}

/// Structure of the HLO instruction of `key`, or "".
std::string Collector::hashKey(const OpKey &key) {
  HloFinder::Found found = instructions.find(key);
  return found ? hashStructure(*found.index, found.instruction) : "";
}

/// Calls of a framework repeat from run to run: a call is identified by the
/// module calls and ops around it, its shapes and phase, and its position among
/// equal ones.
static void describeCall(const OpKey &key, const KeyTraits &call, Unit &unit) {
  std::string scope = getKeyScope(key);
  std::string around = scope + "\n" + llvm::join(call.callers, "/") + "\n" +
                       call.graphNode.str() + "\n";
  std::string what = key.op + "\n" + key.kernel + "\n" +
                     (call.shapes ? call.shapes->print() : "") + "\n" +
                     std::to_string(int(call.phase));
  unit.name = scope.empty() ? key.op : scope + "/" + key.op;
  unit.keys[kWhole].text =
      "call\n" + around + what + "\n" + std::to_string(call.ordinal);
  unit.keys[kInPlace].text = "call\n" + around + what;
  unit.keys[kAlone] = {"call\n" + what, DiffMatch::Structure};
  unit.keys[kName].text = "call\n" + scope + "\n" + key.op;
}

void Collector::describeKey(const OpKey &key, Unit &unit) {
  unit.op = key.kernel;
  KeyTraits traits = getKeyTraits(key);
  if (traits.isCall)
    return describeCall(key, traits, unit);
  std::string kind = "key " + std::to_string(key.details.index()) + "\n";
  std::string structure = hashKey(key);
  // Fingerprints of programs and numbers of instructions are specific to a
  // build.
  std::string module = isOfProgram(key) ? "" : traits.module.value_or("").str();
  std::string op = key.op;
  if (uint32_t instance = getInstance(key); instance != kNone)
    op += " in dispatch " + std::to_string(instance);
  unit.name = module.empty() ? op : module + "/" + op;
  std::string name = module + "\n" + op;
  std::string program =
      traits.programId ? std::to_string(*traits.programId) : "";
  unit.keys[kWhole].text =
      kind + program + "\n" + name + "\n" + key.kernel + "\n" + structure;
  unit.keys[kInPlace].text = kind + name + "\n" + key.kernel + "\n" + structure;
  if (!structure.empty())
    unit.keys[kAlone] = {kind + structure, DiffMatch::Structure};
  unit.keys[kName].text = kind + name;
}

/// The owners of the time under an op key. Its own unit if no op of the module
/// owns it.
std::vector<Collector::Owner> Collector::makeOwners(uint32_t key) {
  std::vector<Owner> result;
  if (side.ownership && key < side.ownership->matches.size()) {
    const Match &match = side.ownership->matches[key];
    bool isOwned = match.matchClass != MatchClass::Unmatched;
    for (size_t i = 0; isOwned && i != match.ops.size(); ++i)
      if (match.ops[i] < unitOfOp.size())
        result.push_back({getOpUnit(match.ops[i]),
                          i < match.weights.size() ? match.weights[i] : 0});
  }
  if (!result.empty())
    return result;
  uint32_t unit = addUnit();
  describeKey(profile.opKeys[key], units[unit]);
  return {{unit, 1}};
}

/// Adds `partPs` of the time under an op key, `share` of its sum. `steady` is
/// `summary` without stalls, if known.
void Collector::charge(Unit &unit, size_t number, int64_t partPs, double share,
                       const Summary *summary, const Summary *steady,
                       bool isSampled) {
  RunValue value;
  value.sumPs = partPs;
  value.steadyPs = double(partPs);
  unit.isSampled |= isSampled;
  bool isKnown = summary && !summary->saturated &&
                 (isSampled || summary->count >= 2 || summary->sum == 0);
  unit.isUnknown |= !isKnown;
  bool isEven = isKnown && !isSampled && summary->count >= 2 &&
                summary->max - 1 <= summary->min;
  unit.isEven |= isEven;
  bool hasQuick = isKnown && !isSampled && !isEven && summary->count >= kFew;
  unit.hasQuick &= hasQuick || partPs == 0;
  if (isKnown && isSampled) {
    value.variance = share * share * double(summary->sumSquares);
  } else if (isKnown) {
    Moments all = getMoments(*summary);
    Moments calm =
        steady ? getMoments(*steady) : getMomentsWithoutStalls(*summary);
    double scale = share * double(summary->count);
    double together = std::max(1.0, double(summary->count) / kIndependent);
    if (all.mean > 0)
      value.steadyPs *= std::min(1.0, calm.mean / all.mean);
    value.variance = scale * scale * all.variance * together;
    value.steadyVariance = scale * scale * calm.variance * together;
    if (hasQuick && all.mean > 0) {
      Quickest quickest = getQuickest(*summary, calm);
      double times = double(partPs) / all.mean;
      // A few executions may consist of stalls only.
      auto count = double(summary->count);
      double few = (calm.mean - quickest.value) / count *
                   std::max(0.0, 1 - count / kIndependent);
      double deviation = std::max(quickest.deviation, few);
      value.quickPs = times * quickest.value;
      value.quickVariance = times * times * deviation * deviation;
    }
  }
  value.calmPs = value.quickPs > 0 ? value.quickPs : value.steadyPs;
  unit.perRun[number].add(value);
  unit.sumPs = saturatingAdd(unit.sumPs, partPs);
}

void Collector::chargeRun(const Run &run, size_t number) {
  bool isSampled = run.samplePeriodPs != 0 || quantity == DiffQuantity::Samples;
  for (const OpSummary &op : run.ops) {
    if (op.measurements.empty())
      continue;
    std::vector<Owner> &of = owners[op.op];
    if (of.empty())
      of = makeOwners(op.op);
    llvm::SmallVector<uint64_t> weights;
    double total = 0;
    for (const Owner &owner : of) {
      weights.push_back(owner.weight);
      total += double(owner.weight);
    }
    std::vector<int64_t> parts = splitExactly(getValue(op, quantity), weights);
    const Summary *summary = findScatter(op, quantity);
    const Summary *steady = nullptr;
    if (summary && summary == op.find(Quantity::Self))
      steady = op.find(Quantity::SteadySelf);
    for (size_t i = 0; i != of.size(); ++i)
      charge(units[of[i].unit], number, parts[i],
             total > 0 ? double(of[i].weight) / total : 1.0 / double(of.size()),
             summary, steady, isSampled);
  }
}

std::vector<Unit> Collector::collect() {
  owners.resize(profile.opKeys.size());
  // An op without time is present all the same: it has not disappeared.
  for (uint32_t op = 0; op != unitOfOp.size(); ++op)
    getOpUnit(op);
  for (size_t i = 0; i != profile.runs.size(); ++i)
    chargeRun(profile.runs[i], i);
  return std::move(units);
}

std::vector<Unit> diff::collectUnits(const DiffSide &side,
                                     DiffQuantity quantity) {
  return Collector(side, quantity).collect();
}
