//===- Json.cpp - Light-weight profiling's records ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The records that the runtime kept, a begin and an end of each: "ret" is an
// offset in the text section, "cyc" the cycle counter. Those of one thread are
// adjacent and nest; "thread" distinguishes threads, for readers that support
// it. "loop_counts" has the executions of each id, recorded or not.

#include "llvm/Support/JSON.h"
#include "../Exporters.h"
#include "Regions.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::exporter::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {

/// Converts picoseconds to ticks by the clock facts that an importer stored.
class Cycles {
public:
  explicit Cycles(const Run &run) {
    for (const auto &[name, value] : run.facts) {
      uint64_t number;
      if (llvm::StringRef(value).getAsInteger(10, number) || number == 0)
        continue;
      if (name == "clock ticks")
        ticks = number;
      if (name == "clock ticks took ps")
        picoseconds = number;
    }
  }
  uint64_t operator()(int64_t ps) const {
    // The nearest tick: times were rounded down to whole picoseconds.
    unsigned __int128 wide = ps > 0 ? uint64_t(ps) : 0;
    return uint64_t((wide * ticks + picoseconds / 2) / picoseconds);
  }

private:
  uint64_t ticks = 1;
  uint64_t picoseconds = 1000;
};

struct Open {
  uint32_t region;
  int64_t endPs;
  uint64_t address;
};

class EntryWriter {
public:
  EntryWriter(const Profile &profile, llvm::ArrayRef<Region> regions,
              llvm::json::OStream &json)
      : profile(profile), regions(regions), json(json), programs(profile) {
    uint32_t total = 0;
    for (const Program &program : profile.programs) {
      first.push_back(total);
      total += uint32_t(program.probes.size());
    }
  }

  void write(const Run &run);

private:
  void writeTrack(const Run &run, const Cycles &cycles,
                  llvm::ArrayRef<size_t> events);
  void writeEntry(uint64_t address, uint32_t id, uint64_t cycle);

  /// The number of the current track, over all runs.
  uint32_t thread = 0;
  uint32_t getRegion(const Run &run, size_t event) const;

  const Profile &profile;
  llvm::ArrayRef<Region> regions;
  llvm::json::OStream &json;
  ProgramIndex programs;
  std::vector<uint32_t> first;
};

} // namespace

void EntryWriter::writeEntry(uint64_t address, uint32_t id, uint64_t cycle) {
  json.object([&] {
    json.attribute("ret", address);
    json.attribute("id", id);
    json.attribute("cyc", cycle);
    json.attribute("thread", thread);
  });
}

uint32_t EntryWriter::getRegion(const Run &run, size_t event) const {
  uint32_t op = run.kept.op[event];
  if (op >= profile.opKeys.size() || !profile.opKeys[op].is<ProbeKey>())
    return kNone;
  MeasuredNode measured = programs.find(profile.opKeys[op]);
  return measured.index == kNone ? kNone
                                 : first[measured.program] + measured.index;
}

/// The code position from the record if it has one, else the region's code.
static std::pair<uint64_t, uint64_t> getCode(const Run &run, size_t event,
                                             const Region &region) {
  std::pair<uint64_t, uint64_t> code(region.begin, region.end);
  if (run.kept.beginCode.empty())
    return code;
  if (run.kept.beginCode[event] > 0)
    code.first = uint64_t(run.kept.beginCode[event]);
  if (run.kept.endCode[event] > 0)
    code.second = uint64_t(run.kept.endCode[event]);
  return code;
}

void EntryWriter::writeTrack(const Run &run, const Cycles &cycles,
                             llvm::ArrayRef<size_t> events) {
  std::vector<Open> stack;
  auto closeUntil = [&](int64_t beginPs) {
    while (!stack.empty() && stack.back().endPs <= beginPs) {
      const Open &open = stack.back();
      writeEntry(open.address, regions[open.region].id, cycles(open.endPs));
      stack.pop_back();
    }
  };
  for (size_t event : events) {
    uint32_t region = getRegion(run, event);
    if (region == kNone)
      continue;
    int64_t beginPs = run.kept.beginPs[event];
    closeUntil(beginPs);
    auto [begin, end] = getCode(run, event, regions[region]);
    writeEntry(begin, regions[region].id, cycles(beginPs));
    stack.push_back(
        {region, saturatingAdd(beginPs, run.kept.durationPs[event]), end});
  }
  closeUntil(std::numeric_limits<int64_t>::max());
}

void EntryWriter::write(const Run &run) {
  std::vector<std::vector<size_t>> tracks(run.tracks.size());
  for (size_t event = 0; event < run.kept.size(); ++event)
    if (run.kept.track[event] < tracks.size())
      tracks[run.kept.track[event]].push_back(event);
  for (const std::vector<size_t> &events : tracks) {
    if (events.empty())
      continue;
    writeTrack(run, Cycles(run), events);
    ++thread;
  }
}

static llvm::Error writeJson(const ExportInput &input, llvm::raw_ostream &os) {
  const Profile &profile = input.profile;
  llvm::Expected<std::vector<Region>> regions = collectRegions(input);
  if (!regions)
    return regions.takeError();
  if (llvm::none_of(*regions, [](const Region &r) { return r.hasCount; }))
    return inputError(input.where,
                      "was sampled: it does not contain loop counts",
                      "Use --format=lwp-csv, or record with "
                      "--mode=instrument.");
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attributeArray("entries", [&] {
      EntryWriter writer(profile, *regions, json);
      for (const Run &run : profile.runs)
        writer.write(run);
    });
    json.attributeArray("loop_counts", [&] {
      for (const Region &region : *regions)
        json.value(region.count);
    });
  });
  os << '\n';
  return llvm::Error::success();
}

Exporter exporter::LwpJson() {
  return {"lwp-json",           "records of light-weight profiling",
          ExportNeeds::Profile, writeJson,
          /*hasStacks=*/false,  ExportCounts::Cycles};
}
