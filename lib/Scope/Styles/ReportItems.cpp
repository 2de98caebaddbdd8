//===- ReportItems.cpp - The rows of Paddle's first report ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportItems.h"
#include "../Calls.h"
#include "Text.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::style;

/// The names of Special scopes around a row are cut off after so many bytes.
static constexpr size_t kMostPrefixBytes = 1024;

/// So many texts between percent signs of a name are replaced.
static constexpr unsigned kMostNumbers = 64;

namespace {

/// An item while they are found.
struct Draft {
  ReportItem item;
  uint32_t parent = kNoScope;
};

class ItemMaker {
public:
  ItemMaker(bool mergesThreads, ReportTime time)
      : mergesThreads(mergesThreads), time(time) {}
  void add(const Recording &recording, int64_t offsetPs);
  void addStatistics(const Recording &recording);
  std::vector<ReportList> take();

private:
  uint32_t getDraft(uint32_t parent, uint32_t list, const std::string &name);
  void findDeviceTimes();
  uint32_t getItem(uint32_t event);
  std::string makeName(uint32_t event);
  uint32_t addPrefix(uint32_t around, const std::string &name);
  std::string numberNames(const std::string &name);
  void addCall(ReportItem &item, const Call &call, uint32_t event,
               int64_t offsetPs);

  bool mergesThreads;
  ReportTime time;
  std::vector<Draft> drafts;
  /// By parent, list and name.
  std::map<std::tuple<uint32_t, uint32_t, std::string>, uint32_t> itemOfKey;
  /// Names of Special scopes, each with a slash; and where they are.
  std::vector<std::string> prefixes = {""};
  std::unordered_map<std::string, uint32_t> numberOfPrefix;
  /// List of each draft.
  std::vector<uint32_t> listOf;
  uint32_t lists = 0;
  /// The texts between percent signs by what is before them.
  std::map<std::string, std::unordered_map<std::string, size_t>> uniqueNames;

  // These belong to the recording that is added.
  const Recording *recording = nullptr;
  std::vector<uint32_t> listOfThread;
  std::vector<uint32_t> itemOfEvent;
  std::vector<int64_t> devicePs;
  /// For Special scopes whose row is left out: the index of their names and
  /// those around them, as the rows in them have it.
  std::vector<uint32_t> prefixOf;
};

} // namespace

static const Site &getSite(const Recording &recording, uint32_t event) {
  return recording.sites[recording.events[event].site];
}

/// Adds the times of scopes of devices to all host scopes around them.
void ItemMaker::findDeviceTimes() {
  const std::vector<ScopeEvent> &events = recording->events;
  devicePs.assign(events.size(), 0);
  // Inner scopes first: those that no other one waits for.
  std::vector<int64_t> inside(events.size());
  std::vector<uint32_t> left(events.size());
  std::vector<uint32_t> ready;
  for (const ScopeEvent &event : events)
    if (event.parent != kNoScope)
      ++left[event.parent];
  for (uint32_t index = 0; index != events.size(); ++index)
    if (!left[index])
      ready.push_back(index);
  while (!ready.empty()) {
    uint32_t index = ready.back();
    ready.pop_back();
    const ScopeEvent &event = events[index];
    int64_t work = inside[index];
    if (recording->threads[event.thread].isDevice)
      trace::addSaturating(work, event.getDurationPs());
    else
      trace::addSaturating(devicePs[event.first], work);
    if (event.parent == kNoScope)
      continue;
    trace::addSaturating(inside[event.parent], work);
    if (!--left[event.parent])
      ready.push_back(event.parent);
  }
}

/// Replaces each text between two percent signs by its number among those that
/// follow the same text.
std::string ItemMaker::numberNames(const std::string &name) {
  std::string made;
  size_t at = 0;
  for (unsigned numbers = 0;; ++numbers) {
    size_t begin = name.find('%', at);
    size_t end = begin == std::string::npos ? begin : name.find('%', begin + 1);
    if (end == std::string::npos || numbers == kMostNumbers)
      return made + name.substr(at);
    made += name.substr(at, begin - at);
    auto &known = uniqueNames[made];
    size_t next = known.size();
    made += std::to_string(
        known.try_emplace(name.substr(begin + 1, end - begin - 1), next)
            .first->second);
    at = end + 1;
  }
}

std::string ItemMaker::makeName(uint32_t event) {
  const Site &site = getSite(*recording, event);
  uint32_t parent = recording->events[event].parent;
  if (site.role == uint8_t(ScopeRole::UniqueOp))
    return numberNames(site.name);
  if (site.role == uint8_t(ScopeRole::InnerOp) && parent != kNoScope)
    return getSite(*recording, parent).name + "/" + site.name;
  return site.name;
}

