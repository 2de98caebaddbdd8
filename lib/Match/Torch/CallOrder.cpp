//===- CallOrder.cpp - Aligning a framework's calls by order --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of CallMatcher that aligns the calls of a model, or of a step, with
// those of the module.
//
//===----------------------------------------------------------------------===//

#include "../MatchBuilder.h"
#include "../SequenceAlign.h"
#include "CallMatcher.h"
#include "CompiledCalls.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Whether shapes agree as far as both are known.
static bool agree(llvm::ArrayRef<std::vector<int64_t>> recorded,
                  llvm::ArrayRef<std::vector<int64_t>> module) {
  if (recorded.size() != module.size())
    return false;
  for (auto [a, b] : llvm::zip_equal(recorded, module)) {
    if (a.size() != b.size())
      return false;
    for (auto [x, y] : llvm::zip_equal(a, b))
      if (x != y && x >= 0 && y >= 0)
        return false;
  }
  return true;
}

/// Whether the call's shapes were recorded and differ from the module's.
bool CallMatcher::areContrary(uint32_t unit, uint32_t call) const {
  return !calls[unit].shapes.empty() &&
         !agree(calls[unit].shapes, moduleCalls[call].shapes);
}

/// Shapes weigh more than the functions around a call; both weigh less than
/// finding a place at all.
uint32_t CallMatcher::getScore(uint32_t unit, uint32_t call) const {
  const ModuleCall &module = moduleCalls[call];
  const std::string &op = calls.getKey(unit).op;
  if (op != module.name) {
    // Exported programs are functional: "relu_" is "relu" there.
    StringRef functional = op;
    if (!functional.consume_back("_") || functional != module.name)
      return 0;
  }
  if (knowsShapes && areContrary(unit, call))
    return 0;
  return 16 + 2 * agree(calls[unit].shapes, module.shapes) +
         mayBeAround(calls[unit].frames, module.frames);
}

std::vector<uint32_t>
CallMatcher::pairUp(llvm::ArrayRef<uint32_t> units,
                    std::vector<EquallyGood> *equallyGood) const {
  return align(
      uint32_t(units.size()), uint32_t(moduleCalls.size()),
      [&](uint32_t unit, uint32_t call) { return getScore(units[unit], call); },
      equallyGood);
}

/// The number of parts that can be found in the module.
size_t CallMatcher::countParts() const {
  return isLowered ? lowered->getNumOps() : moduleCalls.size();
}

CallMatcher::Attempt
CallMatcher::tryAlign(llvm::ArrayRef<uint32_t> roots) const {
  Attempt attempt;
  attempt.units = calls.getUnits(roots, moduleNames);
  llvm::erase_if(attempt.units,
                 [&](uint32_t unit) { return casts.test(unit); });
  if (isLowered) {
    // Kernels belong to several calls, and cannot be assigned to ops.
    llvm::erase_if(attempt.units, [&](uint32_t unit) {
      return !getFusedNames(calls.getKey(unit).op).empty();
    });
    attempt.shares = lowered->share(attempt.units, /*knowsPlaces=*/!isCompiled);
    for (const LoweredCalls::Share &share : attempt.shares) {
      attempt.found += share.numOwn;
      attempt.pairs.push_back(share.run);
    }
    return attempt;
  }
  attempt.pairs = pairUp(attempt.units, /*equallyGood=*/nullptr);
  attempt.found = attempt.countPaired();
  return attempt;
}

CallMatcher::Attempt
CallMatcher::findModel(llvm::ArrayRef<uint32_t> all) const {
  std::map<std::string, std::vector<uint32_t>> byModule;
  for (uint32_t root : all)
    if (const auto &scope = calls.getCall(root).scope; !scope.empty())
      byModule[scope.front()].push_back(root);
  // The model is the outermost module with most of the module's calls; or all
  // of the step, with the loss and the backward pass.
  std::vector<std::vector<uint32_t>> models;
  for (auto &[module, roots] : byModule)
    models.push_back(std::move(roots));
  // Similar calls outside of the model, and in a backward pass that the module
  // may lack, must not take its place.
  std::vector<uint32_t> forward(all.begin(), all.end());
  llvm::erase_if(forward, [&](uint32_t root) {
    return calls.getCall(root).phase == CallPhase::Backward;
  });
  for (const std::vector<uint32_t> &roots : {forward, all.vec()})
    if (!llvm::is_contained(models, roots))
      models.push_back(roots);
  Attempt best;
  for (llvm::ArrayRef<uint32_t> roots : models) {
    if (best.found == countParts())
      break;
    Attempt attempt = tryAlign(roots);
    // If nothing is found, at least the limits of the search are reported.
    if (attempt.found > best.found || (best.found == 0 && attempt.isLimited()))
      best = std::move(attempt);
  }
  return best;
}

