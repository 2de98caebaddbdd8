//===- StepFile.cpp - Points of steps by ops of a GPU ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "Host.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Times in nanoseconds, which the recording's clock counts.
struct Span {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// The executions of an op that marks a point: a line of the file.
struct PointLine {
  StringRef op;
  std::vector<Span> spans;
};

/// The synchronous form: a line for each op.
class OpLines {
public:
  explicit OpLines(Recording &recording) : recording(recording) {}
  void read(StringRef text);

private:
  void addStep(int64_t number, uint64_t begin, Span first, Span last, Span end);
  void addCollectives(int64_t number, uint64_t begin, uint64_t end,
                      std::optional<size_t> index);
  void addByPosition();
  void addByTime();

  Recording &recording;
  std::vector<PointLine> lines;
  uint64_t foreign = 0, incomplete = 0;
};

} // namespace

static void skipBlanks(StringRef &text) { text = text.ltrim(" \t\r"); }

/// Takes the text up to a blank.
static StringRef takeWord(StringRef &text) {
  skipBlanks(text);
  StringRef word = text.take_until([](char c) { return c == ' '; });
  text = text.drop_front(word.size());
  return word.rtrim("\r");
}

static bool parseSpan(StringRef text, uint64_t nsPerUnit, Span &span) {
  auto [begin, end] = text.split(',');
  return !begin.getAsInteger(10, span.begin) &&
         !end.getAsInteger(10, span.end) && span.begin <= span.end &&
         span.end <= UINT64_MAX / nsPerUnit &&
         (span.begin *= nsPerUnit, span.end *= nsPerUnit, true);
}

//===----------------------------------------------------------------------===//
// A line for each op
//===----------------------------------------------------------------------===//

void OpLines::addCollectives(int64_t number, uint64_t begin, uint64_t end,
                             std::optional<size_t> index) {
  constexpr size_t kPoints = 3;
  for (const PointLine &line : llvm::ArrayRef(lines).drop_front(kPoints)) {
    for (auto [position, span] : llvm::enumerate(line.spans)) {
      bool isInStep =
          index ? position == *index : span.begin >= begin && span.begin < end;
      if (!isInStep)
        continue;
      Collective collective;
      collective.step = number;
      collective.op = recording.addName(line.op);
      collective.beginPs = recording.clock.toPs(span.begin);
      collective.endPs = recording.clock.toPs(span.end);
      recording.addCollective(collective);
    }
  }
}

void OpLines::addStep(int64_t number, uint64_t begin, Span first, Span last,
                      Span end) {
  if (begin > first.begin || first.begin > last.end || last.end > end.end) {
    ++incomplete;
    return;
  }
  StepPoints step;
  step.number = number;
  step.beginPs = recording.clock.toPs(begin);
  step.firstPs = recording.clock.toPs(first.begin);
  step.lastPs = recording.clock.toPs(last.end);
  step.endPs = recording.clock.toPs(end.end);
  step.firstOp = recording.addName(lines[0].op);
  step.lastOp = recording.addName(lines[1].op);
  step.endOp = recording.addName(lines[2].op);
  recording.addStep(step);
}

void OpLines::addByPosition() {
  size_t count = lines[0].spans.size();
  for (size_t i = 0; i != count; ++i) {
    Span first = lines[0].spans[i], end = lines[2].spans[i];
    uint64_t begin = i ? lines[2].spans[i - 1].end : first.begin;
    addStep(int64_t(i) + 1, begin, first, lines[1].spans[i], end);
    addCollectives(int64_t(i) + 1, begin, end.end, i);
  }
}

/// Each execution of the last op ends a step, which has the points since the
/// one before.
void OpLines::addByTime() {
  std::optional<uint64_t> begin;
  size_t used = 0;
  llvm::ArrayRef<Span> ends = lines[2].spans;
  for (size_t index = 0; index != ends.size(); ++index) {
    Span end = ends[index];
    auto find = [&](const PointLine &line) -> const Span * {
      for (const Span &span : line.spans)
        if (span.begin >= begin.value_or(0) && span.end <= end.end)
          return &span;
      return nullptr;
    };
    const Span *first = find(lines[0]), *last = find(lines[1]);
    int64_t number = int64_t(index) + 1;
    if (first && last) {
      uint64_t from = begin.value_or(first->begin);
      addStep(number, from, *first, *last, end);
      addCollectives(number, from, end.end, std::nullopt);
      ++used;
    } else {
      ++incomplete;
    }
    begin = end.end;
  }
  for (size_t i = 0; i != 2; ++i)
    recording.addLoss("point of a step without the others",
                      lines[i].spans.size() -
                          std::min(used, lines[i].spans.size()));
}

