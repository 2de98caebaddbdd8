//===- Forest.cpp - Parents of scopes -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's records are in the order of ends, so a scope's children come
// before it, and lie in deeper slots. Those that wait for a parent form a
// stack: a scope takes what is deeper, and began after it. The exceptions are
// flagged: a scope that ended before one that began in it takes only what was
// directly inside, and one whose parent had ended looks for the last scope in
// the slot below.
//
//===----------------------------------------------------------------------===//

#include "Forest.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// One record with its prefix or continuation.
struct Item {
  uint32_t kind = 0;
  uint32_t flags = 0;
  uint32_t slot = 0;
  uint32_t number = 0;
  uint32_t site = 0;
  uint32_t thread = 0;
  uint64_t begin = 0;
  uint64_t ticks = 0;
};

/// Joins the records of a thread to items.
class ItemReader {
public:
  explicit ItemReader(const ThreadView &thread, LossList &losses)
      : thread(thread), losses(losses) {}

  /// False after the last one.
  bool next(Item &item);

private:
  bool nextWords(prof_scope_record_words &words);
  bool nextPart(uint32_t kind, prof_scope_record_words &words);
  bool finish(const prof_scope_record_words &words, Item &item);

  const ThreadView &thread;
  LossList &losses;
  size_t view = 0;
  /// The place of the next record of the view, and how many are left there.
  uint64_t place = 0;
  uint64_t left = 0;
  bool isIn = false;
  /// A record that is read again.
  std::optional<prof_scope_record_words> again;
};

/// A scope that this thread or another one ended for its owner.
struct Moved {
  uint32_t owner;
  uint32_t number;
  /// Its last 8 bits.
  uint32_t slot;
  uint64_t begin;
  uint64_t end;
  uint32_t site;
  uint32_t flags;
};

class Builder {
public:
  Builder(const Blocks &blocks, uint64_t endTicks, LossList &losses,
          Extras &extras)
      : blocks(blocks), endTicks(endTicks), losses(losses), extras(extras) {}
  std::vector<Node> build();

private:
  void findMoved();
  bool isWhole(const ThreadView &thread) const;
  void readThread(uint32_t index);
  void addOpen(const ThreadView &thread, uint32_t index);
  size_t findChildren(const Node &node, uint32_t slot);
  void add(Node node, uint32_t slot, bool isWhole);
  bool fillMark(Node &node, uint32_t owner, uint32_t slot);
  uint32_t getLast(uint32_t slot) const;
  void setLast(uint32_t slot, uint32_t node);
  void addUnclaimed();
  void link();

  /// Slots from here on are in `deepLast`.
  static constexpr uint32_t kDeep = 1 << 16;

  /// A node without its parent. Those of a thread are in the order of records.
  struct Waiting {
    uint32_t node;
    uint32_t slot;
    /// Whether it may have ended while one that began in it was open.
    bool isOverlapping;
    /// Whether its end is known.
    bool isKnown;
    /// The latest known end of it and of those before it.
    uint64_t latestEnd;
  };

  const Blocks &blocks;
  uint64_t endTicks;
  LossList &losses;
  Extras &extras;
  std::vector<Node> nodes;
  std::vector<Moved> moved;
  /// By the first one of an owner, number and slot: how many are taken.
  std::vector<uint32_t> taken;
  std::vector<bool> isTaken;
  /// Whether no record of the thread is missing.
  bool isComplete = false;
  /// Steps that are left to look for children, far more than needed unless a
  /// file contradicts itself.
  uint64_t budget = 0;
  std::vector<Waiting> waiting;
  /// The last node in each slot of the thread, or kNoScope.
  std::vector<uint32_t> last;
  std::unordered_map<uint32_t, uint32_t> deepLast;
};

} // namespace

bool ItemReader::nextWords(prof_scope_record_words &words) {
  if (again) {
    words = *again;
    again.reset();
    return true;
  }
  while (view != thread.records.size()) {
    const RecordsView &records = thread.records[view];
    if (!isIn) {
      uint64_t first = records.getFirst();
      place = records.capacity ? first % records.capacity : 0;
      left = records.used - first;
      isIn = true;
    }
    if (left) {
      --left;
      words = records.get(place);
      place = place + 1 == records.capacity ? 0 : place + 1;
      return true;
    }
    ++view;
    isIn = false;
  }
  return false;
}