/// Whether the share of `a` in `wholeA` is larger than that of `b` in `wholeB`.
static bool isMore(size_t a, size_t wholeA, size_t b, size_t wholeB) {
  return double(a) * double(wholeB) > double(b) * double(wholeA);
}

/// torch-mlir's default decompositions turn a call into several ops, mostly
/// with other names. If names match little of such a module, its calls are
/// matched by place and work, if that matches more on both sides.
void CallMatcher::tryLowered(llvm::ArrayRef<uint32_t> all, Attempt &best) {
  size_t parts = countParts();
  if (10 * best.found >= 9 * parts)
    return;
  std::vector<ModuleCall> named = std::move(moduleCalls);
  setModuleCalls(findLoweredCalls(index, named), /*areLowered=*/true);
  Attempt attempt = findModel(all);
  bool findsMore =
      best.found == 0
          ? attempt.found != 0
          : isMore(attempt.found, countParts(), best.found, parts) &&
                isMore(attempt.countPaired(), attempt.units.size(),
                       best.countPaired(), best.units.size());
  if (findsMore)
    best = std::move(attempt);
  else
    setModuleCalls(std::move(named), /*areLowered=*/false);
}

void CallMatcher::matchInOrder() {
  // For example, a later call with other shapes must not be aligned again.
  llvm::StringSet<> places;
  std::vector<uint32_t> all;
  for (uint32_t root : calls.getRoots()) {
    const FrameworkCallKey &call = calls.getCall(root);
    if (isDone[calls[root].key] || call.phase == CallPhase::Optimizer)
      continue;
    if (call.ordinal != kNone &&
        !places.insert(getPlace(calls.getKey(root))).second)
      continue;
    all.push_back(root);
  }
  if (isCompiled && !isLowered) {
    CompiledCalls compiled(calls, moduleCalls, moduleNames);
    for (uint32_t unit : calls.getUnits(all, moduleNames))
      if (std::optional<Match> match = compiled.match(unit))
        give(unit, *match);
    return;
  }
  Attempt best = findModel(all);
  if (!isLowered)
    tryLowered(all, best);
  if (isLowered)
    keepLowered(best);
  else
    keep(best);
}

MatchTier CallMatcher::getTier(const Attempt &attempt, uint32_t unit) const {
  const RecordedCall &call = calls[attempt.units[unit]];
  const std::string &name = calls.getKey(attempt.units[unit]).op;
  unsigned recorded = 0, recordedAlike = 0, inModule = 0, inModuleAlike = 0;
  // In long models, a second similar one is seldom far.
  for (uint32_t other : attempt.units) {
    if (calls.getKey(other).op != name)
      continue;
    ++recorded;
    if (calls[other].shapes == call.shapes && ++recordedAlike > 1)
      return MatchTier::ExecutionOrder;
  }
  for (const ModuleCall &other : moduleCalls) {
    if (other.name != name)
      continue;
    ++inModule;
    if (agree(call.shapes, other.shapes) && ++inModuleAlike > 1)
      return MatchTier::ExecutionOrder;
  }
  if (recorded == 1 && inModule == 1)
    return MatchTier::Opcode;
  if (recordedAlike == 1 && inModuleAlike == 1)
    return MatchTier::Shape;
  return MatchTier::ExecutionOrder;
}

/// Recordings without shapes, or with another batch than the exported one, do
/// not share any with the module. If most agree, one that does not is evidence.
bool CallMatcher::doShapesCount(const Attempt &attempt) const {
  size_t sameShapes = 0;
  for (auto [unit, call] : llvm::zip_equal(attempt.units, attempt.pairs))
    sameShapes +=
        call != kNone && agree(calls[unit].shapes, moduleCalls[call].shapes);
  return 2 * sameShapes > attempt.countPaired();
}

