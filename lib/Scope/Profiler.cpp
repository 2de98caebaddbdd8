//===- Profiler.cpp - Scopes between two moments --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Profiler.h"

using namespace mlirprof;
using namespace mlirprof::scope;

Profiler::Profiler(const ProfilerOptions &options) {
  prof_scope_options set = PROF_SCOPE_OPTIONS;
  set.modes = (options.keepsEvents ? uint32_t(PROF_SCOPE_EVENTS) : 0) |
              (options.keepsStatistics ? uint32_t(PROF_SCOPE_STATISTICS) : 0);
  set.level = options.level;
  set.types = options.types;
  set.roles = options.roles;
  set.counting = options.counting;
  set.devices = options.hasDevices;
  set.ring_records = options.ringRecords;
  set.sample_every = options.sampleEvery;
  set.path = options.path.empty() ? nullptr : options.path.c_str();
  fileError = prof_scope_start(&set, &from);
}

Profiler::~Profiler() {
  stop();
  prof_scope_free(bytes, size);
}

void Profiler::stop() {
  if (!running)
    return;
  running = false;
  bytes = prof_scope_take(&from, &to, &size);
}

static Problem makeMemoryProblem() {
  return {"does not fit into memory",
          "Keep a ring or statistics, or write a file."};
}

std::optional<Problem> Profiler::read(Recording &out) const {
  prof_scope_moment end = to;
  char *all = bytes;
  size_t allSize = size;
  if (running) {
    // Not a boundary of statistics, which would grow with each reading.
    prof_scope_now(&end);
    end.generation = ~uint32_t(0);
    all = prof_scope_copy(&from, &allSize);
  }
  if (!all)
    return makeMemoryProblem();
  Window window = {from.ticks, end.ticks, from.generation, end.generation};
  std::optional<Problem> problem = readRecording({all, allSize}, out, window);
  if (running)
    prof_scope_free(all, allSize);
  return problem;
}

std::optional<Problem> Profiler::makeTable(std::vector<TableRow> &out,
                                           const TableOptions &options) const {
  Recording recording;
  if (std::optional<Problem> problem = read(recording))
    return problem;
  out = makeBestTable({&recording}, options);
  return std::nullopt;
}

std::optional<Problem> Profiler::getTotalPs(int64_t &out) const {
  prof_scope_moment end = to;
  char *all = bytes;
  size_t allSize = size;
  if (running) {
    prof_scope_mark(&end);
    // Nothing but what is being written.
    all = prof_scope_copy(&end, &allSize);
  }
  if (!all)
    return makeMemoryProblem();
  Clock clock;
  std::optional<Problem> problem = readClock({all, allSize}, clock);
  if (!problem)
    out = clock.toDurationPs(end.ticks - from.ticks);
  if (running)
    prof_scope_free(all, allSize);
  return problem;
}