static uint32_t getKind(const prof_scope_record_words &words) {
  return uint32_t(words.first >> PROF_SCOPE_KIND_SHIFT);
}

/// The next record, if it is of `kind`; else leaves it.
bool ItemReader::nextPart(uint32_t kind, prof_scope_record_words &words) {
  if (!nextWords(words))
    return false;
  if (getKind(words) == kind)
    return true;
  again = words;
  return false;
}

/// Reads what belongs to `words`; false if it cannot be an item of its own.
bool ItemReader::finish(const prof_scope_record_words &words, Item &item) {
  prof_scope_record_words more;
  item = Item();
  item.kind = getKind(words);
  item.flags = uint32_t(words.first >> 32) & 0xff;
  item.slot = uint32_t(words.first);
  item.begin = words.first & PROF_SCOPE_TICKS_MASK;
  switch (item.kind) {
  case PROF_SCOPE_KIND_SCOPE:
    item.flags = 0;
    item.slot = uint32_t(words.second) & 0xff;
    item.site = uint32_t(words.second >> 8) & PROF_SCOPE_SITES_MAX;
    item.ticks = words.second >> 32;
    return true;
  case PROF_SCOPE_KIND_PREFIX:
    if (!nextPart(PROF_SCOPE_KIND_PREFIXED, more))
      return false;
    item.kind = PROF_SCOPE_KIND_SCOPE;
    item.number = uint32_t(words.second);
    item.begin = more.first & PROF_SCOPE_TICKS_MASK;
    item.site = uint32_t(more.second >> 8) & PROF_SCOPE_SITES_MAX;
    item.ticks = words.second >> 32 << 32 | more.second >> 32;
    return true;
  case PROF_SCOPE_KIND_MARK:
  case PROF_SCOPE_KIND_LINK:
    item.number = uint32_t(words.second);
    return true;
  case PROF_SCOPE_KIND_MOVED:
    if (!nextPart(PROF_SCOPE_KIND_CONTINUATION, more))
      return false;
    item.number = item.slot;
    item.thread = uint32_t(words.second);
    item.site = uint32_t(words.second >> 32) & PROF_SCOPE_SITES_MAX;
    item.slot = uint32_t(words.second >> 56);
    item.begin = more.first & PROF_SCOPE_TICKS_MASK;
    item.ticks = more.second;
    return true;
  case PROF_SCOPE_KIND_OUTSIDE:
    if (!nextPart(PROF_SCOPE_KIND_CONTINUATION, more))
      return false;
    item.site = item.slot;
    item.ticks = words.second;
    item.begin = more.second;
    return true;
  case PROF_SCOPE_KIND_COUNT:
    item.ticks = words.second;
    return true;
  case PROF_SCOPE_KIND_LAUNCH:
    item.number = item.slot;
    item.thread = item.flags;
    item.ticks = words.second;
    return true;
  default:
    return false;
  }
}

bool ItemReader::next(Item &item) {
  prof_scope_record_words words;
  while (nextWords(words)) {
    if (finish(words, item))
      return true;
    // A ring overwrites the first half of such a pair first.
    losses.add("scope, cut off by a ring");
  }
  return false;
}

static bool hasMoved(const ThreadView &thread) {
  bool found = false;
  for (const RecordsView &records : thread.records)
    records.forEach([&](const prof_scope_record_words &words) {
      found |= words.first >> PROF_SCOPE_KIND_SHIFT == PROF_SCOPE_KIND_MOVED;
    });
  return found;
}

