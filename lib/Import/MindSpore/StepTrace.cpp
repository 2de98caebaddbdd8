//===- StepTrace.cpp - Points of steps ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepTrace.h"
#include "../Common/TextLines.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static TracePoint readTrainingRecord(StringRef record) {
  TracePoint point;
  point.tag =
      uint32_t(std::min<uint64_t>(readLittle<uint64_t>(record, 0), UINT32_MAX));
  point.task = {readLittle<uint16_t>(record, 10),
                readLittle<uint16_t>(record, 8)};
  point.ticks = readLittle<uint64_t>(record, 12);
  return point;
}

std::vector<TracePoint>
mindspore::readTrainingTrace(llvm::ArrayRef<StringRef> slices,
                             Recording &recording) {
  constexpr size_t kSize = 20;
  // The end of a step; the lower one before December 2020.
  constexpr uint32_t kEnd = 65535, kOldEnd = 255;
  std::vector<TracePoint> points;
  SliceReader bytes(slices);
  StringRef record;
  uint32_t end = kOldEnd;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    points.push_back(readTrainingRecord(record));
    if (points.back().tag == kEnd)
      end = kEnd;
    bytes.skip(kSize);
  }
  recording.addLoss("step trace record cut by the end of the file",
                    !record.empty());
  // Tag 0 and those above the end's are starts of jobs.
  llvm::erase_if(points, [&](const TracePoint &point) {
    return point.tag == 0 || point.tag > end;
  });
  for (TracePoint &point : points) {
    recording.clock.see(point.ticks);
    point.kind = point.tag == 1     ? TracePoint::Kind::First
                 : point.tag == 2   ? TracePoint::Kind::Last
                 : point.tag == end ? TracePoint::Kind::End
                 : point.tag % 2    ? TracePoint::Kind::ReduceBegin
                                    : TracePoint::Kind::ReduceEnd;
  }
  return points;
}

/// Whether `header` may begin a record of a track.
static bool isTrackHeader(StringRef header) {
  constexpr uint16_t kLeast = 16, kMost = 512;
  uint16_t size = readLittle<uint16_t>(header, 2);
  return uint8_t(header[1]) < 32 && size >= kLeast && size <= kMost &&
         readLittle<uint32_t>(header, 4) == 0;
}

/// The length of the record at the begin of `bytes`: what it says, unless the
/// next one begins elsewhere, after the fixed length.
static size_t getTrackSize(SliceReader &bytes) {
  constexpr size_t kFixed = 40, kHeader = 8;
  StringRef header = bytes.peek(kHeader);
  size_t size = readLittle<uint16_t>(header, 2);
  if (size == kFixed || !isTrackHeader(header))
    return kFixed;
  StringRef all = bytes.peek(std::max(size, kFixed) + kHeader);
  auto isNext = [&](size_t at) {
    return all.size() >= at + kHeader && isTrackHeader(all.substr(at, kHeader));
  };
  return !isNext(size) && isNext(kFixed) ? kFixed : size;
}

static std::optional<TracePoint::Kind> getTrackKind(uint16_t tag) {
  constexpr uint16_t kReduce = 10000, kReduceEnd = 20000;
  switch (tag) {
  case 2:
    return TracePoint::Kind::First;
  case 3:
    return TracePoint::Kind::Last;
  case 4:
    return TracePoint::Kind::End;
  default:
    break;
  }
  if (tag < kReduce || tag >= kReduceEnd)
    return std::nullopt;
  return tag % 2 ? TracePoint::Kind::ReduceEnd : TracePoint::Kind::ReduceBegin;
}

