//===- WhyEmpty.cpp - Explaining an empty report --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/WhyEmpty.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

namespace {
/// The data that a report needs, and the explanation if a profile lacks it.
struct Need {
  llvm::StringLiteral report;
  bool (*isThere)(const Profile &profile);
  llvm::StringLiteral reason;
};
} // namespace

static bool hasLoops(const Profile &profile) {
  return llvm::any_of(profile.programs, [](const Program &program) {
    return llvm::any_of(program.nodes, [](const ProgramNode &node) {
      return node.kind == NodeKind::Loop;
    });
  });
}

static bool hasInstructions(const Profile &profile) {
  return llvm::any_of(profile.programs, [](const Program &program) {
    return !program.instructions.empty();
  });
}

static bool hasSamples(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return run.samplePeriodPs > 0; });
}

static bool hasValues(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.values.empty(); });
}

static bool hasSteps(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.steps.empty(); });
}

static bool hasKept(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.kept.empty(); });
}

static bool hasScopes(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return run.scopes != nullptr; });
}

static bool hasEvents(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.events.empty(); });
}

static bool hasDevices(const Profile &profile) {
  return profile.hasDeviceWork();
}

static bool hasCopies(const Profile &profile) {
  return llvm::any_of(profile.opKeys, [](const OpKey &key) {
    return isCopy(key.work) || key.work == DeviceWork::SetMemory;
  });
}

static constexpr llvm::StringLiteral kNoDevices =
    "The profile does not contain work of devices.";

static bool hasHloModules(const Profile &profile) {
  return !profile.hloModules.empty();
}

static constexpr Need kNeeds[] = {
    {"instance", hasInstances,
     "The program does not have kernels that several dispatches could run: its "
     "ops have their own code."},
    {"loop", hasLoops,
     "The program does not contain loops: your own pipeline keeps a level with "
     "loops by prof-snapshot{level=loops}."},
    {"chain", hasInstructions,
     "The profile does not contain machine code: only samples refer to "
     "instructions (mlir-prof record, or perf with the object that ran)."},
    {"split", hasSamples,
     "Times of loops are split only where instructions were sampled, but this "
     "profile was counted or timed."},
    {"thread", hasSamples,
     "Threads are distinguished only where they were sampled, but this profile "
     "was counted or timed."},
    {"value", hasValues,
     "No values were observed: the program does not have dynamic dimensions, "
     "trip counts or branches, or --no-values turned them off."},
    {"scope", hasScopes,
     "The profile does not contain scopes: import a recording of them, or one "
     "of a framework's profiler that has them."},
    {"step", hasSteps, "The profile does not contain steps."},
    {"step-trace", hasKept,
     "The profile does not contain single events: import the recording with "
     "--keep-events."},
    {"step-trace", hasSteps,
     "The profile does not contain steps: mark them in the program, or name "
     "the "
     "op that begins one with --first-op."},
    {"kernel", hasDevices, kNoDevices},
    {"device", hasDevices, kNoDevices},
    {"stream", hasDevices, kNoDevices},
    {"wait", hasDevices, kNoDevices},
    {"copy", hasCopies, "The profile does not contain copies by devices."},
    {"event", hasEvents, "The profile does not contain events."},
    {"hlo-module", hasHloModules, "The profile does not contain HLO modules."},
};

static bool hasMeasurements(const Profile &profile) {
  return llvm::any_of(profile.runs, [](const Run &run) {
    return llvm::any_of(
        run.ops, [](const OpSummary &op) { return !op.measurements.empty(); });
  });
}

std::string report::explainEmpty(const ReportInput &input,
                                 const ReportKind &kind, const Report &report,
                                 RowSelection selection) {
  if (!report.view.rows.empty())
    return "";
  if (report.view.matched != 0)
    return "The page is after the last one: " +
           formatCount(report.view.matched, "row") +
           (report.view.matched == 1 ? " matches." : " match.");
  if (report.table.size() != 0)
    return "No row passes the filters, out of " +
           std::to_string(report.table.size()) + ".";
  for (const Need &need : kNeeds)
    if (need.report == kind.name && !need.isThere(input.profile))
      return need.reason.str();
  if (!hasMeasurements(input.profile))
    return "No op was measured: the model ran too briefly to be sampled, or "
           "only its iterations were timed.";
  if (kind.name == "loop")
    return "No measured op is in a loop of this level: --level names another "
           "one, --all shows loops without a time.";
  if (selection == RowSelection::Measured)
    return "Nothing of this kind was measured: --all shows rows without "
           "measurements.";
  return "The profile does not contain data of this kind.";
}
