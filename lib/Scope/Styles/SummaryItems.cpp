//===- SummaryItems.cpp - The rows of Paddle's summary --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryItems.h"
#include "../Calls.h"
#include "Text.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::style;
using trace::addSaturating;

std::string style::getTypeName(uint16_t type) {
  static constexpr const char *kNames[] = {"Operator",
                                           "Dataloader",
                                           "ProfileStep",
                                           "CudaRuntime",
                                           "Kernel",
                                           "Memcpy",
                                           "Memset",
                                           "UserDefined",
                                           "OperatorInner",
                                           "Forward",
                                           "Backward",
                                           "Optimization",
                                           "Communication",
                                           "PythonOp",
                                           "PythonUserDefined",
                                           "DygraphKernelLaunch",
                                           "StaticKernelLaunch",
                                           "Pass",
                                           "Model"};
  if (type < sizeof kNames / sizeof *kNames)
    return kNames[type];
  return "Other";
}

void SummaryTimes::add(int64_t ps, bool isFirst) {
  min = isFirst ? ps : std::min(min, ps);
  max = isFirst ? ps : std::max(max, ps);
  addSaturating(total, ps);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::vector<TimeRange> style::uniteRanges(std::vector<TimeRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const TimeRange &a, const TimeRange &b) {
              return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
            });
  std::vector<TimeRange> united;
  for (const TimeRange &range : ranges) {
    if (united.empty() || range.begin > united.back().end)
      united.push_back(range);
    else
      united.back().end = std::max(united.back().end, range.end);
  }
  return united;
}

int64_t style::sumRanges(const std::vector<TimeRange> &ranges) {
  int64_t sum = 0;
  for (const TimeRange &range : ranges)
    addSaturating(sum, trace::saturatingSub(range.end, range.begin));
  return sum;
}

std::vector<TimeRange> style::intersectRanges(const std::vector<TimeRange> &a,
                                              const std::vector<TimeRange> &b) {
  std::vector<TimeRange> both;
  for (auto itA = a.begin(), itB = b.begin();
       itA != a.end() && itB != b.end();) {
    TimeRange range = {std::max(itA->begin, itB->begin),
                       std::min(itA->end, itB->end)};
    if (range.begin < range.end)
      both.push_back(range);
    ++(itA->end < itB->end ? itA : itB);
  }
  return both;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
class ThreadMaker {
public:
  explicit ThreadMaker(const Recording &recording)
      : recording(recording), calls(recording),
        nodeOf(recording.events.size(), kNoScope),
        depthOf(recording.events.size()) {}
  std::vector<SummaryThread> make();

private:
  bool isHost(uint32_t event) const {
    return !recording.threads[recording.events[event].thread].isDevice;
  }
  /// Whether `first`, a first part, may have work of devices.
  bool isWorkRow(uint32_t first) const {
    return nodeOf[first] != kNoScope &&
           recording.sites[recording.events[first].site].type !=
               uint16_t(ScopeType::CudaRuntime);
  }
  uint32_t findParent(uint32_t event) const;
  void addNode(uint32_t event);
  void attach();
  void addWork();
  void sumWork(SummaryThread &thread);

  const Recording &recording;
  Calls calls;
  /// Indices into the nodes of the thread.
  std::vector<uint32_t> nodeOf;
  std::vector<uint32_t> depthOf;
  std::vector<SummaryThread> threads;
};
} // namespace

void ThreadMaker::addNode(uint32_t index) {
  const ScopeEvent &event = recording.events[index];
  const Site &site = recording.sites[event.site];
  SummaryThread &thread = threads[event.thread];
  nodeOf[index] = uint32_t(thread.nodes.size());
  SummaryNode &node = thread.nodes.emplace_back();
  Call call = calls.get(index);
  node.event = index;
  node.type = ScopeType(site.type);
  node.name = site.name;
  node.isCounted = !call.isOpen;
  node.hostPs = call.durationPs;
}

/// The host scope around `event` on its thread, or kNoScope.
uint32_t ThreadMaker::findParent(uint32_t index) const {
  const ScopeEvent &event = recording.events[index];
  if (event.isLinked || event.parent == kNoScope)
    return kNoScope;
  uint32_t parent = recording.events[event.parent].first;
  if (recording.events[parent].thread != event.thread ||
      nodeOf[parent] == kNoScope)
    return kNoScope;
  return parent;
}

