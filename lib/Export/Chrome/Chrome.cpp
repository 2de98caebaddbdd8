//===- Chrome.cpp - Chrome's JSON traces ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Complete events ("X"), a line each. "ts" and "dur" are microseconds as exact
// decimals: their six digits are picoseconds. Arguments tell people what was
// measured. To restore the same profile on import, the op keys follow the
// events, as the JSON form of a profile that contains nothing else.

#include "../Decimal.h"
#include "../Exporters.h"
#include "../Timeline/OpText.h"
#include "../Timeline/Timeline.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

class ChromeWriter {
public:
  ChromeWriter(const ExportInput &input, const Timeline &timeline,
               llvm::raw_ostream &os)
      : input(input), timeline(timeline), os(os), ops(input),
        names(timeline.getNameCount()), args(input.profile.opKeys.size()) {
    zeroPs = timeline.getZeroPs();
  }

  void write();

private:
  void writeNames();
  void writeName(llvm::StringRef kind, uint32_t process, uint32_t thread,
                 llvm::StringRef name);
  void writeOrder(uint32_t process, uint32_t thread);
  void writeEvent(uint32_t run, size_t event);
  void writeSlice(uint32_t run, size_t event);
  std::string getScopeArgs(uint32_t run, size_t event);
  bool isOnDevice(uint32_t run, size_t event) const {
    uint32_t track = timeline.getEvents(run).track[event];
    return input.profile.runs[run].tracks[track].device != kNone;
  }
  void writeArrow(uint32_t run, size_t event);
  void writeArrow(uint32_t run, size_t from, size_t to,
                  llvm::StringRef category, llvm::StringRef name);
  void writeKeys();
  const std::string &getArgs(uint32_t op);
  void beginLine() {
    os << (isFirst ? "\n" : ",\n");
    isFirst = false;
  }

  const ExportInput &input;
  const Timeline &timeline;
  llvm::raw_ostream &os;
  OpText ops;
  /// As written in the file, computed on demand.
  std::vector<std::string> names;
  std::vector<std::string> args;
  /// The keys of events, in order of first use.
  Profile keys;
  /// The process of each lane.
  std::vector<uint32_t> processes;
  bool isFirst = true;
  uint64_t arrows = 0;
  /// The origin of times, in whole ns, since viewers do not accept times below
  /// 0.
  int64_t zeroPs = 0;
};

} // namespace

void ChromeWriter::writeName(llvm::StringRef kind, uint32_t process,
                             uint32_t thread, llvm::StringRef name) {
  beginLine();
  os << "{\"ph\":\"M\",\"name\":\"" << kind << "\",\"pid\":" << process
     << ",\"tid\":" << thread << ",\"args\":{\"name\":" << quoteJson(name)
     << "}}";
}

void ChromeWriter::writeOrder(uint32_t process, uint32_t thread) {
  beginLine();
  os << "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" << process
     << ",\"tid\":" << thread << ",\"args\":{\"sort_index\":" << thread << "}}";
}

/// Processes are numbered from 1 in the order of their first lane, threads are
/// lanes.
void ChromeWriter::writeNames() {
  std::map<std::string, uint32_t> numbers;
  for (auto [index, lane] : llvm::enumerate(timeline.getLanes())) {
    std::string group = timeline.getGroup(lane);
    auto [entry, inserted] =
        numbers.try_emplace(group, uint32_t(numbers.size() + 1));
    if (inserted)
      writeName("process_name", entry->second, 0, group);
    processes.push_back(entry->second);
    writeName("thread_name", entry->second, uint32_t(index + 1),
              timeline.getName(lane));
    writeOrder(entry->second, uint32_t(index + 1));
  }
}

const std::string &ChromeWriter::getArgs(uint32_t op) {
  std::string &text = args[op];
  if (!text.empty())
    return text;
  // The name that JAX and TensorFlow use.
  bool isHlo = input.profile.opKeys[op].is<HloInstructionKey>();
  text = ",\"args\":{";
  for (const auto &[key, value] : ops.describe(op)) {
    bool isRenamed = isHlo && (key == "op" || key == "module");
    text += (text.back() == '{' ? "" : ",") +
            quoteJson(isRenamed ? ("hlo_" + key).str() : key.str()) + ":" +
            quoteJson(value);
  }
  text += (text.back() == '{' ? "" : ",");
  text += "\"op_key\":" + std::to_string(keys.opKeys.size()) + "}";
  keys.opKeys.push_back(input.profile.opKeys[op]);
  return text;
}

/// The content of an interval of samples, in the generic form of
/// docs/formats.md.
void ChromeWriter::writeSlice(uint32_t run, size_t event) {
  const SliceText &slice = timeline.getSlice(run, event);
  os << ",\"cat\":\"samples\",\"args\":{";
  if (!slice.op.empty())
    os << "\"op\":" << quoteJson(slice.op) << ',';
  if (!slice.location.empty())
    os << "\"location\":" << quoteJson(slice.location) << ',';
  if (!slice.owners.empty())
    os << "\"mlir_index\":" << quoteJson(slice.owners) << ',';
  os << "\"samples\":" << timeline.getSamples(run, event) << '}';
}