/// The number of the prefix `around` with `name`; of itself if it is full.
uint32_t ItemMaker::addPrefix(uint32_t around, const std::string &name) {
  if (prefixes[around].size() >= kMostPrefixBytes)
    return around;
  std::string text = prefixes[around] + name;
  text.resize(std::min(text.size(), kMostPrefixBytes));
  text += '/';
  auto [it, isNew] =
      numberOfPrefix.try_emplace(std::move(text), uint32_t(prefixes.size()));
  if (isNew)
    prefixes.push_back(it->first);
  return it->second;
}

uint32_t ItemMaker::getDraft(uint32_t parent, uint32_t list,
                             const std::string &name) {
  auto [place, isNew] =
      itemOfKey.try_emplace({parent, list, name}, uint32_t(drafts.size()));
  if (isNew) {
    Draft &draft = drafts.emplace_back();
    draft.parent = parent;
    draft.item.name = name;
    draft.item.depth = parent == kNoScope ? 0 : drafts[parent].item.depth + 1;
    listOf.push_back(list);
  }
  return place->second;
}

/// The item of a host event, made with those around it.
uint32_t ItemMaker::getItem(uint32_t event) {
  const std::vector<ScopeEvent> &events = recording->events;
  std::vector<uint32_t> path;
  auto isPlaced = [&](uint32_t at) { return itemOfEvent[at] != kNoScope - 1; };
  // Around a scope is all of another one, not the part in which it began.
  auto getParent = [&](uint32_t at) {
    uint32_t parent = events[at].parent;
    return parent == kNoScope ? parent : events[parent].first;
  };
  for (uint32_t at = event;
       at != kNoScope && !isPlaced(at) && path.size() <= events.size();
       at = getParent(at))
    path.push_back(at);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    uint32_t at = *it;
    const ScopeEvent &of = events[at];
    uint32_t around = getParent(at);
    uint32_t parent =
        around != kNoScope && isPlaced(around) ? itemOfEvent[around] : kNoScope;
    // A linked scope is on another thread: a root of its list there.
    uint32_t list = mergesThreads ? 0 : listOfThread[of.thread];
    if (parent != kNoScope && listOf[parent] != list)
      parent = kNoScope;
    if (parent != kNoScope && drafts[parent].item.depth == kDeepest)
      parent = drafts[parent].parent;
    uint32_t prefix = around == kNoScope ? 0 : prefixOf[around];
    if (!mergesThreads &&
        getSite(*recording, at).role == uint8_t(ScopeRole::Special)) {
      itemOfEvent[at] = parent;
      prefixOf[at] = addPrefix(prefix, getSite(*recording, at).name);
      continue;
    }
    itemOfEvent[at] = getDraft(parent, list, prefixes[prefix] + makeName(at));
  }
  return itemOfEvent[event];
}

void ItemMaker::addCall(ReportItem &item, const Call &call, uint32_t event,
                        int64_t offsetPs) {
  double host = double(call.durationPs) / 1e9;
  double device = double(devicePs[event]) / 1e9;
  double all = time == ReportTime::Host     ? host
               : time == ReportTime::Device ? device
                                            : host + device;
  int64_t endPs = trace::saturatingAdd(call.endPs, offsetPs);
  item.min = item.calls ? std::min(item.min, all) : all;
  item.max = item.calls ? std::max(item.max, all) : all;
  uint32_t thread = listOfThread[recording->events[event].thread];
  if (!item.calls || thread > item.newestThread) {
    item.newestThread = thread;
    item.firstEndPs = endPs;
  } else if (thread == item.newestThread) {
    item.firstEndPs = std::min(item.firstEndPs, endPs);
  }
  ++item.calls;
  item.total += all;
  item.host += host;
  item.device += device;
}

