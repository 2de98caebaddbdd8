//===- SqlTables.cpp - The tables of a profile ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SqlTables.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/OpNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::report::sql;
using namespace mlirprof::trace;

/// Calls `fill` with each run and its number.
template <typename Fill>
static void forEachRun(const ReportInput &input, Fill &&fill) {
  for (auto [number, run] : llvm::enumerate(input.profile.runs))
    fill(int64_t(number), run);
}

/// Data that recordings lack is NULL.
static Cell orNull(llvm::StringRef text) {
  return text.empty() ? Cell() : Cell(text);
}
static Cell orNull(uint64_t value) { return value ? Cell(value) : Cell(); }

//===----------------------------------------------------------------------===//
// runs, tracks, steps, losses
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kRuns[] = {
    {"run", kInteger, "number of the run, from 0"},
    {"hash", kText, "content hash of the recording"},
    {"source", kText, "file that it was read from"},
    {"format", kText, "format of that"},
    {"producer", kText, "program that wrote it"},
    {"version", kText, "version of that"},
    {"host", kText, "name of the machine"},
    {"cpu", kText, "its processor"},
    {"threads", kInteger, "its hardware threads"},
    {"os", kText, "its system"},
    {"anchor_ns", kInteger, "zero of the run's clock, ns since 1970"},
    {"op_busy_ps", kInteger, "time in which at least one op ran"},
    {"op_inflight_ps", kInteger, "the same, with asynchronous work"},
    {"sample_period_ps", kInteger, "time that a sample represents"},
    {"iterations", kInteger, "how often the model ran"},
    {"iterations_ps", kInteger, "wall time of these"},
    {"recordings", kInteger, "how many were folded into it, else 1"},
};

static void fillRuns(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    const Summary &iterations = run.iterations;
    add({number, run.hash, run.source, run.producer.format,
         orNull(run.producer.name), orNull(run.producer.version),
         orNull(run.machine.host), orNull(run.machine.cpu),
         orNull(run.machine.threads), orNull(run.machine.os),
         run.clock.hasAnchor ? Cell(run.clock.anchorNs) : Cell(), run.opBusyPs,
         run.opInflightPs, orNull(uint64_t(run.samplePeriodPs)),
         orNull(iterations.count),
         iterations.count ? Cell(iterations.sum) : Cell(),
         uint64_t(std::max<size_t>(1, run.folded.size()))});
  });
}

static constexpr SqlColumn kTracks[] = {
    {"run", kInteger, "see runs"},
    {"track", kInteger, "number of the track in its run"},
    {"plane", kText, "group that the producer put it in"},
    {"line", kInteger, "its position there"},
    {"id", kInteger, "the producer's number for it"},
    {"name", kText, "its name"},
    {"display_name", kText, "its name for people"},
    {"events", kInteger, "how many events it has"},
    {"partial_overlaps", kInteger, "events that overlap without nesting"},
};

static void fillTracks(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    for (auto [i, track] : llvm::enumerate(run.tracks))
      add({number, uint64_t(i), track.plane, track.line, track.id, track.name,
           track.displayName, track.events, track.partialOverlaps});
  });
}

static constexpr SqlColumn kSteps[] = {
    {"run", kInteger, "see runs"},
    {"step", kInteger, "number of the step"},
    {"begin_ps", kInteger, "its begin, from the anchor of the clock"},
    {"duration_ps", kInteger, "its duration"},
    {"op_busy_ps", kInteger, "time in it in which at least one op ran"},
    {"op_inflight_ps", kInteger, "the same, with asynchronous work"},
};

static void fillSteps(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    for (const Step &step : run.steps)
      add({number, step.number, step.beginPs, step.durationPs, step.opBusyPs,
           step.opInflightPs});
  });
}

static constexpr SqlColumn kLosses[] = {
    {"run", kInteger, "see runs"},
    {"name", kText, "name of the lost data"},
    {"count", kInteger, "how often"},
    {"time_ps", kInteger, "time of the lost data"},
};

static void fillLosses(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    for (const Loss &loss : run.losses)
      add({number, loss.name, loss.count, loss.timePs});
  });
}

//===----------------------------------------------------------------------===//
// ops, names, events, matches
//===----------------------------------------------------------------------===//

