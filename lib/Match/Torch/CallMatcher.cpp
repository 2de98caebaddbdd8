//===- CallMatcher.cpp - A framework's calls to ops -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallMatcher.h"
#include "../MatchBuilder.h"
#include "../Matchers.h"
#include "../SequenceAlign.h"
#include "BackwardCalls.h"
#include "Casts.h"
#include "CompiledCalls.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

CallMatcher::CallMatcher(const ModuleIndex &index, const Profile &profile)
    : index(index), profile(profile), calls(profile),
      matches(profile.opKeys.size()), isDone(profile.opKeys.size()) {
  std::vector<GraphReplay> replays = findReplays(profile);
  if (calls.empty() && replays.empty()) {
    explainRest();
    return;
  }
  for (uint32_t call = 0; call < calls.size() && !isCompiled; ++call)
    isCompiled = !getFusedNames(calls.getKey(call).op).empty();
  setModuleCalls(findTorchCalls(index), /*areLowered=*/false);
  if (moduleCalls.empty())
    setModuleCalls(findLoweredCalls(index, {}), /*areLowered=*/true);
  matchByGraphNode();
  leaveCasts();
  matchInOrder();
  copyToRepetitions();
  matchBackward();
  copyToDevices();
  if (!isLowered)
    matchReplays(replays);
  explainRest();
}

void CallMatcher::setModuleCalls(std::vector<ModuleCall> found,
                                 bool areLowered) {
  moduleCalls = std::move(found);
  isLowered = areLowered;
  lowered.reset();
  if (isLowered)
    lowered.emplace(index, moduleCalls, calls);
  moduleNames.clear();
  for (const ModuleCall &call : moduleCalls)
    moduleNames.insert(call.name);
}

void CallMatcher::give(uint32_t unit, const Match &match) {
  std::vector<uint32_t> tree;
  calls.addTree(unit, tree);
  for (uint32_t call : tree) {
    uint32_t key = calls[call].key;
    // A call that is matched by its node may have a caller that is not.
    if (isDone[key])
      continue;
    matches[key] = match;
    isDone[key] = 1;
  }
}

//===----------------------------------------------------------------------===//
// By the node that the recording names
//===----------------------------------------------------------------------===//

void CallMatcher::matchByGraphNode() {
  for (uint32_t key = 0; key < profile.opKeys.size(); ++key) {
    const OpKey &opKey = profile.opKeys[key];
    const auto *call = opKey.getIf<FrameworkCallKey>();
    if (!call || call->graphNode.empty())
      continue;
    uint32_t name = index.getLocations().findName(call->graphNode);
    if (name == kNone)
      continue;
    std::vector<uint32_t> ops;
    for (uint32_t op : index.getNamed(name))
      if (isLowered || !getTorchName(index[op].op).empty())
        ops.push_back(op);
    if (ops.empty())
      continue;
    MatchBuilder builder;
    builder.addName(call->graphNode);
    builder.addOps(call->graphNode, ops, MatchTier::LocationPath);
    matches[key] = builder.build("");
    isDone[key] = 1;
  }
}

/// The module does not have casts that depend on how it was run.
void CallMatcher::leaveCasts() {
  casts = findCasts(calls);
  for (unsigned call : casts.set_bits()) {
    uint32_t key = calls[call].key;
    if (isDone[key])
      continue;
    matches[key].reason = "cast by autocast, which the module does not have";
    isDone[key] = 1;
  }
}

//===----------------------------------------------------------------------===//
// Repeated calls
//===----------------------------------------------------------------------===//

void CallMatcher::copyToRepetitions() {
  llvm::StringMap<uint32_t> known;
  for (uint32_t call = 0; call < calls.size(); ++call)
    if (calls.getCall(call).ordinal != kNone && isDone[calls[call].key])
      known.try_emplace(getPlace(calls.getKey(call)), calls[call].key);
  for (uint32_t call = 0; call < calls.size(); ++call) {
    uint32_t key = calls[call].key;
    auto it =
        isDone[key] ? known.end() : known.find(getPlace(calls.getKey(call)));
    if (it == known.end())
      continue;
    matches[key] = matches[it->second];
    isDone[key] = 1;
  }
}

