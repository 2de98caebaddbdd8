//===- LoopTable.cpp - The loops of programs and their times --------------===//
//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTable.h"
#include "mlir-prof/Profile/ValueSums.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

LoopTable::LoopTable(const Profile &profile, llvm::ArrayRef<OpSummary> merged,
                     llvm::StringRef level)
    : times(getLevelTimes(profile, level)), profile(profile),
      sampled(profile.programs.size()), probed(profile.programs.size()) {
  for (const Program &program : profile.programs)
    indices.push_back(getOpIndices(program));
  findLoops(level);
  nest();
  chargeSamples();
  chargeProbes(merged);
  observe();
}

void LoopTable::findLoops(llvm::StringRef level) {
  for (uint32_t program = 0; program < profile.programs.size(); ++program) {
    const Program &info = profile.programs[program];
    uint32_t index = findLevel(info, level);
    for (uint32_t node = 0; node < info.nodes.size(); ++node)
      if (info.nodes[node].level == index &&
          info.nodes[node].kind == NodeKind::Loop) {
        positions[{program, node}] = uint32_t(loops.size());
        // The probe of a loop that threads share is at the op around it.
        if (getString(info, info.nodes[node].op) == "omp.loop_nest")
          wrappers[{program, info.nodes[node].container}] =
              uint32_t(loops.size());
        ProgramLoop &loop = loops.emplace_back();
        loop.program = program;
        loop.node = node;
      }
  }
}

void LoopTable::nest() {
  size_t next = 0;
  for (uint32_t program = 0; program < profile.programs.size(); ++program) {
    const Program &info = profile.programs[program];
    auto find = [&](uint32_t node) { return positions.find({program, node}); };
    loopOf.push_back(descend(info, kNone, [&](uint32_t node, uint32_t above) {
      auto it = find(node);
      return it == positions.end() ? above : it->second;
    }));
    functions.push_back(findFunctions(info));
    std::vector<uint32_t> depths =
        descend(info, 0, [&](uint32_t node, uint32_t above) {
          return above + (find(node) != positions.end());
        });
    for (; next < loops.size() && loops[next].program == program; ++next) {
      ProgramLoop &loop = loops[next];
      uint32_t container = info.nodes[loop.node].container;
      loop.parent =
          container < info.nodes.size() ? loopOf.back()[container] : kNone;
      loop.depth = int64_t(depths[loop.node]) - 1;
    }
  }
  for (uint32_t loop = 0; loop < loops.size(); ++loop)
    innermostFirst.push_back(loop);
  llvm::sort(innermostFirst, [&](uint32_t a, uint32_t b) {
    return loops[a].depth > loops[b].depth;
  });
  for (uint32_t loop : innermostFirst)
    if (uint32_t parent = loops[loop].parent; parent != kNone)
      loops[parent].height =
          std::max(loops[parent].height, loops[loop].height + 1);
}

/// The time of each op counts for the loop around it and, inclusively, for all
/// loops around that.
void LoopTable::chargeSamples() {
  for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
    const ProgramRow &at = times.match.rows[row];
    int64_t totalPs = times.getTotalPs(row);
    // At the level of instructions, rows are not nodes, and there are no loops.
    if (at.program == kNone || at.node >= loopOf[at.program].size() ||
        totalPs == 0 || loops.empty())
      continue;
    uint32_t loop = loopOf[at.program][at.node];
    if (loop != kNone)
      addSaturating(loops[loop].selfPs, totalPs);
  }
  for (uint32_t loop : innermostFirst) {
    addSaturating(loops[loop].timePs, loops[loop].selfPs);
    if (uint32_t parent = loops[loop].parent; parent != kNone)
      addSaturating(loops[parent].timePs, loops[loop].timePs);
  }
}

/// A measurement of the loop itself replaces the sum of its ops.
void LoopTable::chargeProbes(llvm::ArrayRef<OpSummary> merged) {
  ProgramIndex programs(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (measured.index == kNone || op.measurements.empty())
      continue;
    if (key.is<CodeKey>()) {
      sampled[measured.program] = true;
      continue;
    }
    ProbeKind kind =
        profile.programs[measured.program].probes[measured.index].kind;
    // For a loop that threads share, the work of all threads.
    const auto &places = kind == ProbeKind::Work ? wrappers : positions;
    auto it = places.find({measured.program, measured.node});
    if (it == places.end() ||
        (kind != ProbeKind::Loop && kind != ProbeKind::Parallel &&
         kind != ProbeKind::Work))
      continue;
    ProgramLoop &loop = loops[it->second];
    if (!loop.hasProbe)
      loop.timePs = loop.selfPs = 0;
    loop.hasProbe = hasProbes = true;
    probed[loop.program] = true;
    addSaturating(loop.executions, op.getCount());
    addSaturating(loop.timePs, op.getSum(Quantity::Execute));
    addSaturating(loop.selfPs, op.getTimePs());
    addSaturating(loop.rawPs, op.getSum(Quantity::RawExecute));
    addSaturating(loop.rawSelfPs, op.getSum(Quantity::RawSelf));
  }
}

void LoopTable::observe() {
  ProgramIndex programs(profile);
  for (const ValueTable &values : sumValues(profile)) {
    uint32_t program = programs.findProgram(values.program);
    if (values.kind != ValueKind::Trips || program == kNone)
      continue;
    ObservedTrips &seen = trips[{program, values.node}];
    for (const ValueCount &entry : values.entries) {
      if (entry.tuple.empty() || entry.count == 0)
        continue;
      int64_t value = entry.tuple.front();
      bool first = seen.entered == seen.other;
      seen.least = first ? value : std::min(seen.least, value);
      seen.most = first ? value : std::max(seen.most, value);
      seen.sum += __int128(value) * __int128(entry.count);
      addSaturating(seen.entered, entry.count);
    }
    addSaturating(seen.entered, values.other);
    addSaturating(seen.other, values.other);
  }
}
