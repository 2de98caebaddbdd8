//===- OverlapGraph.cpp - Levels of events by overlap in time -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/OverlapGraph.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

std::vector<uint32_t> graph::computeOverlapLevels(Intervals intervals) {
  std::vector<uint32_t> levels;
  uint32_t level = 0;
  // Intervals are sorted by begin, so an interval overlaps all of a level
  // exactly if it begins before the first of them ends, and has a duration.
  int64_t firstEnd = 0;
  for (auto [begin, duration] :
       llvm::zip_equal(intervals.beginPs, intervals.durationPs)) {
    int64_t end = saturatingAdd(begin, std::max<int64_t>(duration, 0));
    bool joins = !levels.empty() && begin < firstEnd && begin < end;
    if (!joins && !levels.empty())
      ++level;
    firstEnd = joins ? std::min(firstEnd, end) : end;
    levels.push_back(level);
  }
  return levels;
}

static Node makeNode(const Profile &profile, const Run &run, uint32_t event,
                     uint32_t id) {
  Node node;
  node.id = id;
  uint32_t name = run.kept.name[event];
  if (name < profile.strings.size())
    node.name = profile.strings[name];
  node.beginPs = run.kept.beginPs[event];
  node.durationPs = run.kept.durationPs[event];
  node.measured = true;
  uint32_t track = run.kept.track[event];
  if (track < run.tracks.size()) {
    const TrackInfo &info = run.tracks[track];
    node.detail = getTrackName(info).str();
    node.tooltip = info.plane + " / " + node.detail;
  }
  return node;
}

static void connectLevels(Graph &graph, uint32_t begin, uint32_t middle,
                          uint32_t end) {
  constexpr uint64_t kEachWithEach = 256;
  auto ending = [&](uint32_t node) {
    return saturatingAdd(graph.nodes[node].beginPs,
                         graph.nodes[node].durationPs);
  };
  uint64_t pairs = uint64_t(middle - begin) * (end - middle);
  uint32_t last = begin;
  for (uint32_t from = begin; from < middle; ++from)
    last = ending(from) > ending(last) ? from : last;
  for (uint32_t from = begin; from < middle; ++from)
    for (uint32_t to = middle; to < end; ++to) {
      if (pairs > kEachWithEach && from != last && to != middle)
        break;
      graph.edges.push_back({from, to});
    }
}

llvm::Expected<Graph> graph::buildOverlapGraph(const Profile &profile,
                                               uint32_t runIndex,
                                               const EventOptions &options) {
  if (runIndex >= profile.runs.size())
    return inputError(options.where, "there is no run " + llvm::Twine(runIndex),
                      "It has " + formatCount(profile.runs.size(), "run") +
                          ", numbered from 0.");
  const Run &run = profile.runs[runIndex];
  auto selection = selectEvents(profile, run, options);
  if (!selection)
    return selection.takeError();

  Graph graph;
  graph.kind = GraphKind::Overlap;
  graph.name = run.source;
  if (options.step)
    graph.name += ", step " + std::to_string(*options.step);
  std::vector<int64_t> begins, durations;
  for (auto [id, event] : llvm::enumerate(*selection)) {
    graph.nodes.push_back(makeNode(profile, run, event, uint32_t(id)));
    begins.push_back(run.kept.beginPs[event]);
    durations.push_back(run.kept.durationPs[event]);
  }
  std::vector<uint32_t> levels = computeOverlapLevels({begins, durations});
  uint32_t before = 0, begin = 0;
  for (uint32_t node = 1; node <= levels.size(); ++node) {
    if (node < levels.size() && levels[node] == levels[node - 1])
      continue;
    if (begin > before)
      connectLevels(graph, before, begin, node);
    before = begin;
    begin = node;
  }
  return graph;
}