static constexpr SqlColumn kOps[] = {
    {"run", kInteger, "see runs"},
    {"op", kInteger, "number of the measured op, in all runs the same"},
    {"module", kText, "module or program that contains it"},
    {"program_id", kInteger, "the producer's number for that"},
    {"name", kText, "instruction or node"},
    {"kernel", kText, "kernel, op type or opcode"},
    {"scope", kText, "calls of modules around it, joined by /"},
    {"count", kInteger, "how often it ran"},
    {"time_ps", kInteger,
     "its weight in all reports: self + bounded - duration"},
    {"duration_ps", kInteger, "duration of its events"},
    {"self_ps", kInteger, "without measured ops in them"},
    {"complete_ps", kInteger, "until its asynchronous work was complete"},
    {"bounded_ps", kInteger, "the same, cut where the result was used"},
    {"min_ps", kInteger, "shortest event"},
    {"max_ps", kInteger, "longest event"},
    {"first_begin_ps", kInteger, "begin of the first"},
    {"bytes", kInteger, "bytes that it moved"},
    {"flops", kInteger, "floating point operations"},
    {"cycles", kInteger, "cycles"},
    {"samples", kInteger, "samples"},
    {"instance", kInteger, "the dispatch that ran it, see instances"},
};

static void fillOps(const ReportInput &input, AddRow add) {
  OpNames names(input.profile);
  auto getSum = [](const OpSummary &op, Quantity quantity) {
    const Summary *summary = op.find(quantity);
    return summary ? Cell(summary->sum) : Cell();
  };
  forEachRun(input, [&](int64_t number, const Run &run) {
    for (const OpSummary &op : run.ops) {
      const OpKey &key = input.profile.opKeys[op.op];
      const Summary *execute = op.find(Quantity::Execute);
      bool hasEvents = execute && execute->count;
      std::string scope = getKeyScope(key);
      KeyTraits traits = getKeyTraits(key);
      add({number,
           op.op,
           traits.module ? Cell(*traits.module) : Cell(),
           traits.programId ? Cell(*traits.programId) : Cell(),
           key.op,
           orNull(names.getKernel(op.op)),
           orNull(scope),
           op.getCount(),
           op.getTimePs(),
           getSum(op, Quantity::Execute),
           getSum(op, Quantity::Self),
           getSum(op, Quantity::Complete),
           getSum(op, Quantity::Bounded),
           hasEvents ? Cell(execute->min) : Cell(),
           hasEvents ? Cell(execute->max) : Cell(),
           op.firstBeginPs,
           getSum(op, Quantity::Bytes),
           getSum(op, Quantity::Flops),
           getSum(op, Quantity::Cycles),
           getSum(op, Quantity::Samples),
           getInstance(key) == kNone ? Cell() : Cell(getInstance(key))});
    }
  });
}

static constexpr SqlColumn kNames[] = {
    {"run", kInteger, "see runs"},
    {"track", kInteger, "see tracks"},
    {"name", kText, "name of events"},
    {"count", kInteger, "number of events"},
    {"total_ps", kInteger, "their durations"},
    {"self_ps", kInteger, "without the events in them"},
    {"min_ps", kInteger, "shortest of them"},
    {"max_ps", kInteger, "longest of them"},
};

static void fillNames(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    for (const EventSummary &event : run.events)
      add({number, event.track, input.profile.strings[event.name],
           event.total.count, event.total.sum, event.self.sum,
           event.total.count ? Cell(event.total.min) : Cell(),
           event.total.count ? Cell(event.total.max) : Cell()});
  });
}

static constexpr SqlColumn kEvents[] = {
    {"run", kInteger, "see runs"},
    {"track", kInteger, "see tracks"},
    {"name", kText, "its name"},
    {"op", kInteger, "the op that it measured, see ops"},
    {"begin_ps", kInteger, "its begin, from the anchor of the clock"},
    {"duration_ps", kInteger, "its duration"},
};

static void fillEvents(const ReportInput &input, AddRow add) {
  forEachRun(input, [&](int64_t number, const Run &run) {
    const EventColumns &kept = run.kept;
    for (size_t i = 0; i != kept.size(); ++i)
      if (!add({number, kept.track[i], input.profile.strings[kept.name[i]],
                kept.op[i] == kNone ? Cell() : Cell(kept.op[i]),
                kept.beginPs[i], kept.durationPs[i]}))
        return;
  });
}

