//===- Scope.cpp - Recordings of scopes -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Scopes/Timelines.h"
#include "../Common/Table/Totals.h"
#include "../Importers.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::Recording;

/// Passes scopes as events of ops of their names.
static void addEvents(const Recording &recording, ProfileBuilder &builder) {
  // Sums of all scopes are better than those of some.
  bool hasOps = !recording.hasStatistics || recording.sampleEvery <= 1;
  std::vector<uint32_t> opOfSite(recording.sites.size(), kNone);
  std::vector<uint32_t> ops(recording.events.size(), kNone);
  ScopeTimelines(recording, builder).emit([&](uint32_t scope, Event &event) {
    if (!hasOps)
      return;
    uint32_t site = recording.events[scope].site;
    if (opOfSite[site] == kNone)
      opOfSite[site] =
          builder.addOpKey(makeScopeKey(recording.sites[site].name));
    ops[scope] = event.op = opOfSite[site];
  });
  joinScopeParts(recording, ops, builder);
}

static void addFacts(const Recording &recording, Run &run) {
  run.producer.name = "mlir-prof scopes";
  run.clock.name = "ticks";
  auto add = [&](llvm::StringRef name, int64_t value) {
    run.facts.emplace_back(name.str(), std::to_string(value));
  };
  add("process", int64_t(recording.process));
  add("parent process", int64_t(recording.parentProcess));
  add("clock ticks", int64_t(recording.clock.ticks));
  add("clock ticks took ps", int64_t(recording.clock.ps));
  add("wall clock against ticks, ns", recording.clock.driftNs);
  add("empty scope, its duration in ps", recording.costWindowPs);
  add("scope, its cost in ps", recording.costPairPs);
  if (recording.sampleEvery > 1)
    add("one event of so many scopes", recording.sampleEvery);
}

static void addStatistics(const Recording &recording, ProfileBuilder &builder) {
  table::Totals totals(builder);
  for (const scope::TableRow &row : makeStatisticsTable(recording))
    if (row.calls)
      totals.add(makeScopeKey(row.name),
                 table::makeEvenSummary(row.calls, row.rawTotalPs),
                 row.rawSelfPs);
  totals.finish();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  Recording recording;
  if (std::optional<scope::Problem> problem =
          scope::readRecording(input.bytes, recording))
    return inputError(input.where, problem->what, problem->hint);
  addFacts(recording, builder.getRun());
  addScopeLosses(recording, builder);
  addEvents(recording, builder);
  if (recording.hasStatistics &&
      (!recording.hasEvents || recording.sampleEvery > 1))
    addStatistics(recording, builder);
  builder.getRun().scopes =
      std::make_shared<const Recording>(std::move(recording));
  return llvm::Error::success();
}

Importer importer::Scopes() {
  return {"scopes", "scopes that a program names, linked with libprof_rt",
          [](llvm::StringRef bytes) { return scope::isRecording(bytes); },
          read};
}
