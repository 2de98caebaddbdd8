//===- PerfScript.cpp - The output of perf script -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A sample is a header, then its frames, innermost first, and an empty line;
// without call chains the only frame is in the header's line. Code that
// mlir-prof compiled is identified by the names that it left for perf
// (--perf-map, --jitdump): "main: linalg.matmul mlp/fc1/matmul". Code in an
// object is identified by its debug lines, if a compiler on MLIR made them.

#include "../Common/Json/Decimal.h"
#include "../Common/Stacks.h"
#include "../Common/TextLines.h"
#include "../Importers.h"
#include "Kept.h"
#include "Lines.h"
#include "OwnCode.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static bool detectPerfScript(llvm::StringRef bytes) {
  constexpr unsigned kMostLines = 64;
  Header header;
  bool hasRecord = false;
  for (unsigned lines = 0; lines != kMostLines && !bytes.empty(); ++lines) {
    llvm::StringRef line = takeLine(bytes);
    // `perf script --header` begins with comments, --show-mmap-events with
    // mappings.
    Mapping mapping;
    bool isRecord = parseRecord(line, mapping) == RecordLine::Mapping;
    hasRecord |= isRecord;
    if (isRecord || line.trim().empty() || line.starts_with("#") ||
        parseRecord(line, mapping) == RecordLine::Other)
      continue;
    return parseHeader(line, header);
  }
  // A process may have mapped more files than that before its first sample.
  return hasRecord;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

namespace {

/// The meaning of the periods of an event.
enum class EventUse : uint8_t { Time, Cycles, Other };

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), stacks(builder, input),
        ownCode(input.objects, input.objectPlaces) {}

  llvm::Error read();

private:
  struct EventInfo {
    uint64_t samples = 0;
    uint64_t withoutPeriod = 0;
    int64_t period = 0;
    bool isEven = true;
  };

  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(number), what,
                      "Print it with perf script's default fields, or with "
                      "-F comm,tid,time,period,event,ip,sym,dso.");
  }
  llvm::Error readLine(llvm::StringRef line);
  llvm::Error beginSample(const Header &next);
  void beginFrames();
  bool addFrame(llvm::StringRef line);
  llvm::Error finishSample();
  StackValues getValues();
  void describe();

  const ImportInput &input;
  ProfileBuilder &builder;
  Stacks stacks;
  size_t number = 0;
  bool isOpen = false;
  Header header;
  /// Frames of the open sample, innermost first.
  std::vector<uint32_t> frames;
  bool hasOwnOp = false;
  OpKey ownOp;
  /// Whether there is an address on the header's line, which is the sampled one
  /// if frames follow.
  bool isHeaderFrame = false;
  std::map<std::string, EventInfo> events;
  std::set<int64_t> threads;
  uint64_t ownSamples = 0, otherLines = 0;
  OwnCode ownCode;
  KeptSamples kept;
};

} // namespace

static EventUse getUse(llvm::StringRef event) {
  // "cpu-clock:u", "cpu_core/cycles/"
  if (event.starts_with("cpu-clock") || event.starts_with("task-clock"))
    return EventUse::Time;
  llvm::StringRef name = event;
  if (size_t slash = name.find('/'); slash != llvm::StringRef::npos)
    name = name.drop_front(slash + 1);
  return name.starts_with("cycles") || name.starts_with("cpu-cycles")
             ? EventUse::Cycles
             : EventUse::Other;
}

StackValues Reader::getValues() {
  constexpr int64_t kPsPerNs = 1000;
  StackValues values;
  values.samples = 1;
  EventInfo &info = events[header.event.str()];
  info.isEven &= info.samples == 0 || info.period == header.period;
  info.period = header.period;
  ++info.samples;
  info.withoutPeriod += !header.hasPeriod;
  if (!header.hasPeriod)
    return values;
  switch (getUse(header.event)) {
  case EventUse::Time:
    stacks.hasTime = true;
    values.timePs = saturatingMul(header.period, kPsPerNs);
    break;
  case EventUse::Cycles:
    stacks.hasCycles = true;
    values.cycles = header.period;
    break;
  case EventUse::Other:
    break;
  }
  return values;
}

