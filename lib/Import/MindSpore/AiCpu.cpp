//===- AiCpu.cpp - Executions of ops on the AI CPU ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AiCpu.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The text after `name` up to a comma, "" if it is absent.
static StringRef findField(StringRef line, StringRef name) {
  size_t at = line.find(name);
  if (at == StringRef::npos)
    return "";
  return line.drop_front(at + name.size()).split(',').first.trim();
}

/// "43806844294 4380684429499": microseconds and ticks. Releases up to 1.0 have
/// ticks only.
static bool parseMoment(StringRef text, uint64_t &us, uint64_t &ticks) {
  auto [first, second] = text.split(' ');
  second = second.trim();
  if (second.empty()) {
    us = 0;
    return !first.getAsInteger(10, ticks);
  }
  return !first.getAsInteger(10, us) && !second.getAsInteger(10, ticks);
}

static int64_t getApart(uint64_t from, uint64_t to) {
  return to > from && to - from < uint64_t(1) << 62 ? int64_t(to - from) : 0;
}

/// "...Node:GetNext, Run start:1 2, Run end:3 4", possibly with the times of
/// computing and copying in between.
static bool parseNode(StringRef line, AiCpuEntry &entry) {
  entry = AiCpuEntry();
  entry.node = findField(line, "Node:").str();
  StringRef begin = findField(line, "Run start:");
  // As releases up to 1.0 write it.
  if (begin.empty())
    begin = findField(line, "Run tart:");
  uint64_t beginUs, endUs;
  if (entry.node.empty() || !parseMoment(begin, beginUs, entry.beginTicks) ||
      !parseMoment(findField(line, "Run end:"), endUs, entry.endTicks))
    return false;
  entry.executionUs = getApart(beginUs, endUs);
  uint64_t computeUs, copyUs, copiedUs;
  auto getFirst = [&](StringRef name, uint64_t &us) {
    return !findField(line, name).split(' ').first.getAsInteger(10, us);
  };
  if (getFirst("compute start:", computeUs) &&
      getFirst("memcpy start:", copyUs) && getFirst("memcpy end:", copiedUs)) {
    entry.computeUs = getApart(computeUs, copyUs);
    entry.memcpyUs = getApart(copyUs, copiedUs);
  }
  return true;
}

static bool parseThread(StringRef line, AiCpuEntry &entry) {
  auto getNumber = [&](StringRef name, auto &number) {
    StringRef text = findField(line, name);
    return !text.consumeInteger(10, number);
  };
  // Releases differ in which of them there are.
  (void)getNumber("submitTick=", entry.submitTicks);
  (void)getNumber("scheduleTick=", entry.scheduleTicks);
  (void)getNumber("tickBeforeRun=", entry.beforeTicks);
  (void)getNumber("tickAfterRun=", entry.afterTicks);
  return getNumber("dispatchTime=", entry.dispatchUs) &&
         getNumber("totalTime=", entry.totalUs);
}

static std::vector<AiCpuEntry> readText(StringRef text, Recording &recording) {
  std::vector<AiCpuEntry> entries;
  std::optional<AiCpuEntry> node;
  uint64_t foreign = 0, alone = 0;
  while (!text.empty()) {
    auto [part, rest] = text.split('\0');
    text = rest;
    StringRef line = part.trim();
    AiCpuEntry next;
    bool isNode = line.contains("Node:"), isThread = line.contains("Thread[");
    if (isNode && parseNode(line, next)) {
      alone += node.has_value();
      node = std::move(next);
    } else if (isThread && node && parseThread(line, *node)) {
      entries.push_back(std::move(*node));
      node.reset();
    } else {
      foreign += isNode;
      alone += isThread;
    }
  }
  alone += node.has_value();
  recording.addLoss("AI CPU entry that is not understood", foreign);
  recording.addLoss("AI CPU entry of a node or a thread without the other",
                    alone);
  return entries;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static AiCpuEntry readRecord(StringRef record) {
  auto get = [&](size_t offset) {
    return readLittle<uint64_t>(record, offset);
  };
  AiCpuEntry entry;
  entry.task = {readLittle<uint16_t>(record, 4),
                readLittle<uint16_t>(record, 6)};
  entry.beginTicks = get(16);
  entry.endTicks = get(56);
  entry.executionUs = getApart(get(8), get(48));
  entry.computeUs = getApart(get(24), get(32));
  entry.memcpyUs = getApart(get(32), get(40));
  entry.submitTicks = get(72);
  entry.scheduleTicks = get(80);
  entry.beforeTicks = get(88);
  entry.afterTicks = get(96);
  entry.dispatchUs = readLittle<uint32_t>(record, 108);
  entry.totalUs = readLittle<uint32_t>(record, 112);
  return entry;
}

static std::vector<AiCpuEntry> readRecords(llvm::ArrayRef<StringRef> slices,
                                           Recording &recording) {
  constexpr size_t kSize = 128;
  constexpr uint16_t kTag = 60;
  std::vector<AiCpuEntry> entries;
  SliceReader bytes(slices);
  StringRef record;
  uint64_t foreign = 0;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    if (readLittle<uint16_t>(record, 0) == 0x5a5a &&
        readLittle<uint16_t>(record, 2) == kTag)
      entries.push_back(readRecord(record));
    else
      ++foreign;
    bytes.skip(kSize);
  }
  recording.addLoss("AI CPU record that is cut or not understood",
                    foreign + !record.empty());
  return entries;
}

std::vector<AiCpuEntry> mindspore::readAiCpu(llvm::ArrayRef<StringRef> slices,
                                             Recording &recording) {
  std::vector<AiCpuEntry> entries =
      isBinaryRecord(slices) ? readRecords(slices, recording)
                             : readText(joinSlices(slices), recording);
  for (const AiCpuEntry &entry : entries)
    recording.clock.see(entry.beginTicks);
  return entries;
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

void WaitQueues::add(StringRef node, StringRef beginText, StringRef endText,
                     StringRef sizeText) {
  constexpr int64_t kPsPerUs = 1000000;
  int64_t begin, end;
  uint64_t size;
  if (node.empty() || beginText.getAsInteger(10, begin) ||
      endText.getAsInteger(10, end) || sizeText.getAsInteger(10, size) ||
      end < begin) {
    ++foreign;
    return;
  }
  Queue &queue = queues[node.str()];
  queue.sizes.push_back(size);
  queue.timesPs.push_back(saturatingMul(begin, kPsPerUs));
  queue.waitsPs.push_back(saturatingMul(saturatingSub(end, begin), kPsPerUs));
}

void WaitQueues::finish(Recording &recording) {
  for (auto &[name, queue] : queues) {
    queue.name = recording.addName(name);
    recording.job.queues.push_back(std::move(queue));
  }
  recording.addLoss("entry of the waits for data that is not understood",
                    foreign);
}

void mindspore::readAiCpuWaits(StringRef text, Recording &recording) {
  WaitQueues queues;
  while (!text.empty()) {
    auto [part, rest] = text.split('\0');
    text = rest;
    StringRef line = part.trim();
    if (!line.empty())
      queues.add(findField(line, "Node:"), findField(line, "Run start:"),
                 findField(line, "Run end:"), findField(line, "queue size:"));
  }
  queues.finish(recording);
}
