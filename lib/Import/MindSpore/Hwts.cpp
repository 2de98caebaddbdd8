//===- Hwts.cpp - Tasks that the hardware ran -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hwts.h"
#include "../Common/TextLines.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

enum RecordKind : uint8_t {
  kTaskStart = 0,
  kTaskEnd = 1,
  kBlockStart = 2,
  kBlockEnd = 3,
  kBlockPmu = 4,
};

/// Pairs starts and ends of tasks. If the end of one execution and the start of
/// the next are both lost, what is left of the two would be a pair. So a pair
/// around lost records does not count if it also holds, after these, a whole
/// execution of its stream or two of any one task.
class TaskPairs {
public:
  explicit TaskPairs(Recording &recording) : recording(recording) {}

  void addStart(uint32_t stream, uint32_t task, uint64_t ticks);
  void addEnd(uint32_t stream, uint32_t task, uint64_t ticks);
  /// Records are missing here.
  void addLoss() { losses.push_back(++position); }
  std::vector<TaskRun> finish();

private:
  struct Start {
    uint64_t ticks = 0;
    /// Among all records.
    uint64_t position = 0;
  };
  bool isDoubtful(uint32_t stream, const Start &start) const;

  Recording &recording;
  std::map<std::pair<uint32_t, uint32_t>, Start> open;
  std::vector<TaskRun> runs;
  uint64_t position = 0;
  std::vector<uint64_t> losses;
  /// Where the last complete execution of each task and stream started, and
  /// the latest start of an execution that another one of its task follows.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> lastOfTask;
  std::map<uint32_t, uint64_t> lastOfStream;
  uint64_t lastRepeated = 0;
  uint64_t unpairedStarts = 0, unpairedEnds = 0, backward = 0;
};

/// The log as it is in the raw file.
class LogReader {
public:
  explicit LogReader(Recording &recording)
      : recording(recording), pairs(recording) {}

  void add(StringRef record);
  void finish();
  std::vector<TaskRun> takeRuns() { return pairs.finish(); }

private:
  static constexpr uint16_t kMagic = 0x6bd3;

  Recording &recording;
  TaskPairs pairs;
  std::array<uint64_t, 8> kinds = {};
  std::optional<uint8_t> lastCount;
  uint64_t lost = 0, foreign = 0;
};

} // namespace

void TaskPairs::addStart(uint32_t stream, uint32_t task, uint64_t ticks) {
  Start start = {ticks, ++position};
  auto [it, isNew] = open.try_emplace({stream, task}, start);
  if (isNew)
    return;
  ++unpairedStarts;
  it->second = start;
}

bool TaskPairs::isDoubtful(uint32_t stream, const Start &start) const {
  auto loss = llvm::upper_bound(losses, start.position);
  if (loss == losses.end())
    return false;
  auto it = lastOfStream.find(stream);
  return lastRepeated > *loss ||
         (it != lastOfStream.end() && it->second > *loss);
}

void TaskPairs::addEnd(uint32_t stream, uint32_t task, uint64_t ticks) {
  auto it = open.find({stream, task});
  if (it == open.end()) {
    ++unpairedEnds;
    return;
  }
  ++position;
  Start start = it->second;
  open.erase(it);
  if (start.ticks > ticks) {
    ++backward;
  } else if (isDoubtful(stream, start)) {
    ++unpairedStarts;
    ++unpairedEnds;
  } else {
    runs.push_back({start.ticks, ticks, stream, task});
    uint64_t &last = lastOfTask[{stream, task}];
    lastRepeated = std::max(lastRepeated, last);
    last = start.position;
    uint64_t &ofStream = lastOfStream[stream];
    ofStream = std::max(ofStream, start.position);
  }
}

std::vector<TaskRun> TaskPairs::finish() {
  unpairedStarts += open.size();
  recording.addFact("HWTS starts without an end", llvm::Twine(unpairedStarts));
  recording.addFact("HWTS ends without a start", llvm::Twine(unpairedEnds));
  recording.addLoss("start of a task without its end", unpairedStarts);
  recording.addLoss("end of a task without its start", unpairedEnds);
  recording.addLoss("task that ends before it starts", backward);
  for (const TaskRun &run : runs)
    recording.clock.see(run.begin);
  size_t before = runs.size();
  llvm::erase_if(runs, [&](const TaskRun &run) {
    return !recording.clock.isNear(run.begin) ||
           !recording.clock.isNear(run.end);
  });
  recording.addLoss("task at a time far from the others", before - runs.size());
  llvm::stable_sort(runs, [](const TaskRun &a, const TaskRun &b) {
    return a.begin < b.begin;
  });
  return std::move(runs);
}