std::vector<TracePoint> mindspore::readTsTrack(llvm::ArrayRef<StringRef> slices,
                                               Recording &recording) {
  constexpr size_t kSize = 40, kHeader = 8;
  constexpr uint8_t kStepTrace = 10;
  std::vector<TracePoint> points;
  SliceReader bytes(slices);
  uint64_t cut = 0;
  while (bytes.peek(kHeader).size() == kHeader) {
    size_t size = getTrackSize(bytes);
    StringRef record = bytes.peek(size);
    if (record.size() < size)
      break;
    if (uint8_t(record[1]) == kStepTrace && size >= kSize) {
      TracePoint point;
      point.tag = readLittle<uint16_t>(record, 36);
      point.task = {readLittle<uint16_t>(record, 32),
                    readLittle<uint16_t>(record, 34)};
      point.ticks = readLittle<uint64_t>(record, 8);
      if (std::optional<TracePoint::Kind> kind =
              getTrackKind(uint16_t(point.tag))) {
        point.kind = *kind;
        recording.clock.see(point.ticks);
        points.push_back(point);
      }
    }
    bytes.skip(size);
  }
  cut += !bytes.peek(1).empty();
  recording.addLoss("step trace record cut by the end of the file", cut);
  return points;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void mindspore::readPoints(StringRef text, Recording &recording,
                           PointNames &names) {
  while (!text.empty()) {
    auto [tag, name] = takeLine(text).trim().split(' ');
    uint32_t number;
    if (!tag.getAsInteger(10, number) && !name.trim().empty())
      names.byTag[number] = recording.addName(name.trim());
  }
}

void mindspore::readStepInfo(llvm::ArrayRef<StringRef> slices,
                             const TaskTable &table,
                             llvm::ArrayRef<TracePoint> points,
                             Recording &recording, PointNames &names) {
  constexpr size_t kSize = 64;
  constexpr uint16_t kMagic = 0x5a5a, kTag = 25;
  std::map<TaskId, uint8_t> tagOfTask;
  SliceReader bytes(slices);
  StringRef record;
  uint64_t foreign = 0;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    if (readLittle<uint16_t>(record, 0) == kMagic &&
        readLittle<uint16_t>(record, 2) == kTag)
      tagOfTask[{readLittle<uint32_t>(record, 8),
                 readLittle<uint32_t>(record, 12)}] = uint8_t(record[36]);
    else
      ++foreign;
    bytes.skip(kSize);
  }
  recording.addLoss("step record that is cut or not understood",
                    foreign + !record.empty());
  std::set<TaskId> recorder;
  for (const auto &entry : tagOfTask)
    recorder.insert(entry.first);
  for (const TracePoint &point : points)
    recorder.insert(point.task);
  // Other marks that are not among the points.
  for (const TaskTable::Row &row : table.getRows())
    if (recording.getOpType(recording.job.ops[row.op]) == "Profiling")
      recorder.insert(row.task);
  auto getName = [&](uint32_t op) {
    return op == kNone ? kNone : recording.job.ops[op].op;
  };
  for (auto [task, tag] : tagOfTask) {
    if (tag == 2)
      names.first = getName(table.findNext(task, recorder));
    else if (tag == 3)
      names.last = getName(table.findPrevious(task, recorder));
    else if (tag == 4)
      names.end = getName(table.findPrevious(task, recorder));
  }
  for (const TracePoint &point : points)
    if (point.kind == TracePoint::Kind::ReduceBegin &&
        !names.byTask.count(point.task))
      names.byTask[point.task] = getName(table.findNext(point.task, recorder));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Collects the points up to the end of a step.
class StepFormer {
public:
  StepFormer(const PointNames &names, Recording &recording)
      : names(names), recording(recording) {}

  void add(const TracePoint &point);
  void finish();

  bool skipsFirst = false;

private:
  void endStep(uint64_t end);
  void addCollectives(int64_t number);
  uint32_t getName(TracePoint::Kind kind) const;

  const PointNames &names;
  Recording &recording;
  int64_t number = 0;
  std::optional<uint64_t> begin, first, last;
  std::map<uint32_t, std::vector<TracePoint>> reduces;
  uint64_t incomplete = 0, unpaired = 0;
};
} // namespace