void Builder::findMoved() {
  LossList ignored;
  Item item;
  for (const ThreadView &thread : blocks.threads) {
    if (!hasMoved(thread))
      continue;
    ItemReader items(thread, ignored);
    while (items.next(item))
      if (item.kind == PROF_SCOPE_KIND_MOVED)
        moved.push_back({item.thread, item.number, item.slot, item.begin,
                         item.begin + item.ticks, item.site, item.flags});
  }
  std::stable_sort(
      moved.begin(), moved.end(), [](const Moved &a, const Moved &b) {
        return std::tie(a.owner, a.number, a.slot, a.begin, a.end) <
               std::tie(b.owner, b.number, b.slot, b.begin, b.end);
      });
  isTaken.assign(moved.size(), false);
  taken.assign(moved.size(), 0);
}

/// Completes the mark of a slot by the record of the thread that ended the
/// scope.
bool Builder::fillMark(Node &node, uint32_t owner, uint32_t slot) {
  slot &= 255;
  auto getKey = [](const Moved &of) {
    return std::make_tuple(of.owner, of.number, of.slot);
  };
  auto key = std::make_tuple(owner, node.number, slot);
  auto it =
      std::partition_point(moved.begin(), moved.end(),
                           [&](const Moved &of) { return getKey(of) < key; });
  if (it == moved.end() || getKey(*it) != key)
    return false;
  // Parts of a scope that other threads suspended have one number.
  size_t first = it - moved.begin();
  size_t index = first + taken[first];
  if (index == moved.size() || getKey(moved[index]) != key)
    return false;
  ++taken[first];
  isTaken[index] = true;
  const Moved &of = moved[index];
  node.begin = of.begin;
  node.end = of.end;
  node.site = of.site;
  node.flags |= of.flags | PROF_SCOPE_FLAG_OVERLAP;
  return true;
}

uint32_t Builder::getLast(uint32_t slot) const {
  if (slot < kDeep)
    return slot < last.size() ? last[slot] : kNoScope;
  auto it = deepLast.find(slot);
  return it == deepLast.end() ? kNoScope : it->second;
}

void Builder::setLast(uint32_t slot, uint32_t node) {
  if (slot >= kDeep) {
    deepLast[slot] = node;
    return;
  }
  if (slot >= last.size())
    last.resize(slot + 1, kNoScope);
  last[slot] = node;
}

/// Where the scopes begin that may be children of a node in `slot`: those that
/// wait behind one that is not deeper, but for one that ended too early, ended
/// before it began.
size_t Builder::findChildren(const Node &node, uint32_t slot) {
  bool isAhead = !isComplete;
  size_t from = waiting.size();
  for (; from; --from) {
    const Waiting &of = waiting[from - 1];
    if (of.slot <= slot && !of.isOverlapping)
      break;
    isAhead |= of.isOverlapping;
    if (isAhead && node.isKnown && of.isKnown && of.latestEnd < node.begin)
      break;
    if (!budget) {
      losses.add("scope whose children were not looked for: too many overlap");
      break;
    }
    --budget;
  }
  return from;
}

/// Adds the next node of a thread: gives it to its children, and makes it wait
/// for its parent. `isWhole`: nothing that began in it is still open.
void Builder::add(Node node, uint32_t slot, bool isWhole) {
  uint32_t index = uint32_t(nodes.size());
  // Began within whatever is around its slot.
  if (!node.isKnown)
    node.begin = std::numeric_limits<uint64_t>::max();
  size_t from = findChildren(node, slot), kept = from;
  for (size_t at = from; at != waiting.size(); ++at) {
    const Waiting &of = waiting[at];
    Node &child = nodes[of.node];
    bool isLater = !node.isKnown || child.begin >= node.begin;
    if (of.slot <= slot || !(isWhole || of.slot == slot + 1) ||
        !(isLater || isComplete)) {
      waiting[kept++] = of;
      continue;
    }
    // Slots and the order of ends tell it where no record is missing.
    if (!isLater && child.isKnown)
      losses.add("scope that began before the one around it: the clock went "
                 "back");
    child.parent = index;
  }
  waiting.resize(kept);

  if (node.flags & PROF_SCOPE_FLAG_ORPHAN && slot) {
    node.parent = getLast(slot - 1);
  } else if (slot) {
    uint64_t end = node.isKnown ? node.end : 0;
    if (!waiting.empty())
      end = std::max(end, waiting.back().latestEnd);
    bool isEarly = !isWhole || node.kind == NodeKind::Mark;
    waiting.push_back({index, slot, isEarly, node.isKnown, end});
  }
  setLast(slot, index);
  nodes.push_back(node);
}

