//===- Regions.cpp - Functions and loops with their times -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "../Stacks/ProgramStacks.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::exporter::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Number of loops around each loop; parents come first.
static void setDepths(std::vector<Region> &regions) {
  for (Region &region : regions) {
    if (region.parent == kNone)
      continue;
    const Region &parent = regions[region.parent];
    region.depth = parent.isFunction ? 0 : parent.depth + 1;
  }
}

static void setFunctions(const Profile &profile, std::vector<Region> &regions) {
  for (uint32_t index = 0; index < profile.programs.size(); ++index) {
    const Program &program = profile.programs[index];
    std::vector<uint32_t> functions = findFunctions(program);
    for (Region &region : regions) {
      if (region.program != index || region.node >= functions.size())
        continue;
      uint32_t function = functions[region.node];
      if (function != kNone)
        region.function =
            getString(program, program.nodes[function].name).str();
    }
  }
}

/// One region per probe, measured or not, so that positions are ids.
static std::vector<Region> regionsOfProbes(const Profile &profile) {
  std::vector<Region> regions;
  for (uint32_t index = 0; index < profile.programs.size(); ++index) {
    uint32_t first = uint32_t(regions.size());
    for (const ProgramProbe &probe : profile.programs[index].probes) {
      Region &region = regions.emplace_back();
      region.program = index;
      region.node = probe.node;
      region.id = uint32_t(regions.size() - 1);
      region.parent = probe.parent == kNone ? kNone : first + probe.parent;
      region.isFunction = probe.kind == ProbeKind::Function;
      // Not the number of probes around it: a loop may lack a probe, or have
      // two.
      region.depth = probe.depth;
      region.hasCount = true;
    }
  }
  return regions;
}

/// Adds the measurements of probes; returns whether there are any.
static bool addProbes(const Profile &profile, std::vector<Region> &regions) {
  std::vector<uint32_t> first;
  uint32_t total = 0;
  for (const Program &program : profile.programs) {
    first.push_back(total);
    total += uint32_t(program.probes.size());
  }
  ProgramIndex programs(profile);
  bool found = false;
  for (const OpSummary &op : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[op.op];
    if (!key.is<ProbeKey>() || op.measurements.empty())
      continue;
    MeasuredNode measured = programs.find(key);
    if (measured.index == kNone)
      continue;
    Region &region = regions[first[measured.program] + measured.index];
    // Without cycles, a profile provides nanoseconds.
    int64_t cycles = op.find(Quantity::Cycles)
                         ? op.getSum(Quantity::Cycles)
                         : op.getSum(Quantity::Execute) / 1000;
    region.cycles = saturatingAdd(region.cycles, cycles);
    region.count += op.getCount();
    found = true;
  }
  return found;
}

/// Adds the functions and loops of one level of a program. Returns the region
/// of each of its nodes.
static std::vector<uint32_t> addNodes(const Program &program, uint32_t index,
                                      llvm::StringRef level,
                                      std::vector<Region> &regions) {
  return descend(program, kNone, [&](uint32_t node, uint32_t above) {
    const ProgramNode &info = program.nodes[node];
    bool isFunction = info.kind == NodeKind::Function;
    if (program.levels[info.level] != level ||
        (!isFunction && info.kind != NodeKind::Loop))
      return above;
    Region &region = regions.emplace_back();
    region.program = index;
    region.node = node;
    region.id = uint32_t(regions.size() - 1);
    region.parent = above;
    region.isFunction = isFunction;
    return region.id;
  });
}

static std::vector<Region> regionsOfSamples(const Profile &profile) {
  std::string level = chooseLoopLevel(profile);
  std::vector<Region> regions;
  std::vector<std::vector<uint32_t>> regionOf;
  for (uint32_t index = 0; index < profile.programs.size(); ++index)
    regionOf.push_back(
        addNodes(profile.programs[index], index, level, regions));
  LevelTimes times = getLevelTimes(profile, level);
  std::vector<int64_t> picoseconds(regions.size());
  for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
    const ProgramRow &at = times.match.rows[row];
    if (at.program >= regionOf.size() || at.node >= regionOf[at.program].size())
      continue;
    uint32_t region = regionOf[at.program][at.node];
    if (region != kNone)
      picoseconds[region] =
          saturatingAdd(picoseconds[region], times.getTotalPs(row));
  }
  for (size_t region = regions.size(); region-- > 0;) {
    regions[region].cycles = picoseconds[region] / 1000;
    uint32_t parent = regions[region].parent;
    if (parent != kNone)
      picoseconds[parent] =
          saturatingAdd(picoseconds[parent], picoseconds[region]);
  }
  return regions;
}

llvm::Expected<std::vector<Region>>
lwp::collectRegions(const ExportInput &input) {
  const Profile &profile = input.profile;
  std::vector<Region> regions = regionsOfProbes(profile);
  if (!addProbes(profile, regions)) {
    regions = regionsOfSamples(profile);
    if (llvm::none_of(regions, [](const Region &r) { return r.cycles != 0; }))
      return inputError(input.where,
                        "does not contain times of functions or loops",
                        "Record one with mlir-prof record.");
    setDepths(regions);
  }
  setFunctions(profile, regions);
  for (uint32_t index = 0; index < profile.programs.size(); ++index)
    findCode(profile, index, regions);
  return std::move(regions);
}
