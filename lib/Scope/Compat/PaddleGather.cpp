//===- PaddleGather.cpp - Gathering scopes as Paddle does -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread writes the record of a scope a while after it has read the clock, so
// times do not tell which scopes were gathered before. Hence each copy of the
// recording is compared with the one before. A copy lacks blocks of records
// that were full before the last one, so it does not grow with the recording.
//
//===----------------------------------------------------------------------===//

#include "../Blocks.h"
#include "../Forest.h"
#include "mlir-prof/Runtime/prof_scope.h"
#include "mlir-prof/Scope/Compat/Paddle.h"
#include "mlir-prof/Scope/PaddleProfile.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <pthread.h>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::paddle;

namespace {

/// A scope as its records tell it, in ticks: they are the same in each copy,
/// but not the times that follow from them.
struct Gathered {
  /// By the numbers of the process.
  uint32_t thread;
  uint32_t site;
  uint64_t begin;
  uint64_t end;
  bool isOutside;
  /// Index into the nodes of this copy.
  uint32_t node;

  bool operator<(const Gathered &other) const {
    return std::tie(thread, site, begin, end, isOutside) <
           std::tie(other.thread, other.site, other.begin, other.end,
                    other.isOutside);
  }
};

/// The last copy.
struct GatherState {
  uint64_t process = 0;
  uint32_t session = 0;
  /// Before it was made; older blocks are not copied again.
  prof_scope_moment since = {};
  /// All its scopes that had ended, in order.
  std::vector<Gathered> last;

  bool isOf(const Blocks &blocks) const {
    return process == blocks.process.process &&
           session == blocks.process.block.session;
  }
};

} // namespace

static std::mutex gatherMutex;

/// A child of a process that gathers in another thread may gather, too.
static void guardForks() {
  static auto lock = [] { gatherMutex.lock(); };
  static auto unlock = [] { gatherMutex.unlock(); };
  static const int error = pthread_atfork(lock, unlock, unlock);
  (void)error;
}

/// Reads a copy; false if memory is missing.
static bool readCopy(const prof_scope_moment *since, Blocks &blocks,
                     Clock &clock, std::vector<Node> &nodes) {
  size_t size = 0;
  char *bytes = prof_scope_copy(since, &size);
  if (!bytes)
    return false;
  // Those are told by what reads all of the recording.
  LossList losses;
  Extras extras;
  blocks = Blocks();
  bool isRead = !readBlocks({bytes, size}, blocks, losses) &&
                !readClock({bytes, size}, clock);
  if (isRead)
    nodes = buildForest(blocks, blocks.process.last.ticks, losses, extras);
  prof_scope_free(bytes, size);
  return isRead;
}

/// The scopes of a copy that have ended, in order.
static std::vector<Gathered> findEnded(const Blocks &blocks,
                                       const std::vector<Node> &nodes) {
  std::vector<Gathered> ended;
  for (uint32_t index = 0; index != nodes.size(); ++index) {
    const Node &node = nodes[index];
    if (node.kind != NodeKind::Link && node.isKnown && !node.isOpen)
      ended.push_back({blocks.threads[node.thread].number, node.site,
                       node.begin, node.end, node.isOutside, index});
  }
  std::sort(ended.begin(), ended.end());
  return ended;
}

/// Those of `nodes` that were not in the last copy, in the order of the nodes.
static std::vector<uint32_t> findNew(const std::vector<Gathered> &ended,
                                     const std::vector<Gathered> &last) {
  std::vector<Gathered> fresh;
  std::set_difference(ended.begin(), ended.end(), last.begin(), last.end(),
                      std::back_inserter(fresh));
  std::vector<uint32_t> found;
  for (const Gathered &one : fresh)
    found.push_back(one.node);
  std::sort(found.begin(), found.end());
  return found;
}

static ScopeEvent makeEvent(const Node &node, const Clock &clock) {
  ScopeEvent event;
  event.site = node.site;
  event.thread = node.thread;
  if (node.isOutside) {
    event.beginPs = clock.fromMonotonicNs(int64_t(node.begin));
    event.endPs = trace::saturatingAdd(
        event.beginPs,
        trace::saturatingMul(int64_t(node.end - node.begin), 1000));
  } else {
    event.beginPs = clock.toPs(node.begin);
    event.endPs = clock.toPs(node.end);
  }
  event.endPs = std::max(event.endPs, event.beginPs);
  return event;
}

static HostEventSection<CommonEvent> makeSection(Blocks &blocks,
                                                 const Recording &recording) {
  HostEventSection<CommonEvent> section;
  section.process_id = recording.process;
  EpochNs epoch({&recording});
  LossList losses;
  std::vector<size_t> sectionOf(blocks.threads.size(), ~size_t(0));
  for (const ScopeEvent &event : recording.events) {
    size_t &index = sectionOf[event.thread];
    if (index == ~size_t(0)) {
      index = section.thr_sections.size();
      auto &made = section.thr_sections.emplace_back();
      made.thread_name = blocks.threads[event.thread].name;
      made.thread_id = blocks.threads[event.thread].id;
    }
    const Site &site = blocks.sites[blocks.getSite(event.site, losses)];
    section.thr_sections[index].events.push_back(
        {site.name, epoch.get(recording, event.beginPs),
         epoch.get(recording, event.endPs), EventRole(site.role),
         TracerEventType(site.type), ""});
  }
  return section;
}

HostEventSection<CommonEvent> paddle::GatherHostEvents() {
  static GatherState state;
  guardForks();
  std::lock_guard<std::mutex> guard(gatherMutex);
  prof_scope_moment now;
  prof_scope_now(&now);
  Blocks blocks;
  Recording recording;
  std::vector<Node> nodes;
  if (!readCopy(&state.since, blocks, recording.clock, nodes))
    return {};
  // Blocks of another session may be older, by another clock.
  if (!state.isOf(blocks)) {
    state = GatherState();
    if (!readCopy(nullptr, blocks, recording.clock, nodes))
      return {};
  }
  std::vector<Gathered> ended = findEnded(blocks, nodes);
  for (uint32_t index : findNew(ended, state.last))
    recording.events.push_back(makeEvent(nodes[index], recording.clock));
  recording.process = blocks.process.process;
  state.process = blocks.process.process;
  state.session = blocks.process.block.session;
  state.since = now;
  state.last = std::move(ended);
  return makeSection(blocks, recording);
}