void OpLines::read(StringRef text) {
  constexpr uint64_t kNsPerUnit = 10;
  while (!text.empty()) {
    StringRef line = takeLine(text);
    PointLine point;
    point.op = takeWord(line);
    for (StringRef word; !(word = takeWord(line)).empty();) {
      Span span;
      if (parseSpan(word, kNsPerUnit, span))
        point.spans.push_back(span);
      else
        ++foreign;
    }
    if (!point.op.empty())
      lines.push_back(std::move(point));
  }
  for (const PointLine &line : lines)
    for (const Span &span : line.spans)
      recording.clock.see(span.begin);
  constexpr size_t kPoints = 3;
  if (lines.size() < kPoints) {
    recording.addLoss("step file without the three ops that mark steps", 1);
    return;
  }
  bool areEqual = llvm::all_of(lines, [&](const PointLine &line) {
    return line.spans.size() == lines[0].spans.size();
  });
  if (areEqual)
    addByPosition();
  else
    addByTime();
  recording.addLoss("time of a step that is not understood", foreign);
  recording.addLoss("step without all of its points, or with points that are "
                    "not in order",
                    incomplete);
}

//===----------------------------------------------------------------------===//
// A line for each step
//===----------------------------------------------------------------------===//

namespace {
struct NamedTime {
  StringRef op;
  uint64_t ns = 0;
};
struct StepLine {
  NamedTime points[4];
  std::vector<std::pair<StringRef, Span>> collectives;
};
} // namespace

static bool parseStepLine(StringRef line, StepLine &step) {
  for (NamedTime &point : step.points) {
    auto [op, time] = takeWord(line).rsplit(',');
    if (op.empty() || time.getAsInteger(10, point.ns))
      return false;
    point.op = op;
  }
  for (StringRef word; !(word = takeWord(line)).empty();) {
    auto [front, end] = word.rsplit(',');
    auto [op, begin] = front.rsplit(',');
    Span span;
    if (begin.getAsInteger(10, span.begin) || end.getAsInteger(10, span.end) ||
        span.begin > span.end)
      return false;
    step.collectives.emplace_back(op, span);
  }
  return true;
}

/// False if the points are not in order.
static bool addStepLine(const StepLine &line, int64_t number,
                        Recording &recording) {
  for (size_t i = 1; i != std::size(line.points); ++i)
    if (line.points[i - 1].ns > line.points[i].ns)
      return false;
  const TickClock &clock = recording.clock;
  StepPoints step;
  step.number = number;
  step.beginPs = clock.toPs(line.points[0].ns);
  step.firstPs = clock.toPs(line.points[1].ns);
  step.lastPs = clock.toPs(line.points[2].ns);
  step.endPs = clock.toPs(line.points[3].ns);
  step.firstOp = recording.addName(line.points[1].op);
  step.lastOp = recording.addName(line.points[2].op);
  step.endOp = recording.addName(line.points[3].op);
  recording.addStep(step);
  for (const auto &[op, span] : line.collectives) {
    Collective collective;
    collective.step = number;
    collective.op = recording.addName(op);
    collective.beginPs = clock.toPs(span.begin);
    collective.endPs = clock.toPs(span.end);
    recording.addCollective(collective);
  }
  return true;
}

static void readStepLines(StringRef text, Recording &recording) {
  std::vector<std::optional<StepLine>> lines;
  while (!text.empty()) {
    StringRef line = takeLine(text).trim();
    if (line.empty())
      continue;
    StepLine step;
    if (parseStepLine(line, step)) {
      for (const NamedTime &point : step.points)
        recording.clock.see(point.ns);
      lines.emplace_back(std::move(step));
    } else {
      lines.emplace_back();
    }
  }
  uint64_t incomplete = 0;
  for (auto [index, line] : llvm::enumerate(lines))
    incomplete += !line || !addStepLine(*line, int64_t(index) + 1, recording);
  recording.addLoss("step without all of its points, or with points that are "
                    "not in order",
                    incomplete);
}

void mindspore::readStepFile(StringRef text, Recording &recording) {
  // "op,time op,time ..." or "op begin,end begin,end ...".
  StringRef begin = text.ltrim();
  if (takeWord(begin).contains(','))
    readStepLines(text, recording);
  else
    OpLines(recording).read(text);
}