/// The arguments of an event that is a scope, after those of its op.
std::string ChromeWriter::getScopeArgs(uint32_t run, size_t event) {
  const ScopeEvents *scopes = timeline.getScopes(run);
  uint32_t op = timeline.getEvents(run).op[event];
  std::string text = op == kNone
                         ? ",\"args\":{"
                         : getArgs(op).substr(0, getArgs(op).size() - 1);
  for (const auto &[key, value] :
       describeScope(scopes->getRecording(), scopes->getScope(event)))
    text += (text.back() == '{' ? "" : ",") + quoteJson(key) + ":" +
            quoteJson(value);
  return text + "}";
}

/// The arrow to a scope from its part before, or from the one that started it
/// on another thread; to work of a device from the call that launched it, and
/// to other events from those that the recording connects with them.
void ChromeWriter::writeArrow(uint32_t run, size_t event) {
  const ScopeEvents *scopes = timeline.getScopes(run);
  const ScopeEvents::Arrow *arrow = scopes ? scopes->findArrow(event) : nullptr;
  if (arrow)
    writeArrow(run, arrow->from, event, "scope",
               arrow->isContinuation ? "continued" : "started");
  if (uint32_t launch = timeline.getLaunch(run, event); launch != kNone)
    isOnDevice(run, event)
        ? writeArrow(run, launch, event, "launch", "launched")
        : writeArrow(run, launch, event, "flow", "followed");
}

void ChromeWriter::writeArrow(uint32_t run, size_t from, size_t to,
                              llvm::StringRef category, llvm::StringRef name) {
  ++arrows;
  // Viewers draw an end of an arrow at the innermost event of its moment, which
  // is certain only where an event begins.
  auto write = [&](llvm::StringRef phase, size_t at) {
    uint32_t lane = timeline.getLane(run, at);
    beginLine();
    os << "{\"ph\":\"" << phase << "\",\"id\":" << arrows << ",\"cat\":\""
       << category << "\",\"name\":\"" << name
       << "\",\"pid\":" << processes[lane] << ",\"tid\":" << lane + 1
       << ",\"ts\":";
    writeDecimal(os, saturatingSub(timeline.getBeginPs(run, at), zeroPs), 6);
    os << (phase == "f" ? ",\"bp\":\"e\"}" : "}");
  };
  write("s", from);
  write("f", to);
}

void ChromeWriter::writeKeys() {
  if (keys.opKeys.empty())
    return;
  os << ",\"mlirProfOpKeys\":";
  writeProfileJson(keys, os);
}

void ChromeWriter::writeEvent(uint32_t run, size_t event) {
  const EventColumns &kept = timeline.getEvents(run);
  uint32_t lane = timeline.getLane(run, event);
  uint32_t number = timeline.getName(run, event);
  std::string &name = names[number];
  if (name.empty())
    name = quoteJson(timeline.getText(number));
  int64_t beginPs = timeline.getBeginPs(run, event);
  beginLine();
  os << "{\"ph\":\"X\",\"name\":" << name << ",\"pid\":" << processes[lane]
     << ",\"tid\":" << lane + 1 << ",\"ts\":";
  writeDecimal(os, saturatingSub(beginPs, zeroPs), 6);
  os << ",\"dur\":";
  writeDecimal(os, kept.durationPs[event], 6);
  if (timeline.getScopes(run))
    os << (kept.op[event] == kNone ? ",\"cat\":\"scope\"" : ",\"cat\":\"op\"")
       << getScopeArgs(run, event);
  else if (kept.op[event] != kNone)
    os << ",\"cat\":\"op\"" << getArgs(kept.op[event]);
  else if (timeline.getSamples(run, event))
    writeSlice(run, event);
  else if (timeline.isPart(run, event))
    os << ",\"cat\":\"phase\"";
  os << '}';
  writeArrow(run, event);
}

void ChromeWriter::write() {
  os << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":"
     << quoteJson(("mlir-prof " + getVersion()).str());
  if (std::optional<int64_t> anchor = timeline.getAnchorNs())
    os << ",\"clock_anchor_ns\":\"" << saturatingAdd(*anchor, zeroPs / 1000)
       << '"';
  os << "},\"traceEvents\":[";
  writeNames();
  for (uint32_t run = 0; run < input.profile.runs.size(); ++run)
    timeline.walk(
        run, {}, [&](size_t event) { writeEvent(run, event); }, [](size_t) {});
  os << "\n]";
  writeKeys();
  os << "}\n";
}

static llvm::Error writeChrome(const ExportInput &input,
                               llvm::raw_ostream &os) {
  auto timeline = Timeline::make(input);
  if (!timeline)
    return timeline.takeError();
  ChromeWriter(input, *timeline, os).write();
  return llvm::Error::success();
}

Exporter exporter::Chrome() {
  return {"chrome-json",
          "Chrome's JSON trace of single events (Perfetto, tracing)",
          ExportNeeds::Events, writeChrome};
}