uint32_t StepFormer::getName(TracePoint::Kind kind) const {
  // Tags of the points in both layouts of files.
  static constexpr uint32_t kEnds[] = {65535, 255, 4};
  uint32_t named = kind == TracePoint::Kind::First  ? names.first
                   : kind == TracePoint::Kind::Last ? names.last
                                                    : names.end;
  if (named != kNone || names.byTag.empty())
    return named;
  auto find = [&](uint32_t tag) {
    auto it = names.byTag.find(tag);
    return it == names.byTag.end() ? kNone : it->second;
  };
  bool isOld = names.byTag.count(1);
  if (kind == TracePoint::Kind::First)
    return find(isOld ? 1 : 2);
  if (kind == TracePoint::Kind::Last)
    return find(isOld ? 2 : 3);
  for (uint32_t tag : kEnds)
    if ((tag == 4) != isOld && names.byTag.count(tag))
      return find(tag);
  return kNone;
}

void StepFormer::add(const TracePoint &point) {
  switch (point.kind) {
  case TracePoint::Kind::First:
    first = point.ticks;
    break;
  case TracePoint::Kind::Last:
    last = point.ticks;
    break;
  case TracePoint::Kind::End:
    endStep(point.ticks);
    break;
  case TracePoint::Kind::ReduceBegin:
  case TracePoint::Kind::ReduceEnd:
    reduces[point.task.first].push_back(point);
    break;
  }
}

void StepFormer::addCollectives(int64_t step) {
  for (auto &[stream, points] : reduces) {
    if (points.size() % 2) {
      unpaired += points.size();
      continue;
    }
    for (size_t i = 0; i != points.size(); i += 2) {
      const TracePoint &from = points[i], &to = points[i + 1];
      if (to.ticks < from.ticks) {
        unpaired += 2;
        continue;
      }
      Collective collective;
      collective.step = step;
      collective.stream = stream;
      collective.beginPs = recording.clock.toPs(from.ticks);
      collective.endPs = recording.clock.toPs(to.ticks);
      auto byTag = names.byTag.find(from.tag);
      auto byTask = names.byTask.find(from.task);
      if (byTag != names.byTag.end())
        collective.op = byTag->second;
      else if (byTask != names.byTask.end())
        collective.op = byTask->second;
      StringRef name = recording.job.getName(collective.op);
      recording.addEvent("collectives of stream " + std::to_string(stream),
                         name.empty() ? "collective" : name, kNone,
                         collective.beginPs, collective.endPs);
      recording.addCollective(collective);
    }
  }
}

void StepFormer::endStep(uint64_t end) {
  bool isSkipped = std::exchange(skipsFirst, false);
  number += !isSkipped;
  bool isComplete = first && last && *first <= end && *last <= end &&
                    *first <= *last && (!begin || *begin <= end);
  if (isComplete && !isSkipped) {
    StepPoints step;
    step.number = number;
    step.beginPs = recording.clock.toPs(begin.value_or(*first));
    step.firstPs = recording.clock.toPs(*first);
    step.lastPs = recording.clock.toPs(*last);
    step.endPs = recording.clock.toPs(end);
    step.firstOp = getName(TracePoint::Kind::First);
    step.lastOp = getName(TracePoint::Kind::Last);
    step.endOp = getName(TracePoint::Kind::End);
    recording.addStep(step);
    addCollectives(number);
  } else if (!isSkipped) {
    ++incomplete;
  }
  begin = end;
  first.reset();
  last.reset();
  reduces.clear();
}

void StepFormer::finish() {
  incomplete += first || last || !reduces.empty();
  recording.addLoss("step without all of its points, or with points that are "
                    "not in order",
                    incomplete);
  recording.addLoss("point of a collective without another one", unpaired);
}

void mindspore::addSteps(llvm::ArrayRef<TracePoint> points,
                         const PointNames &names, bool skipsFirst,
                         Recording &recording) {
  StepFormer former(names, recording);
  former.skipsFirst = skipsFirst;
  uint64_t far = 0;
  for (const TracePoint &point : points) {
    if (recording.clock.isNear(point.ticks))
      former.add(point);
    else
      ++far;
  }
  former.finish();
  recording.addLoss("point of a step at a time far from the others", far);
}
