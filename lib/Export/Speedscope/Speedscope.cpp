//===- Speedscope.cpp - Profiles for speedscope ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One "evented" profile per lane from single events, or one "sampled" profile
// of stacks. Times are nanoseconds as exact decimals of three digits.

#include "../Decimal.h"
#include "../Exporters.h"
#include "../Stacks/Stacks.h"
#include "../Timeline/Timeline.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static void writeNs(llvm::raw_ostream &os, int64_t ps) {
  writeDecimal(os, ps, 3);
}

static void writeHeader(llvm::ArrayRef<StackFrame> frames,
                        llvm::raw_ostream &os) {
  os << "{\"$schema\":"
        "\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\":"
     << quoteJson(("mlir-prof " + getVersion()).str())
     << ",\n\"shared\":{\"frames\":[";
  llvm::interleave(
      frames, os,
      [&](const StackFrame &frame) {
        os << "\n{\"name\":" << quoteJson(frame.name);
        if (!frame.file.empty())
          os << ",\"file\":" << quoteJson(frame.file);
        if (frame.line != 0)
          os << ",\"line\":" << frame.line;
        os << '}';
      },
      ",");
  os << "]},\n\"profiles\":[";
}

static void beginProfile(llvm::StringRef type, llvm::StringRef name,
                         llvm::StringRef unit, llvm::raw_ostream &os) {
  os << "\n{\"type\":\"" << type << "\",\"name\":" << quoteJson(name)
     << ",\"unit\":\"" << unit << "\",\"startValue\":";
}

static void beginTimes(llvm::StringRef type, llvm::StringRef name,
                       int64_t beginPs, int64_t endPs, llvm::raw_ostream &os) {
  beginProfile(type, name, "nanoseconds", os);
  writeNs(os, beginPs);
  os << ",\"endValue\":";
  writeNs(os, endPs);
}

/// Begins a profile of stacks with `total` in all. The format does not have
/// units of counts, so that one is in the name.
static void beginStacks(llvm::StringRef name, llvm::StringRef unit,
                        int64_t total, llvm::raw_ostream &os) {
  if (unit.empty())
    return beginTimes("sampled", name, 0, total, os);
  beginProfile("sampled", (name + ", " + unit).str(), "none", os);
  os << "0,\"endValue\":" << total;
}

static llvm::Error writeSampled(const ExportInput &input, StackKind kind,
                                llvm::raw_ostream &os) {
  auto tree = buildStacks(input, kind);
  if (!tree)
    return tree.takeError();
  std::vector<uint32_t> leaves = getTimedNodes(*tree, input);
  int64_t totalPs = 0;
  for (uint32_t leaf : leaves)
    totalPs = saturatingAdd(totalPs, tree->getNodes()[leaf].timePs);
  writeHeader(tree->getFrames(), os);
  beginStacks(("by " + getStackKindNames()[unsigned(kind)]).str(),
              input.countedUnit, totalPs, os);
  os << ",\"samples\":[";
  llvm::interleave(
      leaves, os,
      [&](uint32_t leaf) {
        os << "\n[";
        llvm::interleave(tree->getPath(leaf), os, ",");
        os << ']';
      },
      ",");
  os << "],\"weights\":[";
  llvm::interleave(
      leaves, os,
      [&](uint32_t leaf) {
        int64_t value = tree->getNodes()[leaf].timePs;
        if (input.countedUnit.empty())
          writeNs(os, value);
        else
          os << value;
      },
      ",");
  os << "]}]}\n";
  return llvm::Error::success();
}

namespace {
/// Writes a profile of single events for each lane.
class EventedWriter {
public:
  EventedWriter(const Profile &profile, const Timeline &timeline,
                llvm::raw_ostream &os)
      : profile(profile), timeline(timeline), os(os) {}

  void write();

private:
  void findFrames();
  uint32_t findOpLane(llvm::ArrayRef<std::vector<uint32_t>> events) const;
  void writeLane(uint32_t lane, llvm::ArrayRef<uint32_t> events);
  void writeSamples(uint32_t lane, llvm::ArrayRef<uint32_t> events);
  void writeEvent(char type, const TimelineLane &lane, size_t event,
                  int64_t ps);

  const Profile &profile;
  const Timeline &timeline;
  llvm::raw_ostream &os;
  StackTree frames;
  /// Indexed by name of the timeline.
  std::vector<uint32_t> frameOf;
  bool isFirst = true;
};
} // namespace

void EventedWriter::findFrames() {
  frameOf.assign(timeline.getNameCount(), kNone);
  for (uint32_t run = 0; run < profile.runs.size(); ++run)
    for (size_t event = 0; event < timeline.getEvents(run).size(); ++event) {
      uint32_t name = timeline.getName(run, event);
      if (frameOf[name] == kNone)
        frameOf[name] = frames.addFrame(timeline.getText(name));
    }
}

