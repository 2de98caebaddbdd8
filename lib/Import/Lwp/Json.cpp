//===- Json.cpp - Records of light-weight profiling -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The same id alternates between begin and end. Records nest, so an id other
// than the innermost open one begins; the innermost ends, unless its address is
// one at which it has begun before: then its function calls itself. "thread"
// distinguishes the records of several threads; without it, another thread
// begins where the time goes back between outermost records.

#include "../Importers.h"
#include "Lwp.h"
#include "Places.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>
#include <simdjson.h>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
namespace dom = simdjson::dom;

bool lwp::detectJson(llvm::StringRef bytes) {
  llvm::StringRef text = bytes.substr(0, 256).ltrim();
  if (!text.consume_front("{"))
    return false;
  text = text.ltrim();
  return text.starts_with("\"entries\"") || text.starts_with("\"loop_counts\"");
}

namespace {

struct Entry {
  uint64_t address = 0;
  uint32_t id = 0;
  int64_t cycle = 0;
  uint64_t thread = 0;
  bool isOfThread = false;
};

struct Open {
  Entry begin;
  /// Id of the enclosing record, or kNone.
  uint32_t parent = kNone;
};

/// Sums over the records of one id.
struct Sums {
  /// Number of entries in the file, and of begins and ends so far.
  uint64_t entries = 0;
  uint64_t begun = 0;
  uint64_t recorded = 0;
  int64_t cycles = 0;
  /// The part of these within each other id.
  std::map<uint32_t, int64_t> within;
  std::set<uint64_t> begins;
  uint64_t firstAddress = 0;
  uint64_t lastAddress = 0;
  uint32_t parent = kNone;
  bool isFunction = false;
  /// Whether `parent` and `isFunction` are known: on a thread started by
  /// another one, the outermost record is a part of a loop or a function.
  bool isPlaced = false;
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder) {}
  llvm::Error read();

private:
  llvm::Error fail(const llvm::Twine &what) {
    return inputError(input.where, what,
                      "Expected {\"entries\":[{\"ret\",\"id\",\"cyc\"}], "
                      "\"loop_counts\":[...]}.");
  }
  llvm::Error readEntry(dom::element element, size_t index);
  llvm::Error readCounts(simdjson::simdjson_result<dom::element> element);
  uint32_t findParent(const Entry &entry, Sums &sum);
  bool isUsedUp(uint32_t id) const;
  uint64_t firstThread() const { return entries.front().thread; }
  void findThread(Entry &entry);
  void take(const Entry &entry);
  uint64_t countExecuted(uint32_t id) const {
    return id < counts.size() ? counts[id] : 0;
  }
  void begin(const Entry &entry);
  void end(const Entry &entry);
  std::map<uint32_t, Measured> measure();
  void addEvents(const std::map<uint32_t, Measured> &measured,
                 llvm::ArrayRef<uint32_t> ops);

  /// Limit on the begin addresses stored per id.
  static constexpr size_t kMostBegins = 64;
  /// Limit on the loops without records that are traversed.
  static constexpr unsigned kMostNested = 64;

  const ImportInput &input;
  ProfileBuilder &builder;
  std::map<uint32_t, Sums> sums;
  /// By id: the number of executions, if the file contains it.
  std::vector<uint64_t> counts;
  bool hasCounts = false;
  std::vector<Entry> entries;
  /// The open records of each thread.
  std::map<uint64_t, std::vector<Open>> stacks;
  std::vector<std::pair<Entry, int64_t>> closed;
  uint64_t backwards = 0;
  /// The thread of entries that do not state one.
  uint64_t thread = 0;
  int64_t lastCycle = std::numeric_limits<int64_t>::min();
};

} // namespace

/// Whether the writer dropped all further records of `id`.
bool Reader::isUsedUp(uint32_t id) const {
  const Sums &sum = sums.at(id);
  return sum.begun * 2 >= sum.entries && countExecuted(id) > sum.begun;
}