/// The scopes that are open at the end, the innermost first.
void Builder::addOpen(const ThreadView &thread, uint32_t index) {
  constexpr uint32_t kEnded = PROF_SCOPE_STATE_DEAD | PROF_SCOPE_STATE_MOVED;
  for (auto it = thread.open.rbegin(); it != thread.open.rend(); ++it) {
    const OpenSlot &open = *it;
    // A process that was killed has written the record, but not popped it; and
    // one that goes on may end a scope while it is copied.
    uint32_t written = getLast(open.slot);
    bool isWritten = written != kNoScope && [&] {
      const Node &node = nodes[written];
      return node.kind == NodeKind::Scope && node.begin == open.begin &&
             node.site == open.site && node.end >= open.begin &&
             (written + 1 == nodes.size() || node.end > open.begin);
    }();
    // MOVED: ended by another thread, without the mark.
    if (isWritten || open.state & PROF_SCOPE_STATE_SKIPPED ||
        (open.state & kEnded) == PROF_SCOPE_STATE_DEAD)
      continue;
    Node node;
    node.thread = index;
    node.site = open.site;
    node.begin = open.begin;
    uint64_t end = endTicks;
    if (thread.endedTicks)
      end = std::min(end, thread.endedTicks);
    node.end = std::max(end, open.begin);
    if (open.state & PROF_SCOPE_STATE_NUMBERED)
      node.number = open.number;
    node.isOpen = true;
    if (open.state & PROF_SCOPE_STATE_RESUMED)
      node.flags |= PROF_SCOPE_FLAG_RESUMED;
    // The record of the one below has been read.
    if (open.slot &&
        (thread.open[open.slot - 1].state & kEnded) == PROF_SCOPE_STATE_DEAD)
      node.flags |= PROF_SCOPE_FLAG_ORPHAN;
    if (open.state & PROF_SCOPE_STATE_LINK) {
      node.kind = NodeKind::Link;
      node.isKnown = false;
    } else if (open.state & PROF_SCOPE_STATE_DEAD) {
      node.kind = NodeKind::Mark;
      node.isOpen = false;
      if (!fillMark(node, thread.number, open.slot))
        continue;
    }
    add(node, open.slot, /*isWhole=*/true);
  }
}

/// Whether every scope of the thread has its record.
bool Builder::isWhole(const ThreadView &thread) const {
  return !thread.isOverwritten() && blocks.process.sample_every <= 1 &&
         !blocks.process.losses[PROF_SCOPE_LOSS_MEMORY];
}

void Builder::readThread(uint32_t index) {
  const ThreadView &thread = blocks.threads[index];
  waiting.clear();
  last.clear();
  deepLast.clear();
  ItemReader items(thread, losses);
  isComplete = isWhole(thread);
  Item item;
  // Overwritten scopes had ended when the first scope that is left did.
  uint64_t boundUntil =
      thread.isOverwritten() ? std::numeric_limits<uint64_t>::max() : 0;
  bool isBoundKnown = !thread.isOverwritten();
  while (items.next(item)) {
    if (item.kind == PROF_SCOPE_KIND_COUNT) {
      extras.counts.push_back({uint32_t(nodes.size()), item.slot, item.ticks});
      continue;
    }
    if (item.kind == PROF_SCOPE_KIND_LAUNCH) {
      extras.launches.push_back({item.thread, item.ticks, item.number});
      continue;
    }
    Node node;
    node.thread = index;
    node.site = item.site;
    node.begin = item.begin;
    node.end = item.begin + item.ticks;
    node.number = item.number;
    node.flags = item.flags;
    if (!isBoundKnown && item.kind == PROF_SCOPE_KIND_SCOPE) {
      boundUntil = node.end;
      isBoundKnown = true;
    }
    bool isWhole = !(item.flags & PROF_SCOPE_FLAG_OVERLAP);
    switch (item.kind) {
    case PROF_SCOPE_KIND_MOVED:
      continue;
    case PROF_SCOPE_KIND_OUTSIDE:
      node.isOutside = true;
      nodes.push_back(node);
      continue;
    case PROF_SCOPE_KIND_MARK:
      node.kind = NodeKind::Mark;
      node.isKnown = fillMark(node, thread.number, item.slot);
      if (!node.isKnown)
        losses.add("scope ended by another thread, overwritten");
      break;
    case PROF_SCOPE_KIND_LINK:
      node.kind = NodeKind::Link;
      node.isKnown = false;
      break;
    default:
      break;
    }
    node.isSelfBound = isBoundKnown ? node.begin < boundUntil : true;
    add(node, item.slot, isWhole);
  }
  addOpen(thread, index);
}