void ItemMaker::add(const Recording &of, int64_t offsetPs) {
  recording = &of;
  const std::vector<ScopeEvent> &events = of.events;
  Calls calls(of);
  auto isHost = [&](uint32_t event) {
    return !of.threads[events[event].thread].isDevice;
  };
  // Numbers of threads are dense: those of calls, and of scopes around them.
  std::vector<char> isUsed(of.threads.size()), isSeen(events.size());
  for (uint32_t event = 0; event != events.size(); ++event) {
    if (!isHost(event) || !calls.isFirst(event) || calls.get(event).isOpen)
      continue;
    for (uint32_t at = event; at != kNoScope && !isSeen[at];) {
      isSeen[at] = true;
      isUsed[events[at].thread] = true;
      uint32_t parent = events[at].parent;
      at = parent == kNoScope ? parent : events[parent].first;
    }
  }
  listOfThread.assign(of.threads.size(), 0);
  for (size_t thread = 0; thread != isUsed.size(); ++thread)
    if (isUsed[thread])
      listOfThread[thread] = lists++;
  itemOfEvent.assign(events.size(), kNoScope - 1);
  prefixOf.assign(events.size(), 0);
  findDeviceTimes();
  for (uint32_t event = 0; event != events.size(); ++event) {
    if (!isHost(event) || !calls.isFirst(event))
      continue;
    Call call = calls.get(event);
    if (call.isOpen)
      continue;
    bool isHidden = !mergesThreads &&
                    getSite(of, event).role == uint8_t(ScopeRole::Special);
    uint32_t item = getItem(event);
    if (!isHidden)
      addCall(drafts[item].item, call, event, offsetPs);
  }
}

/// Adds an item of each name: statistics do not know paths, nor devices.
void ItemMaker::addStatistics(const Recording &of) {
  TableOptions options;
  options.mergesThreads = false;
  std::map<uint32_t, uint32_t> numberOfThread;
  std::vector<TableRow> rows = makeStatisticsTable(of, options);
  for (const TableRow &row : rows)
    numberOfThread[row.thread];
  for (auto &[thread, list] : numberOfThread)
    list = lists++;
  for (const TableRow &row : rows) {
    bool isSpecial = row.role == uint8_t(ScopeRole::Special);
    if (!mergesThreads && isSpecial)
      continue;
    bool isUnique = row.role == uint8_t(ScopeRole::UniqueOp);
    uint32_t list = mergesThreads ? 0 : numberOfThread[row.thread];
    ReportItem &item =
        drafts[getDraft(kNoScope, list,
                        isUnique ? numberNames(row.name) : row.name)]
            .item;
    bool hasTime = time != ReportTime::Device;
    double min = hasTime ? double(row.minPs) / 1e9 : 0;
    double total = hasTime ? double(row.rawTotalPs) / 1e9 : 0;
    item.min = item.calls ? std::min(item.min, min) : min;
    item.max = std::max(item.max, hasTime ? double(row.maxPs) / 1e9 : 0);
    item.calls += row.calls;
    item.total += total;
    item.inside += hasTime ? total - double(row.rawSelfPs) / 1e9 : 0;
    item.host += double(row.rawTotalPs) / 1e9;
  }
}

/// Drops items without calls, whose scopes are all open, and lifts what is
/// below them.
static void addItem(std::vector<ReportItem> &to, ReportItem item) {
  if (item.calls) {
    to.push_back(std::move(item));
    return;
  }
  for (ReportItem &child : item.children)
    to.push_back(std::move(child));
}

static void setDepth(std::vector<ReportItem> &items, uint32_t depth) {
  for (ReportItem &item : items) {
    item.depth = depth;
    setDepth(item.children, depth + 1);
  }
}

std::vector<ReportList> ItemMaker::take() {
  std::vector<ReportList> made(mergesThreads ? 1 : lists);
  // Children were made after their parents.
  for (size_t index = drafts.size(); index--;) {
    Draft &draft = drafts[index];
    std::reverse(draft.item.children.begin(), draft.item.children.end());
    if (draft.parent != kNoScope) {
      addItem(drafts[draft.parent].item.children, std::move(draft.item));
      continue;
    }
    addItem(made[mergesThreads ? 0 : listOf[index]].roots,
            std::move(draft.item));
  }
  for (size_t index = 0; index != made.size(); ++index) {
    ReportList &list = made[index];
    std::reverse(list.roots.begin(), list.roots.end());
    setDepth(list.roots, 0);
    for (ReportItem &root : list.roots) {
      list.total += root.total - root.inside;
      if (!mergesThreads)
        root.name = "thread" + std::to_string(index) + "::" + root.name;
    }
  }
  std::reverse(made.begin(), made.end());
  return made;
}

std::vector<ReportList> style::makeReportLists(const Recordings &recordings,
                                               bool mergesThreads,
                                               ReportTime time) {
  ItemMaker maker(mergesThreads, time);
  for (const Recording *recording : recordings) {
    if (hasOnlyStatistics(*recording)) {
      maker.addStatistics(*recording);
      continue;
    }
    int64_t offsetNs = trace::saturatingSub(recording->clock.anchorNs,
                                            recordings[0]->clock.anchorNs);
    maker.add(*recording, trace::saturatingMul(offsetNs, 1000));
  }
  return maker.take();
}