static llvm::StringRef findMissingEvents(const ReportInput &input) {
  if (leavesOutEvents(input.profile))
    return "The profile was opened without its events: open it with them.";
  if (hasKeptEvents(input.profile))
    return "";
  bool isOwn = llvm::any_of(input.profile.runs, [](const Run &run) {
    return run.producer.format == "mlir-prof";
  });
  return isOwn ? "Record again with --keep-events, or with --mode=instrument "
                 "and --instances=N."
               : "Import the recording with --keep-events.";
}

static constexpr SqlColumn kMatches[] = {
    {"op", kInteger, "the measured op, see ops"},
    {"class", kText, "unique, ambiguous, fused, partial or unmatched"},
    {"tier", kText, "the evidence; NULL without an MLIR op"},
    {"mlir", kInteger,
     "index of an MLIR op that owns it, at the level --level or else the "
     "input; "
     "NULL for none"},
    {"mlir_op", kText, "its name, such as stablehlo.add"},
    {"path", kText, "name by which profiles identify it"},
    {"location", kText, "its location"},
    {"file", kText, "the user's source file"},
    {"line", kInteger, "line in that"},
    {"part_ps", kInteger, "its part of the op's time in all runs"},
    {"reason", kText, "why there is no MLIR op"},
};

static void fillMatch(const ReportInput &input, uint32_t op, int64_t timePs,
                      AddRow add) {
  const Match &match = input.ownership->matches[op];
  llvm::StringRef matchClass = toString(match.matchClass);
  Cell reason = orNull(match.reason);
  if (match.ops.empty() || match.matchClass == MatchClass::Unmatched) {
    add({op, matchClass, Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(),
         timePs, reason});
    return;
  }
  std::vector<uint64_t> weights = match.weights;
  weights.resize(match.ops.size());
  std::vector<int64_t> parts = splitExactly(timePs, weights);
  for (auto [i, number] : llvm::enumerate(match.ops)) {
    const MlirOp &owner = input.ownership->ops[number];
    add({op, matchClass, toString(match.tier),
         getIndexCell(input.ownership->getNumber(number)), owner.op,
         orNull(owner.path), orNull(owner.location), orNull(owner.file),
         orNull(owner.line), parts[i], reason});
  }
}

static void fillMatches(const ReportInput &input, AddRow add) {
  for (const OpSummary &op : mergeRuns(input.profile))
    if (!op.measurements.empty())
      fillMatch(input, op.op, op.getTimePs(), add);
}

static llvm::StringRef findMissingModule(const ReportInput &input) {
  return input.ownership ? ""
                         : "Name the module that was run with --model=FILE.";
}

llvm::StringRef sql::findMissingProgram(const ReportInput &input) {
  return input.profile.programs.empty() ? "Run the model with mlir-prof record."
                                        : "";
}

llvm::ArrayRef<SqlTable> sql::getSqlTables() {
  static const SqlTable tables[] = {
      {"events", "single events, where they were kept", kEvents, fillEvents,
       findMissingEvents, /*usesEvents=*/true},
      makeInstances(),
      makeInstanceOrigins(),
      makeInstructions(),
      makeLevels(),
      makeLoops(),
      {"losses", "data that was read but could not be kept", kLosses,
       fillLosses, nothingMissing},
      {"matches", "MLIR ops that own a measured op; one row per pair", kMatches,
       fillMatches, findMissingModule},
      {"names", "events of one name on one track of a run, summed up", kNames,
       fillNames, nothingMissing},
      makeNodeOrigins(),
      makeNodes(),
      makeObservedValues(),
      {"ops", "measured ops; one row for each op and run", kOps, fillOps,
       nothingMissing},
      makePasses(),
      makeRoofline(),
      {"runs", "recordings", kRuns, fillRuns, nothingMissing},
      {"steps", "steps of the outer loop", kSteps, fillSteps, nothingMissing},
      makeThreadClasses(),
      {"tracks", "timelines", kTracks, fillTracks, nothingMissing},
  };
  return tables;
}
