//===- Compact.cpp - Compacting a profile ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Compact.h"
#include "RunFolder.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Profile/StoredModule.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Whether `a` and `b` are folded into one run. If the processor is unknown,
/// the name distinguishes machines.
static bool isOneGroup(const Run &a, const Run &b) {
  auto groupOf = [](const Run &run) {
    const Machine &m = run.machine;
    return std::tie(run.producer.format, run.samplePeriodPs, m.cpu, m.features,
                    m.threads, m.os);
  };
  return groupOf(a) == groupOf(b) &&
         isOfStoredModule(a) == isOfStoredModule(b) &&
         (!a.machine.cpu.empty() || a.machine.host == b.machine.host);
}

static OpKey makeOtherKey() {
  return OpKey(kOtherOps.str(), kOtherOpsKernel.str(), GraphNodeKey());
}

static bool isOther(const OpKey &key) {
  return key.is<GraphNodeKey>() && key.op == kOtherOps &&
         key.kernel == kOtherOpsKernel;
}

/// For each of `weights` its own number, or `other` if it is not among the
/// `top` largest; `isLess` breaks ties. An existing "other" entry stays so.
static std::vector<uint32_t>
chooseTop(llvm::ArrayRef<int64_t> weights, uint64_t top, uint32_t other,
          llvm::function_ref<bool(uint32_t, uint32_t)> isLess,
          llvm::function_ref<bool(uint32_t)> isOtherAlready) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i != weights.size(); ++i)
    if (!isOtherAlready(i))
      order.push_back(i);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : isLess(a, b);
  });
  std::vector<uint32_t> kept(weights.size(), other);
  for (size_t i = 0; i != order.size() && i < top; ++i)
    kept[order[i]] = order[i];
  return kept;
}

/// Finds or adds `value`.
template <typename T, typename IsWanted>
static uint32_t findOrAdd(std::vector<T> &values, T value, IsWanted isWanted) {
  auto it = llvm::find_if(values, isWanted);
  if (it == values.end())
    it = values.insert(values.end(), std::move(value));
  return uint32_t(it - values.begin());
}

/// The replacement of each op key.
static std::vector<uint32_t> chooseOps(Profile &profile, uint64_t top) {
  uint32_t other = findOrAdd(profile.opKeys, makeOtherKey(), isOther);
  std::vector<int64_t> times(profile.opKeys.size());
  for (const Run &run : profile.runs)
    for (const OpSummary &op : run.ops)
      times[op.op] = saturatingAdd(times[op.op], op.getTimePs());
  return chooseTop(
      times, top, other,
      [&](uint32_t a, uint32_t b) {
        return OpKeyLess()(profile.opKeys[a], profile.opKeys[b]);
      },
      [&](uint32_t i) { return isOther(profile.opKeys[i]); });
}

/// The replacement of each event name.
static std::vector<uint32_t> chooseNames(Profile &profile, uint64_t top) {
  auto isWanted = [](const std::string &name) { return name == kOtherEvents; };
  uint32_t other = findOrAdd(profile.strings, kOtherEvents.str(), isWanted);
  std::vector<int64_t> times(profile.strings.size());
  for (const Run &run : profile.runs)
    for (const EventSummary &event : run.events)
      times[event.name] = saturatingAdd(times[event.name], event.self.sum);
  return chooseTop(
      times, top, other,
      [&](uint32_t a, uint32_t b) {
        return profile.strings[a] < profile.strings[b];
      },
      [&](uint32_t i) { return isWanted(profile.strings[i]); });
}

static std::vector<uint32_t> keepAll(size_t size) {
  std::vector<uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

/// Begins of `run` in ps from the earliest anchor of its group.
static void moveClock(Run &run, int64_t anchorNs) {
  __int128 shift = (__int128(run.clock.anchorNs) - anchorNs) * 1000;
  int64_t shiftPs = int64_t(std::min<__int128>(shift, INT64_MAX));
  for (OpSummary &op : run.ops)
    op.firstBeginPs = saturatingAdd(op.firstBeginPs, shiftPs);
}

/// Folds `members` in order.
static Run foldGroup(llvm::MutableArrayRef<Run *> members,
                     llvm::ArrayRef<uint32_t> names,
                     llvm::ArrayRef<uint32_t> ops) {
  int64_t earliest = INT64_MAX;
  bool areAnchored = true;
  for (const Run *run : members) {
    areAnchored &= run->clock.hasAnchor;
    earliest = std::min(earliest, run->clock.anchorNs);
  }
  RunFolder folder(names, ops);
  for (Run *run : members) {
    if (areAnchored)
      moveClock(*run, earliest);
    folder.add(*run);
  }
  return folder.take();
}

/// The runs to fold together, sorted by hash.
static std::vector<std::vector<Run *>> getGroups(Profile &profile) {
  std::vector<Run *> runs;
  for (Run &run : profile.runs)
    runs.push_back(&run);
  llvm::sort(runs,
             [](const Run *a, const Run *b) { return a->hash < b->hash; });
  std::vector<std::vector<Run *>> groups;
  for (Run *run : runs) {
    auto it = llvm::find_if(groups, [&](const std::vector<Run *> &group) {
      return isOneGroup(*group.front(), *run);
    });
    if (it == groups.end())
      it = groups.insert(it, std::vector<Run *>());
    it->push_back(run);
  }
  return groups;
}

/// The result must not depend on the order of the old tables.
static void sortByNumber(Run &run) {
  llvm::sort(run.ops, [](const OpSummary &a, const OpSummary &b) {
    return a.op < b.op;
  });
  llvm::sort(run.events, [](const EventSummary &a, const EventSummary &b) {
    return std::tie(a.track, a.name) < std::tie(b.track, b.name);
  });
}

llvm::Expected<Profile> profile::compactProfile(Profile profile,
                                                const CompactOptions &options) {
  if (llvm::Error error = checkMergeable(profile, "profile"))
    return std::move(error);
  uint64_t top = options.top.value_or(0);
  std::vector<uint32_t> names =
      options.top ? chooseNames(profile, top) : keepAll(profile.strings.size());
  std::vector<uint32_t> ops =
      options.top ? chooseOps(profile, top) : keepAll(profile.opKeys.size());
  std::vector<Run> folded;
  RunTables tables;
  for (std::vector<Run *> &group : getGroups(profile)) {
    folded.push_back(foldGroup(group, names, ops));
    tables.addUsed(profile.strings, profile.opKeys, folded.back());
  }
  Renumbering numbers = tables.store(profile);
  profile.runs = std::move(folded);
  profile.minor = Profile::kMinor;
  for (Run &run : profile.runs) {
    numbers.apply(run);
    sortByNumber(run);
    run.hash =
        contentHash(getCanonicalForm(profile.strings, profile.opKeys, run));
  }
  llvm::sort(profile.runs,
             [](const Run &a, const Run &b) { return a.hash < b.hash; });
  return std::move(profile);
}