/// Pairs ops that changed places: calls left open by order whose name and
/// shapes are unique on both sides.
void CallMatcher::pairByShapes(Attempt &attempt) const {
  std::vector<char> isTaken(moduleCalls.size());
  for (const EquallyGood &good : attempt.equallyGood)
    for (uint32_t call : good.right)
      isTaken[call] = 1;
  for (uint32_t i = 0; i < attempt.units.size(); ++i) {
    uint32_t unit = attempt.units[i];
    if (!attempt.equallyGood[i].right.empty() || calls[unit].shapes.empty() ||
        getTier(attempt, i) == MatchTier::ExecutionOrder)
      continue;
    for (uint32_t call = 0; call < moduleCalls.size(); ++call)
      if (!isTaken[call] && getScore(unit, call)) {
        attempt.pairs[i] = call;
        attempt.equallyGood[i].right.push_back(call);
        isTaken[call] = 1;
        break;
      }
  }
}

/// Calls that fit several ops equally well share them; a call that fits an op
/// as well as another call does, and no other op, may not have one.
Match CallMatcher::getMatch(const Attempt &attempt, uint32_t unit) const {
  const EquallyGood &good = attempt.equallyGood[unit];
  Match none;
  if (good.isCut)
    none.reason = "more ops fit this call equally well than are shared (" +
                  std::to_string(EquallyGood::kMost) + ")";
  else if (good.right.size() == 1 && good.mayBeNone)
    none.reason = "another call fits its op equally well";
  if (!none.reason.empty())
    return none;
  MatchBuilder builder;
  const std::string &name = moduleCalls[good.right.front()].name;
  builder.addName(name);
  std::vector<uint32_t> ops;
  for (uint32_t call : good.right)
    llvm::append_range(ops, moduleCalls[call].ops);
  builder.addOps(name, ops, getTier(attempt, unit));
  return builder.build("");
}

void CallMatcher::keep(Attempt &attempt) {
  knowsShapes = doShapesCount(attempt);
  std::vector<uint32_t> byName = std::move(attempt.pairs);
  attempt.pairs = pairUp(attempt.units, &attempt.equallyGood);
  if (knowsShapes)
    pairByShapes(attempt);
  for (uint32_t i = 0; i < attempt.units.size(); ++i) {
    uint32_t unit = attempt.units[i];
    if (attempt.pairs[i] != kNone || !attempt.equallyGood[i].right.empty()) {
      give(unit, getMatch(attempt, i));
    } else if (byName[i] != kNone && knowsShapes &&
               areContrary(unit, byName[i])) {
      Match none;
      none.reason = "the op in its place has other shapes";
      give(unit, none);
    }
  }
}

/// Drops ops that only prepare memory if there are others.
static std::vector<uint32_t> dropIdle(const ModuleIndex &index,
                                      llvm::ArrayRef<uint32_t> ops) {
  std::vector<uint32_t> kept;
  for (uint32_t op : ops)
    if (doesWork(index[op].op))
      kept.push_back(op);
  return kept.empty() ? ops.vec() : kept;
}

Match CallMatcher::getLoweredMatch(uint32_t unit,
                                   const LoweredCalls::Share &share) const {
  Match match;
  match.names = {calls.getKey(unit).op};
  bool hasShare = !share.ops.empty();
  match.ops =
      dropIdle(index, hasShare ? share.ops : moduleCalls[share.run].ops);
  match.matchClass = match.ops.size() == 1            ? MatchClass::Unique
                     : hasShare && !share.isAmbiguous ? MatchClass::Fused
                                                      : MatchClass::Ambiguous;
  match.tier = MatchTier::ExecutionOrder;
  return match;
}

/// A call whose work is gone may be any op of its line.
void CallMatcher::keepLowered(const Attempt &attempt) {
  for (auto [unit, share] : llvm::zip_equal(attempt.units, attempt.shares))
    if (share.run != kNone) {
      give(unit, getLoweredMatch(unit, share));
    } else if (!share.reason.empty()) {
      Match none;
      none.reason = share.reason;
      give(unit, none);
    }
}