/// A module of the forward pass alone lacks the ops of the backward pass: their
/// time belongs to the ops whose derivatives they are.
void CallMatcher::matchBackward() {
  BackwardCalls backward;
  for (uint32_t call = 0; call < calls.size(); ++call) {
    const OpKey &key = calls.getKey(call);
    if (!isDone[calls[call].key] || casts.test(call))
      continue;
    // The module has both passes, so calls that it left open are not its ops.
    if (calls.getCall(call).phase == CallPhase::Backward)
      return;
    backward.addForward(key, matches[calls[call].key]);
  }
  for (uint32_t call = 0; call < calls.size(); ++call) {
    uint32_t key = calls[call].key;
    bool isOpen = !isDone[key] && !isWrapper(calls.getKey(call).op);
    const Match *match = isOpen ? backward.find(calls.getKey(call)) : nullptr;
    if (!match)
      continue;
    matches[key] = *match;
    isDone[key] = 1;
  }
}

/// Identifies the op that started work on a device.
static std::string getLauncher(const OpKey &key) {
  const auto &call = key.get<FrameworkCallKey>();
  std::string text = getPlace(key) + '\0' + call.shapes.print() + '\0' +
                     call.graphNode + '\0' + std::to_string(call.sequence);
  for (const std::string &module : call.scope)
    text += '\0' + module;
  return text;
}

void CallMatcher::copyToDevices() {
  llvm::StringMap<uint32_t> launchers;
  for (uint32_t call = 0; call < calls.size(); ++call)
    launchers.try_emplace(getLauncher(calls.getKey(call)), calls[call].key);
  for (uint32_t key = 0; key < profile.opKeys.size(); ++key) {
    const OpKey &opKey = profile.opKeys[key];
    if (!opKey.is<FrameworkCallKey>() || opKey.kernel.empty() ||
        opKey.op.empty())
      continue;
    auto it = launchers.find(getLauncher(opKey));
    if (it == launchers.end() || !isDone[it->second])
      continue;
    matches[key] = matches[it->second];
    isDone[key] = 1;
  }
}

void CallMatcher::matchReplays(llvm::ArrayRef<GraphReplay> replays) {
  ReplayMatcher matcher(profile, moduleCalls);
  for (const GraphReplay &replay : replays) {
    std::vector<Match> found =
        matcher.match(replay, [&](const Profile &ofReplay) {
          return std::move(CallMatcher(index, ofReplay).matches);
        });
    for (auto [key, match] : llvm::zip_equal(replay, found)) {
      if (match.ops.empty())
        continue;
      matches[key] = std::move(match);
      isDone[key] = 1;
    }
  }
}

void CallMatcher::explainRest() {
  for (uint32_t key = 0; key < profile.opKeys.size(); ++key) {
    const OpKey &opKey = profile.opKeys[key];
    const auto *call = opKey.getIf<FrameworkCallKey>();
    if (isDone[key] || !call)
      continue;
    Match &match = matches[key];
    if (opKey.op.empty())
      match.reason = "device work that no recorded op started";
    else if (opKey.work != DeviceWork::None &&
             StringRef(opKey.op).contains("GraphLaunch"))
      match.reason = "work of a graph whose ops are not known";
    else if (call->phase == CallPhase::Optimizer)
      match.reason = "part of the optimizer's step";
    else if (call->ordinal == kNone && !StringRef(opKey.op).contains("::"))
      match.reason = "code without a relation to the module";
    else if (isWrapper(opKey.op))
      match.reason = "the framework's own work around ops";
    else if (isLowered && !getFusedNames(opKey.op).empty())
      match.reason = "the names of kernels are those of ops of the torch "
                     "dialect: give the module in that dialect";
    else
      match.reason = "no op of the module at its position";
  }
}

std::unique_ptr<KeyMatcher> matcher::Calls(const MatchContext &context) {
  return std::make_unique<CallMatcher>(context.index, context.profile);
}
