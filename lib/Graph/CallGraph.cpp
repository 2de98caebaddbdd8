//===- CallGraph.cpp - Call graphs from the nesting of events -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CallGraph.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// A function on one path of callers.
struct Call {
  /// The caller's call, or kNone.
  uint32_t caller = kNone;
  uint32_t name = 0;
  uint32_t cluster = 0;
  uint64_t count = 0;
  int64_t firstPs = 0;
  int64_t inclusivePs = 0;
  int64_t calleesPs = 0;
};

class CallTreeBuilder {
public:
  explicit CallTreeBuilder(const Profile &profile) : profile(profile) {}

  void addRun(uint32_t run, llvm::ArrayRef<uint32_t> events);
  CallGraph finish();

private:
  struct OpenEvent {
    int64_t endPs;
    uint32_t call;
  };
  /// A track's cluster and its open events.
  struct TrackState {
    uint32_t cluster = kNoCluster;
    std::vector<OpenEvent> stack;
  };

  void addEvent(const EventColumns &kept, uint32_t event, TrackState &track);
  uint32_t addCluster(uint32_t run, uint32_t track);
  uint32_t findCall(uint32_t cluster, uint32_t caller, uint32_t name);
  void sortCallees();
  void addTree(uint32_t root);
  void addNode(uint32_t call, uint32_t caller);

  const Profile &profile;
  std::vector<Call> calls;
  /// By caller (or cluster, for root calls) and name.
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  /// The callees of each call, the longest first; root calls come last.
  std::vector<uint32_t> callees, calleeBegin;
  CallGraph result;
};

} // namespace

uint32_t CallTreeBuilder::addCluster(uint32_t run, uint32_t track) {
  const TrackInfo &info = profile.runs[run].tracks[track];
  std::string name = info.plane;
  llvm::StringRef own = getTrackName(info);
  if (!own.empty())
    name += (name.empty() ? "" : " / ") + own.str();
  if (name.empty())
    name = "track " + std::to_string(info.id);
  if (profile.runs.size() > 1)
    name += " (run " + std::to_string(run) + ")";
  Cluster cluster;
  cluster.name = std::move(name);
  result.graph.clusters.push_back(std::move(cluster));
  return uint32_t(result.graph.clusters.size() - 1);
}

uint32_t CallTreeBuilder::findCall(uint32_t cluster, uint32_t caller,
                                   uint32_t name) {
  uint64_t place = caller == kNone ? (uint64_t(cluster) + 1) << 32 : caller;
  auto [entry, inserted] =
      numbers.try_emplace({place, name}, uint32_t(calls.size()));
  if (inserted) {
    Call call;
    call.caller = caller;
    call.name = name;
    call.cluster = cluster;
    calls.push_back(call);
  }
  return entry->second;
}

void CallTreeBuilder::addEvent(const EventColumns &kept, uint32_t event,
                               TrackState &track) {
  int64_t begin = kept.beginPs[event];
  int64_t duration = std::max<int64_t>(kept.durationPs[event], 0);
  int64_t end = saturatingAdd(begin, duration);
  std::vector<OpenEvent> &stack = track.stack;
  while (!stack.empty() && stack.back().endPs <= begin)
    stack.pop_back();
  for (; !stack.empty() && stack.back().endPs < end; stack.pop_back())
    ++result.partialOverlaps;
  uint32_t caller = stack.empty() ? kNone : stack.back().call;
  uint32_t number = findCall(track.cluster, caller, kept.name[event]);
  Call &call = calls[number];
  if (call.count++ == 0)
    call.firstPs = begin;
  call.inclusivePs = saturatingAdd(call.inclusivePs, duration);
  if (caller != kNone)
    calls[caller].calleesPs = saturatingAdd(calls[caller].calleesPs, duration);
  stack.push_back({end, number});
}

void CallTreeBuilder::addRun(uint32_t number, llvm::ArrayRef<uint32_t> events) {
  const Run &run = profile.runs[number];
  std::vector<TrackState> tracks(run.tracks.size());
  for (uint32_t event : events) {
    uint32_t track = run.kept.track[event];
    if (track >= tracks.size())
      continue;
    if (tracks[track].cluster == kNoCluster)
      tracks[track].cluster = addCluster(number, track);
    addEvent(run.kept, event, tracks[track]);
  }
}

void CallTreeBuilder::sortCallees() {
  std::vector<uint32_t> callers;
  uint32_t count = uint32_t(calls.size());
  for (const Call &call : calls)
    callers.push_back(call.caller == kNone ? count : call.caller);
  groupIndices(callers, count + 1, calleeBegin, callees);
  for (uint32_t caller = 0; caller <= count; ++caller)
    std::sort(callees.begin() + calleeBegin[caller],
              callees.begin() + calleeBegin[caller + 1],
              [&](uint32_t a, uint32_t b) {
                int64_t x = calls[a].inclusivePs, y = calls[b].inclusivePs;
                return x != y ? x > y : a < b;
              });
}

void CallTreeBuilder::addNode(uint32_t number, uint32_t caller) {
  const Call &call = calls[number];
  Node node;
  node.id = uint32_t(result.graph.nodes.size());
  if (call.name < profile.strings.size())
    node.name = profile.strings[call.name];
  node.beginPs = call.firstPs;
  node.durationPs = saturatingSub(call.inclusivePs, call.calleesPs);
  node.measured = true;
  node.cluster = call.cluster;
  node.calls = call.count;
  node.inclusivePs = call.inclusivePs;
  if (caller != kNone)
    result.graph.edges.push_back({caller, node.id});
  result.graph.nodes.push_back(std::move(node));
}

/// Adds a call and all its callees, callers first.
void CallTreeBuilder::addTree(uint32_t root) {
  struct Task {
    uint32_t call;
    /// Node of the caller.
    uint32_t caller;
  };
  std::vector<Task> tasks = {{root, kNone}};
  while (!tasks.empty()) {
    Task task = tasks.back();
    tasks.pop_back();
    addNode(task.call, task.caller);
    uint32_t node = result.graph.nodes.back().id;
    for (uint32_t i = calleeBegin[task.call + 1]; i-- > calleeBegin[task.call];)
      tasks.push_back({callees[i], node});
  }
}

CallGraph CallTreeBuilder::finish() {
  sortCallees();
  for (uint32_t i = calleeBegin[calls.size()]; i < callees.size(); ++i)
    addTree(callees[i]);
  return std::move(result);
}

llvm::Expected<CallGraph> graph::buildCallGraph(const Profile &profile,
                                                const EventOptions &options) {
  if (profile.runs.empty())
    return inputError(options.where, "does not contain a run",
                      "Import a recording.");
  CallTreeBuilder builder(profile);
  uint64_t empty = llvm::count_if(
      profile.runs, [](const Run &run) { return run.kept.empty(); });
  for (uint32_t run = 0; run < profile.runs.size(); ++run) {
    if (profile.runs[run].kept.empty() && empty < profile.runs.size())
      continue;
    auto events = selectEvents(profile, profile.runs[run], options);
    if (!events)
      return events.takeError();
    builder.addRun(run, *events);
  }
  CallGraph result = builder.finish();
  result.emptyRuns = empty;
  result.graph.kind = GraphKind::Calls;
  result.graph.name = profile.runs.front().source;
  if (options.step)
    result.graph.name += ", step " + std::to_string(*options.step);
  return std::move(result);
}