void LogReader::add(StringRef record) {
  if (readLittle<uint16_t>(record, 2) != kMagic) {
    ++foreign;
    return;
  }
  uint8_t first = uint8_t(record[0]);
  uint8_t kind = first & 7, count = first >> 4;
  // The count has four bits: of 16 lost records in a row it knows nothing.
  if (uint8_t missing = lastCount ? uint8_t(count - *lastCount - 1) & 15 : 0) {
    lost += missing;
    pairs.addLoss();
  }
  lastCount = count;
  ++kinds[kind];
  uint32_t task = readLittle<uint16_t>(record, 6);
  uint64_t ticks = readLittle<uint64_t>(record, 8);
  uint32_t stream = readLittle<uint32_t>(record, 16);
  if (kind == kTaskStart)
    pairs.addStart(stream, task, ticks);
  else if (kind == kTaskEnd)
    pairs.addEnd(stream, task, ticks);
}

void LogReader::finish() {
  uint64_t records = 0;
  for (uint64_t count : kinds)
    records += count;
  uint64_t blocks = kinds[kBlockStart] + kinds[kBlockEnd];
  uint64_t unknown = kinds[5] + kinds[6] + kinds[7];
  recording.addFact("HWTS records", llvm::Twine(records));
  recording.addFact("HWTS starts of tasks", llvm::Twine(kinds[kTaskStart]));
  recording.addFact("HWTS ends of tasks", llvm::Twine(kinds[kTaskEnd]));
  recording.addFact("HWTS records of blocks", llvm::Twine(blocks));
  recording.addFact("HWTS PMU records of blocks",
                    llvm::Twine(kinds[kBlockPmu]));
  recording.addFact("HWTS records of unknown kinds", llvm::Twine(unknown));
  recording.addFact("HWTS lost records", llvm::Twine(lost));
  recording.addLoss("HWTS record that the driver lost, by the rolling count",
                    lost);
  recording.addLoss("HWTS record of a block, not kept",
                    blocks + kinds[kBlockPmu]);
  recording.addLoss("HWTS record of an unknown kind", unknown);
  recording.addLoss("HWTS record without its magic number", foreign);
}

std::vector<TaskRun> mindspore::readHwts(llvm::ArrayRef<StringRef> slices,
                                         Recording &recording) {
  constexpr size_t kSize = 64;
  LogReader reader(recording);
  SliceReader bytes(slices);
  StringRef record;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    reader.add(record);
    bytes.skip(kSize);
  }
  if (!record.empty())
    recording.addLoss("HWTS record cut by the end of the log", 1);
  reader.finish();
  return reader.takeRuns();
}

std::vector<TaskRun> mindspore::readHwtsText(StringRef text,
                                             Recording &recording) {
  TaskPairs pairs(recording);
  uint64_t foreign = 0;
  while (!text.empty()) {
    StringRef line = takeLine(text).trim();
    bool isStart = line.consume_front("Start of task");
    if (!isStart && !line.consume_front("End of task"))
      continue;
    // Count, core, block, key of the task, counter, stream.
    llvm::SmallVector<StringRef, 8> parts;
    line.split(parts, ' ', -1, /*KeepEmpty=*/false);
    uint64_t ticks;
    uint32_t task, stream;
    if (parts.size() < 6 || parts[4].getAsInteger(10, ticks) ||
                parts[5].getAsInteger(10, stream) ||
                parts[3].rsplit('_').second.empty()
            ? (parts.size() < 6 || parts[3].getAsInteger(10, task) ||
               parts[4].getAsInteger(10, ticks) ||
               parts[5].getAsInteger(10, stream))
            : parts[3].rsplit('_').second.getAsInteger(10, task)) {
      ++foreign;
      continue;
    }
    if (isStart)
      pairs.addStart(stream, task, ticks);
    else
      pairs.addEnd(stream, task, ticks);
  }
  recording.addLoss("line of a task that is not understood", foreign);
  return pairs.finish();
}
