//===- Blocks.cpp - The blocks of a recording -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include <algorithm>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::scope;
using std::string_view;

static_assert(SiteStatistics::kBuckets == PROF_SCOPE_BUCKETS,
              "Recording.h does not include the format");

namespace {

class Reader {
public:
  Reader(string_view bytes, Blocks &out, LossList &losses)
      : bytes(bytes), out(out), losses(losses) {}
  std::optional<Problem> read();

private:
  void readBlock(const prof_scope_block &header, string_view block);
  void readSites(string_view block);
  void readThread(uint32_t number, string_view block);
  void readRecords(uint32_t number, string_view block);
  void readStatistics(uint32_t number, string_view block);
  void takeClocks();
  ThreadView &getThread(uint32_t number) {
    auto [it, isNew] = threadOfNumber.try_emplace(number, out.threads.size());
    if (isNew)
      out.threads.emplace_back().number = number;
    return out.threads[it->second];
  }

  string_view bytes;
  Blocks &out;
  LossList &losses;
  std::unordered_map<uint32_t, size_t> threadOfNumber;
};

} // namespace

uint32_t Blocks::getSite(uint32_t id, LossList &losses) {
  auto [index, isNew] = siteOfId.add(id, uint32_t(sites.size()));
  if (isNew) {
    sites.emplace_back().name = "(unknown)";
    losses.add("site of scopes that is not in the recording");
  }
  return index;
}

bool scope::isRecording(string_view bytes) {
  prof_scope_block header;
  return readAt(bytes, 0, header) && header.magic == PROF_SCOPE_FILE_MAGIC &&
         header.kind == PROF_SCOPE_BLOCK_PROCESS;
}

static constexpr const char *kDamaged =
    "The file is cut off or damaged; copy it again, or record again.";

/// The second description, of which `out` is the first one.
static std::optional<Problem> readOtherProcess(string_view bytes,
                                               prof_scope_process &out) {
  prof_scope_process other;
  if (!readAt(bytes, PROF_SCOPE_PROCESS_OTHER, other))
    return Problem{"ends within the description of the process", kDamaged};
  uint32_t session = other.block.session;
  other.block = out.block;
  other.block.session = session;
  std::copy(std::begin(out.losses), std::end(out.losses), other.losses);
  out = other;
  return std::nullopt;
}

std::optional<Problem> scope::readProcess(string_view bytes,
                                          prof_scope_process &out) {
  if (!isRecording(bytes))
    return Problem{"is not a recording of scopes",
                   "Give a file that prof_scope_write, or a profiler with a "
                   "path, wrote."};
  if (!readAt(bytes, 0, out))
    return Problem{"ends within the description of the process", kDamaged};
  if (out.block.version != PROF_SCOPE_FILE_VERSION)
    return Problem{"has version " + std::to_string(out.block.version) +
                       " of the format of scopes, which is not known",
                   "Read it with the release of mlir-prof that wrote it."};
  if (out.newest & 1)
    return readOtherProcess(bytes, out);
  return std::nullopt;
}

void Reader::readSites(string_view block) {
  prof_scope_sites header;
  if (!readAt(block, 0, header))
    return losses.add("block of sites, cut off");
  string_view rest = block.substr(sizeof header, header.used);
  prof_scope_site_entry entry;
  while (readAt(rest, 0, entry)) {
    uint64_t size = sizeof entry + uint64_t(entry.name_size) + entry.file_size;
    if (size > rest.size())
      break;
    string_view text = rest.substr(sizeof entry);
    if (out.siteOfId.add(entry.id, uint32_t(out.sites.size())).second)
      out.sites.push_back(
          {std::string(text.substr(0, entry.name_size)),
           std::string(text.substr(entry.name_size, entry.file_size)),
           entry.line, entry.type, entry.level, entry.role});
    rest.remove_prefix(std::min<uint64_t>((size + 7) / 8 * 8, rest.size()));
  }
  if (!rest.empty())
    losses.add("site, cut off");
}

void Reader::readThread(uint32_t number, string_view block) {
  prof_scope_threads header;
  if (!readAt(block, 0, header))
    return losses.add("block of a thread, cut off");
  if (header.replaced)
    return;
  ThreadView &thread = getThread(number);
  // While a block becomes another one, both are the same.
  if (std::exchange(thread.hasBlock, true))
    return;
  thread.id = header.id;
  thread.name.assign(header.name, strnlen(header.name, sizeof header.name));
  thread.endedTicks = header.ended;
  thread.device = header.device;
  thread.deviceTicksPerSecond = header.ticks_per_second;
  thread.open.clear();
  uint64_t numbers =
      sizeof header + uint64_t(header.capacity) * sizeof(prof_scope_slot);
  for (uint32_t index = 0; index != header.depth; ++index) {
    prof_scope_slot slot;
    uint32_t scopeNumber;
    if (index >= header.capacity ||
        !readAt(block, sizeof header + index * sizeof slot, slot) ||
        !readAt(block, numbers + index * sizeof scopeNumber, scopeNumber))
      return losses.add("open scope, cut off", header.depth - index);
    thread.open.push_back({index, slot.begin, PROF_SCOPE_SLOT_SITE(slot.word),
                           PROF_SCOPE_SLOT_STATE(slot.word), scopeNumber});
  }
}