/// The id around one that begins now. Only functions occur in several ids; but
/// if an id does not have records any more, its content appears to be in the id
/// around it.
uint32_t Reader::findParent(const Entry &entry, Sums &sum) {
  const std::vector<Open> &stack = stacks[entry.thread];
  uint32_t parent = stack.empty() ? kNone : stack.back().begin.id;
  if (!sum.isPlaced) {
    if (parent == kNone && entry.thread != firstThread())
      return parent;
    sum.isPlaced = true;
    sum.parent = parent;
    sum.isFunction = parent == kNone;
    return parent;
  }
  uint32_t at = sum.parent;
  for (unsigned step = 0; at != parent && at != kNone && isUsedUp(at); ++step)
    at = step < kMostNested ? sums.at(at).parent : kNone;
  if (at == parent && (parent != kNone || entry.thread == firstThread()))
    return sum.parent;
  // The part of a loop that another thread runs does not have a parent there.
  if (parent != kNone || entry.thread == firstThread())
    sum.isFunction = true;
  return parent;
}

void Reader::begin(const Entry &entry) {
  Sums &sum = sums[entry.id];
  uint32_t parent = findParent(entry, sum);
  sum.firstAddress =
      sum.begun ? std::min(sum.firstAddress, entry.address) : entry.address;
  ++sum.begun;
  if (sum.begins.size() < kMostBegins)
    sum.begins.insert(entry.address);
  stacks[entry.thread].push_back({entry, parent});
}

void Reader::end(const Entry &entry) {
  std::vector<Open> &stack = stacks[entry.thread];
  Open open = stack.back();
  stack.pop_back();
  int64_t cycles = saturatingSub(entry.cycle, open.begin.cycle);
  if (cycles < 0) {
    ++backwards;
    cycles = 0;
  }
  Sums &sum = sums[entry.id];
  ++sum.recorded;
  sum.lastAddress = std::max(sum.lastAddress, entry.address);
  sum.cycles = saturatingAdd(sum.cycles, cycles);
  if (open.parent != kNone) {
    int64_t &within = sum.within[open.parent];
    within = saturatingAdd(within, cycles);
  }
  closed.emplace_back(open.begin, saturatingAdd(open.begin.cycle, cycles));
}

void Reader::findThread(Entry &entry) {
  if (entry.isOfThread)
    return;
  if (stacks[thread].empty() && entry.cycle < lastCycle)
    ++thread;
  lastCycle = entry.cycle;
  entry.thread = thread;
}

void Reader::take(const Entry &entry) {
  const std::vector<Open> &stack = stacks[entry.thread];
  if (stack.empty() || stack.back().begin.id != entry.id)
    return begin(entry);
  const std::set<uint64_t> &begins = sums[entry.id].begins;
  // Without addresses a recursion cannot be recognized.
  if (entry.address != 0 && begins.count(entry.address))
    return begin(entry);
  end(entry);
}

llvm::Error
Reader::readCounts(simdjson::simdjson_result<dom::element> element) {
  // Writers that do not drop records need not count executions.
  hasCounts = element.error() != simdjson::NO_SUCH_FIELD;
  if (!hasCounts)
    return llvm::Error::success();
  dom::array list;
  if (element.get(list))
    return fail("has loop_counts that are not a list");
  for (dom::element number : list) {
    uint64_t count;
    if (number.get(count) || count >> 48)
      return fail("loop_counts has an element that is not a count");
    counts.push_back(count);
  }
  return llvm::Error::success();
}

llvm::Error Reader::readEntry(dom::element element, size_t index) {
  uint64_t address, id, cycle;
  if (element["ret"].get(address) || element["id"].get(id) ||
      element["cyc"].get(cycle))
    return fail("entry " + llvm::Twine(index) +
                " does not have whole numbers ret, id and cyc");
  if (id >= kMostIds)
    return fail("entry " + llvm::Twine(index) + " has the id " +
                llvm::Twine(id) + ", the largest is " +
                llvm::Twine(kMostIds - 1));
  Entry entry;
  entry.address = address;
  entry.id = uint32_t(id);
  entry.cycle = int64_t(
      std::min<uint64_t>(cycle, uint64_t(std::numeric_limits<int64_t>::max())));
  // Other writers support only one thread.
  dom::element number;
  entry.isOfThread = !element["thread"].get(number);
  if (entry.isOfThread && number.get(entry.thread))
    return fail("entry " + llvm::Twine(index) +
                " has a thread that is not a whole number");
  ++sums[entry.id].entries;
  entries.push_back(entry);
  return llvm::Error::success();
}

/// `value` times executed / recorded, if records were dropped.
static int64_t scale(int64_t value, uint64_t executed, uint64_t recorded) {
  if (executed <= recorded || recorded == 0)
    return value;
  unsigned __int128 scaled = (unsigned __int128)value * executed / recorded;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return scaled > (unsigned __int128)kMost ? kMost : int64_t(scaled);
}