void ThreadMaker::attach() {
  // Parents begin before their children, and end after them.
  std::vector<uint32_t> order;
  for (uint32_t event = 0; event != recording.events.size(); ++event)
    if (nodeOf[event] != kNoScope)
      order.push_back(event);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const ScopeEvent &of = recording.events[a], &other = recording.events[b];
    return std::tie(of.beginPs, other.endPs, b) <
           std::tie(other.beginPs, of.endPs, a);
  });
  for (uint32_t event : order) {
    SummaryThread &thread = threads[recording.events[event].thread];
    uint32_t parent = findParent(event);
    if (parent != kNoScope && depthOf[parent] == kDeepest)
      parent = findParent(parent);
    if (parent == kNoScope) {
      thread.roots.push_back(nodeOf[event]);
      continue;
    }
    depthOf[event] = depthOf[parent] + 1;
    thread.nodes[nodeOf[parent]].children.push_back(nodeOf[event]);
  }
}

/// Hands work of devices to the host scopes that started it. A call of the
/// device's runtime is not a row of its own there.
void ThreadMaker::addWork() {
  // Scopes on the way to one that is a row are looked at once.
  std::vector<bool> isSeen(recording.events.size());
  std::vector<uint32_t> starterOf(recording.events.size(), kNoScope);
  std::vector<uint32_t> path;
  for (uint32_t event = 0; event != recording.events.size(); ++event) {
    if (isHost(event))
      continue;
    uint32_t at = recording.events[event].parent;
    for (; at != kNoScope && !isSeen[at]; at = recording.events[at].parent) {
      isSeen[at] = true;
      path.push_back(at);
      uint32_t first = recording.events[at].first;
      if (isWorkRow(first)) {
        starterOf[at] = first;
        break;
      }
    }
    uint32_t starter = at == kNoScope ? kNoScope : starterOf[at];
    for (; !path.empty(); path.pop_back())
      starterOf[path.back()] = starter;
    if (starter != kNoScope)
      threads[recording.events[starter].thread]
          .nodes[nodeOf[starter]]
          .work.push_back(event);
  }
}

void ThreadMaker::sumWork(SummaryThread &thread) {
  thread.recording = &recording;
  std::vector<uint32_t> stack(thread.roots);
  while (!stack.empty()) {
    uint32_t node = stack.back();
    stack.pop_back();
    thread.order.push_back(node);
    const std::vector<uint32_t> &children = thread.nodes[node].children;
    stack.insert(stack.end(), children.begin(), children.end());
  }
  // Those inside come later in the order.
  for (auto it = thread.order.rbegin(); it != thread.order.rend(); ++it) {
    SummaryNode &node = thread.nodes[*it];
    for (uint32_t event : node.work) {
      int64_t ps = recording.events[event].getDurationPs();
      addSaturating(node.devicePs, ps);
      if (recording.sites[recording.events[event].site].type ==
          uint16_t(ScopeType::Kernel))
        addSaturating(node.kernelsPs, ps);
    }
    for (uint32_t child : node.children) {
      addSaturating(node.devicePs, thread.nodes[child].devicePs);
      addSaturating(node.kernelsPs, thread.nodes[child].kernelsPs);
    }
  }
}

std::vector<SummaryThread> ThreadMaker::make() {
  threads.resize(recording.threads.size());
  for (size_t index = 0; index != threads.size(); ++index)
    threads[index].id = recording.threads[index].id;
  for (uint32_t event = 0; event != recording.events.size(); ++event)
    if (isHost(event) && calls.isFirst(event))
      addNode(event);
  attach();
  addWork();
  for (SummaryThread &thread : threads)
    sumWork(thread);
  auto isEmpty = [](const SummaryThread &thread) {
    return thread.nodes.empty();
  };
  threads.erase(std::remove_if(threads.begin(), threads.end(), isEmpty),
                threads.end());
  std::stable_sort(threads.begin(), threads.end(),
                   [](const SummaryThread &a, const SummaryThread &b) {
                     return a.id < b.id;
                   });
  return std::move(threads);
}

std::vector<SummaryThread>
style::makeSummaryThreads(const Recordings &recordings) {
  std::vector<SummaryThread> all;
  for (const Recording *recording : recordings)
    for (SummaryThread &thread : ThreadMaker(*recording).make())
      all.push_back(std::move(thread));
  return all;
}