void Reader::readRecords(uint32_t number, string_view block) {
  prof_scope_records header;
  if (!readAt(block, 0, header))
    return losses.add("block of scopes, cut off");
  RecordsView view;
  view.before = header.before;
  view.used = header.used;
  view.bytes = block.substr(sizeof header);
  uint64_t room = view.bytes.size() / sizeof(prof_scope_record_words);
  view.capacity = std::min(header.capacity, room);
  // A ring whose end is missing cannot be told apart from its beginning.
  bool isCut = header.capacity > room && header.used > room;
  if (isCut)
    losses.add("scopes, cut off",
               std::min(header.used, header.capacity) - room);
  if (isCut && header.used > header.capacity)
    return;
  if (isCut)
    view.used = room;
  // The process was killed: in a ring, its thread may have been writing where
  // the oldest ones are.
  if (out.process.ring_records && !out.process.closed)
    view.torn = PROF_SCOPE_IN_FLIGHT;
  if (view.used)
    getThread(number).records.push_back(view);
}

void Reader::readStatistics(uint32_t number, string_view block) {
  prof_scope_statistics header;
  if (!readAt(block, 0, header))
    return losses.add("block of statistics, cut off");
  getThread(number);
  for (uint32_t index = 0; index != header.used; ++index) {
    prof_scope_row row;
    if (!readAt(block, sizeof header + index * uint64_t(sizeof row), row))
      return losses.add("statistics of a site, cut off", header.used - index);
    if (row.sequence & 1)
      losses.add("scope whose statistics were being written");
    SiteStatistics &made = out.statistics.emplace_back();
    made.site = row.site;
    made.thread = uint32_t(threadOfNumber[number]);
    made.generation = header.generation;
    made.calls = row.calls;
    made.total = row.total;
    made.self = row.self;
    made.min = row.calls ? row.min : 0;
    made.max = row.max;
    made.children = row.children;
    made.inside = row.inside;
    std::copy(std::begin(row.counts), std::end(row.counts),
              made.counts.begin());
  }
}

void Reader::readBlock(const prof_scope_block &header, string_view block) {
  bool isCurrent = header.session == out.process.block.session;
  switch (header.kind) {
  case PROF_SCOPE_BLOCK_PROCESS:
    return losses.add("block of another process");
  case PROF_SCOPE_BLOCK_SITES:
    return readSites(block);
  case PROF_SCOPE_BLOCK_THREAD:
    return readThread(header.thread, block);
  case PROF_SCOPE_BLOCK_RECORDS:
    return isCurrent ? readRecords(header.thread, block) : void();
  case PROF_SCOPE_BLOCK_STATISTICS:
    return isCurrent ? readStatistics(header.thread, block) : void();
  default:
    losses.add("block of an unknown kind");
  }
}

/// Threads that hold readings of a clock are not threads for who reads.
void Reader::takeClocks() {
  std::vector<uint32_t> newIndex(out.threads.size());
  size_t kept = 0;
  for (size_t index = 0; index != out.threads.size(); ++index) {
    ThreadView &thread = out.threads[index];
    newIndex[index] = uint32_t(kept);
    if (thread.device && thread.id == PROF_SCOPE_TRACK_CLOCK)
      out.clocks.push_back(std::move(thread));
    else if (kept++ != index)
      out.threads[kept - 1] = std::move(thread);
  }
  if (kept == out.threads.size())
    return;
  out.threads.resize(kept);
  auto isClocks = [&](const SiteStatistics &of) {
    return newIndex[of.thread] >= kept;
  };
  out.statistics.erase(
      std::remove_if(out.statistics.begin(), out.statistics.end(), isClocks),
      out.statistics.end());
  for (SiteStatistics &of : out.statistics)
    of.thread = newIndex[of.thread];
}

std::optional<Problem> Reader::read() {
  if (std::optional<Problem> problem = readProcess(bytes, out.process))
    return problem;
  uint64_t offset = out.process.block.size;
  if (offset < sizeof out.process)
    return Problem{"has a description of the process of " +
                       std::to_string(offset) + " bytes",
                   kDamaged};
  prof_scope_block header;
  while (readAt(bytes, offset, header)) {
    // A process that was killed leaves pages that it had not begun.
    if (header.magic != PROF_SCOPE_FILE_MAGIC) {
      if (header.magic)
        losses.add("page of unknown content");
      offset += PROF_SCOPE_PAGE;
      continue;
    }
    if (header.version != PROF_SCOPE_FILE_VERSION ||
        header.size < sizeof header) {
      losses.add("block with a broken header");
      offset += PROF_SCOPE_PAGE;
      continue;
    }
    readBlock(header, bytes.substr(offset, header.size));
    if (header.size > bytes.size() - offset)
      break;
    offset += header.size;
  }
  for (ThreadView &thread : out.threads)
    std::stable_sort(
        thread.records.begin(), thread.records.end(),
        [](const auto &a, const auto &b) { return a.before < b.before; });
  takeClocks();
  return std::nullopt;
}

std::optional<Problem> scope::readBlocks(string_view bytes, Blocks &out,
                                         LossList &losses) {
  return Reader(bytes, out, losses).read();
}