/// The lane in which ops took the most time, the most interesting one; the
/// first lane if no ops were measured.
uint32_t
EventedWriter::findOpLane(llvm::ArrayRef<std::vector<uint32_t>> events) const {
  uint32_t found = 0;
  int64_t most = 0;
  for (auto [index, own] : llvm::enumerate(events)) {
    uint32_t run = timeline.getLanes()[index].run;
    const EventColumns &kept = timeline.getEvents(run);
    int64_t timePs = 0;
    for (uint32_t event : own)
      if (kept.op[event] != kNone || timeline.getSamples(run, event))
        timePs = saturatingAdd(timePs, kept.durationPs[event]);
    if (timePs > most) {
      most = timePs;
      found = uint32_t(index);
    }
  }
  return found;
}

void EventedWriter::writeEvent(char type, const TimelineLane &lane,
                               size_t event, int64_t ps) {
  os << (isFirst ? "\n" : ",\n") << "{\"type\":\"" << type
     << "\",\"frame\":" << frameOf[timeline.getName(lane.run, event)]
     << ",\"at\":";
  writeNs(os, ps);
  os << '}';
  isFirst = false;
}

void EventedWriter::writeLane(uint32_t index, llvm::ArrayRef<uint32_t> events) {
  const TimelineLane &lane = timeline.getLanes()[index];
  int64_t beginPs = timeline.getBeginPs(lane.run, events.front());
  int64_t endPs = beginPs;
  for (uint32_t event : events)
    endPs = std::max(endPs, timeline.getEndPs(lane.run, event));
  beginTimes("evented", timeline.getGroup(lane) + ": " + timeline.getName(lane),
             beginPs, endPs, os);
  os << ",\"events\":[";
  isFirst = true;
  timeline.walk(
      lane.run, events,
      [&](size_t event) {
        writeEvent('O', lane, event, timeline.getBeginPs(lane.run, event));
      },
      [&](size_t event) {
        writeEvent('C', lane, event, timeline.getEndPs(lane.run, event));
      });
  os << "]}";
}

/// Writes a thread of samples: each is one entry, with its part of the time of
/// its interval; time between intervals does not have a frame.
void EventedWriter::writeSamples(uint32_t index,
                                 llvm::ArrayRef<uint32_t> events) {
  const TimelineLane &lane = timeline.getLanes()[index];
  std::vector<std::pair<uint32_t, int64_t>> samples;
  int64_t beginPs = timeline.getBeginPs(lane.run, events.front());
  int64_t atPs = beginPs;
  for (uint32_t event : events) {
    int64_t restPs = timeline.getEndPs(lane.run, event);
    int64_t gapPs = saturatingSub(timeline.getBeginPs(lane.run, event), atPs);
    if (gapPs > 0)
      samples.emplace_back(kNone, gapPs);
    atPs = restPs;
    restPs -= timeline.getBeginPs(lane.run, event);
    for (uint64_t left = timeline.getSamples(lane.run, event); left; --left) {
      int64_t partPs = restPs / int64_t(left);
      samples.emplace_back(frameOf[timeline.getName(lane.run, event)], partPs);
      restPs -= partPs;
    }
  }
  beginTimes("sampled", timeline.getGroup(lane) + ": " + timeline.getName(lane),
             beginPs, atPs, os);
  os << ",\"samples\":[";
  llvm::interleave(
      samples, os,
      [&](const auto &sample) {
        os << '[';
        if (sample.first != kNone)
          os << sample.first;
        os << ']';
      },
      ",");
  os << "],\"weights\":[";
  llvm::interleave(
      samples, os, [&](const auto &sample) { writeNs(os, sample.second); },
      ",");
  os << "]}";
}

void EventedWriter::write() {
  findFrames();
  writeHeader(frames.getFrames(), os);
  std::vector<std::vector<uint32_t>> events = timeline.getEventsOfLanes();
  for (uint32_t lane = 0; lane < events.size(); ++lane) {
    os << (lane ? "," : "");
    if (timeline.getSamples(timeline.getLanes()[lane].run,
                            events[lane].front()))
      writeSamples(lane, events[lane]);
    else
      writeLane(lane, events[lane]);
  }
  os << "],\n\"activeProfileIndex\":" << findOpLane(events) << "}\n";
}

static llvm::Error writeSpeedscope(const ExportInput &input,
                                   llvm::raw_ostream &os) {
  bool hasEvents = llvm::any_of(input.profile.runs, [](const Run &run) {
    return !run.kept.empty() || ScopeEvents::isFor(run);
  });
  // Counts do not have places in time.
  if (input.stacks || !hasEvents || !input.countedUnit.empty())
    return writeSampled(input, getStackKind(input), os);
  auto timeline = Timeline::make(input);
  if (!timeline)
    return timeline.takeError();
  EventedWriter(input.profile, *timeline, os).write();
  return llvm::Error::success();
}

Exporter exporter::Speedscope() {
  return {"speedscope",
          "speedscope: stacks, or single events where the profile keeps them",
          ExportNeeds::Events,
          writeSpeedscope,
          /*hasStacks=*/true,
          ExportCounts::All};
}