/// Scopes that another thread ended, of which the owner's mark is missing.
void Builder::addUnclaimed() {
  std::unordered_map<uint32_t, uint32_t> threadOfNumber;
  for (uint32_t index = 0; index != blocks.threads.size(); ++index)
    threadOfNumber[blocks.threads[index].number] = index;
  for (size_t index = 0; index != moved.size(); ++index) {
    const Moved &of = moved[index];
    auto thread = threadOfNumber.find(of.owner);
    if (isTaken[index] || thread == threadOfNumber.end()) {
      if (!isTaken[index])
        losses.add("scope of an unknown thread");
      continue;
    }
    Node node;
    node.kind = NodeKind::Mark;
    node.thread = thread->second;
    node.site = of.site;
    node.begin = of.begin;
    node.end = of.end;
    node.number = of.number;
    node.flags = of.flags | PROF_SCOPE_FLAG_OVERLAP;
    nodes.push_back(node);
  }
}

/// Replaces contexts as parents by the scopes for which they stand, or by the
/// scope of the thread around them if that is the same one, or if there is not
/// another one.
void Builder::link() {
  std::unordered_map<uint32_t, uint32_t> nodeOfNumber;
  for (uint32_t index = 0; index != nodes.size(); ++index) {
    const Node &node = nodes[index];
    if (node.kind != NodeKind::Link && node.number) {
      auto [it, isNew] = nodeOfNumber.try_emplace(node.number, index);
      // The first part stands for the scope.
      if (!isNew && node.begin < nodes[it->second].begin)
        it->second = index;
    }
  }
  for (Node &node : nodes) {
    if (node.kind == NodeKind::Link)
      continue;
    uint32_t context = kNoScope;
    while (node.parent != kNoScope &&
           nodes[node.parent].kind == NodeKind::Link) {
      if (context == kNoScope)
        context = node.parent;
      node.parent = nodes[node.parent].parent;
    }
    if (context == kNoScope)
      continue;
    uint32_t number = nodes[context].number;
    // A later part of the scope itself, or a child on its own thread.
    if (number == node.number ||
        (node.parent != kNoScope && nodes[node.parent].number == number))
      continue;
    auto target = nodeOfNumber.find(number);
    if (target == nodeOfNumber.end()) {
      if (node.parent == kNoScope)
        losses.add("scope whose context is not in the recording");
      continue;
    }
    node.around = std::exchange(node.parent, target->second);
    node.isLinked = true;
  }
}

std::vector<Node> Builder::build() {
  findMoved();
  size_t count = 0;
  for (const ThreadView &thread : blocks.threads) {
    count += thread.open.size();
    for (const RecordsView &records : thread.records)
      count += records.used - records.getFirst();
  }
  nodes.reserve(count);
  budget = (1 << 20) + 64 * uint64_t(count);
  for (uint32_t index = 0; index != blocks.threads.size(); ++index)
    if (!blocks.threads[index].device)
      readThread(index);
  addUnclaimed();
  link();
  return std::move(nodes);
}

std::vector<Node> scope::buildForest(const Blocks &blocks, uint64_t endTicks,
                                     LossList &losses, Extras &extras) {
  return Builder(blocks, endTicks, losses, extras).build();
}
