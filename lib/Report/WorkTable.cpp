//===- WorkTable.cpp - The work of programs and their limits --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkTable.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// The event that marks a thread as working.
static constexpr llvm::StringLiteral kWork = "work";

/// Number of threads of a run that worked, at least 1.
static uint64_t countThreads(const Profile &profile, const Run &run) {
  uint64_t threads = 0;
  for (const EventSummary &event : run.events)
    threads += event.name < profile.strings.size() &&
               profile.strings[event.name] == kWork && event.total.sum > 0;
  return std::max<uint64_t>(threads, 1);
}

/// Times are per thread, so the peak is that of one thread: if several share
/// the machine, its part.
static Peak getPeak(const Machine &machine, uint64_t threads) {
  double all = machine.threads ? double(machine.threads) : 1;
  auto choose = [&](uint64_t one, uint64_t together) {
    return threads > 1 && together ? double(together) / all : double(one);
  };
  return {choose(machine.flopsOneThread, machine.flopsAllThreads),
          choose(machine.bytesOneThread, machine.bytesAllThreads)};
}

/// Whether `node` is the entry function of its program, at any level.
static bool isEntry(const Program &program, uint32_t node) {
  return node < program.nodes.size() &&
         program.nodes[node].kind == NodeKind::Function &&
         getString(program, program.nodes[node].name) == getEntry(program);
}

/// How often `run` executed the entry function of the program: as the recorder
/// states, else as a probe of the function counted, else as often as its
/// arguments were observed.
static std::optional<uint64_t> countIterations(const Profile &profile,
                                               const ProgramIndex &programs,
                                               const Run &run, uint32_t index) {
  if (run.iterations.count)
    return run.iterations.count;
  const Program &program = profile.programs[index];
  for (const OpSummary &op : run.ops) {
    if (op.op >= profile.opKeys.size() || !profile.opKeys[op.op].is<ProbeKey>())
      continue;
    MeasuredNode measured = programs.find(profile.opKeys[op.op]);
    if (measured.program == index && measured.index != kNone &&
        program.probes[measured.index].kind == ProbeKind::Function &&
        isEntry(program, measured.node) && op.getCount())
      return op.getCount();
  }
  for (const ValueTable &values : run.values) {
    bool isOfArguments = values.kind == ValueKind::Dimensions ||
                         values.kind == ValueKind::Arguments;
    if (!isOfArguments || programs.findProgram(values.program) != index ||
        !isEntry(program, values.node))
      continue;
    uint64_t entered = values.other;
    for (const ValueCount &entry : values.entries)
      addSaturating(entered, entry.count);
    if (entered)
      return entered;
  }
  return std::nullopt;
}

WorkTable::WorkTable(const Profile &profile) {
  ProgramIndex programs(profile);
  for (const Run &run : profile.runs)
    addRun(profile, programs, run);
}

void WorkTable::addRun(const Profile &profile, const ProgramIndex &programs,
                       const Run &run) {
  std::map<uint32_t, std::optional<uint64_t>> measured;
  for (const OpSummary &op : run.ops)
    if (op.op < profile.opKeys.size())
      measured.try_emplace(programs.find(profile.opKeys[op.op]).program);
  measured.erase(kNone);
  Peak peak = getPeak(run.machine, countThreads(profile, run));
  for (auto &[program, iterations] : measured) {
    iterations = countIterations(profile, programs, run, program);
    ProgramRuns &total = totals[program];
    ++total.runs;
    if (iterations && total.iterations)
      addSaturating(*total.iterations, *iterations);
    else
      total.iterations = std::nullopt;
    total.peak.flops = std::max(total.peak.flops, peak.flops);
    total.peak.bytes = std::max(total.peak.bytes, peak.bytes);
  }
  for (const NodeWork &work : run.work) {
    auto it = measured.find(programs.findProgram(work.program));
    if (it == measured.end())
      continue;
    totals[it->first].hasWork = true;
    double weight = double(it->second.value_or(1));
    Sum &sum = sums[{it->first, work.node}];
    sum.flops += double(work.flops) * weight;
    sum.bytes += double(work.bytes) * weight;
    sum.weight += weight;
    ++sum.runs;
  }
}

const ProgramRuns &WorkTable::getRuns(uint32_t program) const {
  static const ProgramRuns kNothing;
  auto it = totals.find(program);
  return it == totals.end() ? kNothing : it->second;
}

std::optional<IterationWork> WorkTable::find(uint32_t program,
                                             uint32_t node) const {
  auto it = sums.find({program, node});
  if (it == sums.end() || it->second.runs != getRuns(program).runs ||
      it->second.weight <= 0)
    return std::nullopt;
  const Sum &sum = it->second;
  return IterationWork{sum.flops / sum.weight, sum.bytes / sum.weight};
}