std::map<uint32_t, Measured> Reader::measure() {
  std::map<uint32_t, Measured> measured;
  uint64_t dropped = 0, beyond = 0;
  for (const auto &[id, sum] : sums) {
    uint64_t executed = countExecuted(id);
    Measured &info = measured[id];
    info.isFunction = sum.isFunction;
    info.parent = sum.isFunction ? kNone : sum.parent;
    info.begin = sum.firstAddress;
    info.end = sum.lastAddress;
    info.count = std::max(executed, sum.recorded);
    info.cycles = scale(sum.cycles, executed, sum.recorded);
    info.self = saturatingAdd(info.self, info.cycles);
    dropped += info.count - sum.recorded;
    for (const auto &[parent, cycles] : sum.within)
      measured[parent].self = saturatingSub(
          measured[parent].self, scale(cycles, executed, sum.recorded));
  }
  for (auto &[id, info] : measured)
    if (info.self < 0) {
      info.self = 0;
      ++beyond;
    }
  if (beyond)
    builder.loss("loop whose inner loops took longer than it", beyond, 0);
  for (size_t id = 0; id < counts.size(); ++id)
    if (counts[id] && !sums.count(uint32_t(id)))
      builder.loss("executions of an id without a record", counts[id], 0);
  if (dropped)
    builder.loss("executions without a record, scaled from those with one",
                 dropped, 0);
  return measured;
}

void Reader::addEvents(const std::map<uint32_t, Measured> &measured,
                       llvm::ArrayRef<uint32_t> ops) {
  std::map<uint64_t, uint32_t> tracks;
  for (const auto &[thread, stack] : stacks) {
    Track track;
    track.plane = "threads";
    track.line = uint32_t(tracks.size());
    track.name = "light-weight profiling";
    if (thread != 0)
      track.name += ", thread " + std::to_string(thread);
    tracks[thread] = builder.addTrack(track);
  }
  builder.keepAllEvents();
  int64_t first = std::numeric_limits<int64_t>::max();
  for (const auto &[begin, end] : closed)
    first = std::min(first, begin.cycle);
  llvm::sort(closed, [](const auto &a, const auto &b) {
    return std::tie(a.first.cycle, b.second, a.first.id) <
           std::tie(b.first.cycle, a.second, b.first.id);
  });
  for (const auto &[begin, end] : closed) {
    Event event;
    event.track = tracks.at(begin.thread);
    event.name = builder.addName(getName(measured.at(begin.id), begin.id));
    event.op = ops[begin.id];
    // A larger nanosecond count does not fit into picoseconds.
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1000;
    event.beginPs = std::min(saturatingSub(begin.cycle, first), kMost) * 1000;
    event.endPs = std::min(saturatingSub(end, first), kMost) * 1000;
    builder.event(event);
  }
}

llvm::Error Reader::read() {
  simdjson::padded_string padded(input.bytes.data(), input.bytes.size());
  dom::parser parser;
  dom::element root;
  if (simdjson::error_code error = parser.parse(padded).get(root))
    return fail(llvm::StringRef("is not JSON: ") +
                simdjson::error_message(error));
  dom::array list;
  if (root["entries"].get(list))
    return fail("does not have a list \"entries\"");
  if (llvm::Error error = readCounts(root["loop_counts"]))
    return error;
  size_t index = 0;
  for (dom::element element : list)
    if (llvm::Error error = readEntry(element, index++))
      return error;
  stacks[entries.empty() ? 0 : firstThread()];
  for (Entry &entry : entries) {
    findThread(entry);
    take(entry);
  }
  if (!hasCounts)
    builder.loss("id without a count of its executions (no loop_counts): those "
                 "with a record are counted",
                 sums.size(), 0);
  size_t unended = 0;
  for (const auto &[thread, stack] : stacks)
    unended += stack.size();
  if (unended)
    builder.loss("record without its end", unended, 0);
  if (backwards)
    builder.loss("record that ends before it begins", backwards, 0);
  std::map<uint32_t, Measured> measured = measure();
  if (llvm::Error error = findPlaces(input, measured, builder))
    return error;
  addEvents(measured, addMeasured(measured, builder));
  return llvm::Error::success();
}

llvm::Error lwp::readJson(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::LwpJson() {
  return {"lwp-json", "records of light-weight profiling", lwp::detectJson,
          lwp::readJson};
}