/// A sample in a library counts at the call by the model's code.
llvm::Error Reader::finishSample() {
  if (!isOpen)
    return llvm::Error::success();
  isOpen = false;
  StackValues values = getValues();
  threads.insert(header.thread);
  bool fits = true;
  KeptSamples::Origin from;
  if (hasOwnOp) {
    ++ownSamples;
    from.name = builder.addName(ownOp.op);
    from.op = stacks.add(std::move(ownOp), values);
  } else {
    from.name = frames.empty() ? builder.addName("(no stack)") : frames.front();
    fits = stacks.add(frames, values);
    from.stack = stacks.getLast();
    ownCode.miss(values.timePs);
  }
  if (input.keep != KeepEvents::Mode::None)
    kept.add(header, from, values.timePs);
  return fits ? llvm::Error::success() : stacks.tooLarge(input.where);
}

bool Reader::addFrame(llvm::StringRef line) {
  Frame frame;
  if (!parseFrame(line, frame))
    return false;
  if (hasOwnOp)
    ownCode.findInstance(header, frame, ownOp);
  else
    hasOwnOp = ownCode.find(header, frame, ownOp);
  std::string name = frame.symbol.str();
  if (frame.symbol == "[unknown]" && !frame.object.empty())
    name += " in " + frame.object.substr(frame.object.rfind('/') + 1).str();
  frames.push_back(stacks.addFrame(name));
  return true;
}

void Reader::beginFrames() {
  frames.clear();
  hasOwnOp = false;
  ownOp = OpKey();
  ownCode.beginSample();
}

llvm::Error Reader::beginSample(const Header &next) {
  if (llvm::Error error = finishSample())
    return error;
  header = next;
  isOpen = true;
  beginFrames();
  if (!header.frame.empty() && !addFrame(header.frame))
    ++otherLines;
  // "addr", without a symbol and an object, is the accessed address.
  isHeaderFrame = !frames.empty() && !header.frame.contains(' ');
  return llvm::Error::success();
}

llvm::Error Reader::readLine(llvm::StringRef line) {
  if (line.trim().empty())
    return finishSample();
  if (line.starts_with("#"))
    return llvm::Error::success();
  if (ownCode.takeRecord(line))
    return finishSample();
  Header next;
  if (parseHeader(line, next))
    return beginSample(next);
  if (!isOpen)
    return fail("is not a sample of perf: '" + line.trim().take_front(60) +
                "'");
  Frame frame;
  if (isHeaderFrame && parseFrame(line, frame)) {
    isHeaderFrame = false;
    beginFrames();
  }
  // Source lines, registers and other requested fields.
  if (!addFrame(line))
    ++otherLines;
  return llvm::Error::success();
}

void Reader::describe() {
  Run &run = builder.getRun();
  run.clock.name = "perf";
  run.facts.emplace_back("threads", std::to_string(threads.size()));
  run.facts.emplace_back("samples in code of mlir-prof",
                         std::to_string(ownSamples));
  for (const auto &[name, info] : events) {
    run.facts.emplace_back("event " + name,
                           std::to_string(info.samples) + " samples");
    if (info.withoutPeriod)
      builder.loss("samples of " + name + " without a period: counted only",
                   info.withoutPeriod, 0);
    else if (getUse(name) == EventUse::Other)
      builder.loss("periods of " + name + ": a profile has no place for them",
                   info.samples, 0);
    else if (getUse(name) == EventUse::Time && info.isEven &&
             events.size() == 1)
      run.samplePeriodPs = saturatingMul(info.period, 1000);
  }
  ownCode.describe(builder);
  if (otherLines)
    builder.loss("line of a sample that is no frame: not read", otherLines, 0);
  if (events.empty())
    builder.loss("no sample: nothing was measured", 1, 0);
}

llvm::Error Reader::read() {
  ReadPages pages(input.bytes.begin(), input.backing);
  stacks.hasSamples = true;
  for (llvm::StringRef rest = input.bytes; !rest.empty();) {
    ++number;
    if (llvm::Error error = readLine(takeLine(rest)))
      return error;
    // The current header refers to text that was read shortly before.
    if (!isOpen)
      pages.readTo(rest.data());
  }
  if (llvm::Error error = finishSample())
    return error;
  if (llvm::Error error = ownCode.checkObjects())
    return error;
  describe();
  stacks.finish();
  kept.finish(stacks, builder);
  return llvm::Error::success();
}

static llvm::Error readPerfScript(const ImportInput &input,
                                  ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::PerfScript() {
  return {"perf-script", "text that Linux's perf script prints",
          detectPerfScript, readPerfScript};
}
