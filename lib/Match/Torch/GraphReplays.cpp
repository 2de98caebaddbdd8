//===- GraphReplays.cpp - Replayed graphs of work to ops ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphReplays.h"
#include "../SequenceAlign.h"
#include "KernelNames.h"
#include "mlir-prof/Profile/CallCounts.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

std::vector<GraphReplay> match::findReplays(const Profile &profile) {
  // Everything but the kernel and its position.
  using Place = std::tuple<std::string, std::vector<std::string>,
                           std::vector<std::string>, CallPhase>;
  std::map<Place, std::map<uint32_t, uint32_t>> graphs;
  for (uint32_t key = 0; key < profile.opKeys.size(); ++key) {
    const OpKey &opKey = profile.opKeys[key];
    const auto *call = opKey.getIf<FrameworkCallKey>();
    if (!call || opKey.work == DeviceWork::None || call->ordinal == kNone ||
        !StringRef(opKey.op).contains("GraphLaunch"))
      continue;
    Place place(opKey.op, call->scope, call->callers, call->phase);
    graphs[place].try_emplace(call->ordinal, key);
  }
  std::vector<GraphReplay> replays;
  for (const auto &[place, keys] : graphs) {
    GraphReplay &replay = replays.emplace_back();
    for (auto [ordinal, key] : keys)
      replay.push_back(key);
  }
  return replays;
}

//===----------------------------------------------------------------------===//
// Work without an op of its own
//===----------------------------------------------------------------------===//

/// Work that prepares another piece belongs to the op of the next one, and any
/// other to that of the last one.
static void fillGaps(const Profile &profile, const GraphReplay &replay,
                     std::vector<Match> &matches,
                     const std::vector<char> &has) {
  auto take = [&](size_t to, size_t from) {
    matches[to] = matches[from];
    matches[to].tier = MatchTier::Neighborhood;
    matches[to].reason = "work of a graph next to that of its op";
  };
  for (size_t i = 0; i != replay.size(); ++i) {
    if (has[i])
      continue;
    size_t next = i + 1, last = i;
    while (next < replay.size() && !has[next])
      ++next;
    while (last != 0 && !has[last])
      --last;
    KernelName name(profile.opKeys[replay[i]].kernel);
    bool isBefore = name.isPreparation() && next < replay.size();
    if (isBefore || !has[last]) {
      if (next < replay.size())
        take(i, next);
    } else {
      take(i, last);
    }
  }
}

//===----------------------------------------------------------------------===//
// Compiled models
//===----------------------------------------------------------------------===//

/// The name of the call that launches such a kernel; "" for kernels that belong
/// to the call of another one.
std::string ReplayMatcher::getCallName(StringRef kernel) const {
  if (!getFusedNames(kernel).empty())
    return kernel.str();
  KernelName name(kernel);
  if (name.isContinuation() || name.isPreparation())
    return "";
  static const StringRef layers[] = {"linear", "addmm", "mm"};
  static const StringRef products[] = {"matmul", "bmm", "baddbmm", "mm"};
  auto isKnown = [&](StringRef op) {
    return llvm::any_of(moduleCalls, [&](const ModuleCall &call) {
      return getPlainName(call.name) == op;
    });
  };
  if (name.isProduct()) {
    bool isPlain = name.getLayout() == ProductLayout::Plain;
    llvm::ArrayRef<StringRef> first(layers), second(products);
    if (isPlain)
      std::swap(first, second);
    for (llvm::ArrayRef<StringRef> ops : {first, second})
      for (StringRef op : ops)
        if (isKnown(op))
          return "aten::" + op.str();
  }
  for (const ModuleCall &call : moduleCalls)
    if (name.mayCompute(getPlainName(call.name)))
      return call.name;
  return "";
}

std::vector<Match> ReplayMatcher::matchCompiled(const GraphReplay &replay,
                                                MatchCalls matchCalls) const {
  Profile calls;
  Run &run = calls.runs.emplace_back();
  std::vector<uint32_t> keyOf(replay.size(), kNone);
  for (size_t i = 0; i != replay.size(); ++i) {
    std::string name = getCallName(profile.opKeys[replay[i]].kernel);
    if (name.empty())
      continue;
    FrameworkCallKey call;
    call.ordinal = uint32_t(i);
    keyOf[i] = uint32_t(calls.opKeys.size());
    calls.opKeys.emplace_back(std::move(name), "", std::move(call));
    OpSummary summary;
    summary.op = keyOf[i];
    summary.firstBeginPs = int64_t(i);
    run.ops.push_back(summary);
  }
  std::vector<Match> found = matchCalls(calls);
  std::vector<Match> matches(replay.size());
  std::vector<char> has(replay.size());
  for (size_t i = 0; i != replay.size(); ++i)
    if (keyOf[i] != kNone) {
      matches[i] = found[keyOf[i]];
      has[i] = 1;
    }
  fillGaps(profile, replay, matches, has);
  return matches;
}

//===----------------------------------------------------------------------===//
// Models run op by op
//===----------------------------------------------------------------------===//

uint32_t ReplayMatcher::getScore(StringRef kernel,
                                 const ModuleCall &call) const {
  KernelName name(kernel);
  StringRef op = getPlainName(call.name);
  if (!name.mayCompute(op))
    return 0;
  // A copy may also prepare another op.
  if (name.isPreparation())
    return 8;
  if (!name.isProduct() || name.getLayout() == ProductLayout::Unknown)
    return 16;
  bool isLayer = op == "linear" || op == "addmm";
  bool isTransposed = name.getLayout() == ProductLayout::Transposed;
  return isLayer == isTransposed ? 18 : 16;
}

std::vector<Match> ReplayMatcher::matchEager(const GraphReplay &replay) const {
  std::vector<uint32_t> pairs = align(
      uint32_t(replay.size()), uint32_t(moduleCalls.size()),
      [&](uint32_t work, uint32_t call) {
        return getScore(profile.opKeys[replay[work]].kernel, moduleCalls[call]);
      });
  std::vector<Match> matches(replay.size());
  std::vector<char> has(replay.size());
  for (size_t i = 0; i != replay.size(); ++i) {
    if (pairs[i] == kNone)
      continue;
    const ModuleCall &call = moduleCalls[pairs[i]];
    Match &match = matches[i];
    match.names = {call.name};
    match.ops = call.ops;
    match.matchClass = MatchClass::Unique;
    match.tier = MatchTier::ExecutionOrder;
    match.reason = "by name and order among the work of a graph";
    has[i] = 1;
  }
  // Names that hardly ever agree are not those of this module.
  if (2 * size_t(llvm::count(has, 1)) >= replay.size())
    fillGaps(profile, replay, matches, has);
  else
    matches.assign(replay.size(), Match());
  return matches;
}

std::vector<Match> ReplayMatcher::match(const GraphReplay &replay,
                                        MatchCalls matchCalls) const {
  bool isCompiled = llvm::any_of(replay, [&](uint32_t key) {
    return !getFusedNames(profile.opKeys[key].kernel).empty();
  });
  return isCompiled ? matchCompiled(replay, matchCalls) : matchEager(replay);
}
