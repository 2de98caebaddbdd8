//===- Evidence.cpp - A profile's facts about a model's ops ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Evidence.h"
#include "EvidenceValues.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Machine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;

static constexpr StringLiteral kInputLevel = "input";

static std::vector<Operation *> getOps(Operation *root) {
  std::vector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

/// Adds the part of the time of each op. Returns the time of all ops of the
/// profile, in ps.
static double addShares(const Profile &profile, const Ownership &ownership,
                        Evidence &evidence) {
  Attribution attribution = attribute(profile, ownership);
  double total = double(attribution.coverage.opTimePs);
  if (total <= 0)
    return 0;
  for (auto [index, time] : llvm::enumerate(attribution.ops)) {
    double share = double(time.totalPs()) / total;
    evidence.shares[index] += share;
    evidence.coverage += share;
  }
  return total;
}

/// Whether the model is another one than a program of the profile.
static bool hasChanged(const Profile &profile, StoredAlignments &stored) {
  return llvm::any_of(profile.programs, [&](const Program &program) {
    const Alignment *alignment = stored.find(kInputLevel, program.fingerprint);
    return alignment && !alignment->isIdentical;
  });
}

/// Whether times of the profile were measured on a processor like this one.
static bool isSameMachine(const Profile &profile) {
  MachineInfo here = getMachineInfo();
  return llvm::all_of(profile.runs, [&](const Run &run) {
    return run.machine.cpu.empty() || run.machine.cpu == here.cpu;
  });
}

static double getModelSeconds(const Profile &profile) {
  double sum = 0, count = 0;
  for (const Run &run : profile.runs) {
    sum += double(run.iterations.sum) * 1e-12;
    count += double(run.iterations.count);
  }
  return count > 0 ? sum / count : 0;
}

llvm::Expected<Evidence> optimize::readEvidence(const Profile &profile,
                                                StringRef profileName,
                                                ModuleOp input) {
  std::vector<Operation *> ops = getOps(input);
  Evidence evidence;
  evidence.shares.resize(ops.size(), 0);
  MatchOptions options;
  options.level = kInputLevel.str();
  StoredAlignments stored(profile, input, /*shown=*/"");
  bool hasTime =
      addShares(profile, matchProfile(profile, input, options, stored),
                evidence) > 0;
  addValues(profile, ops, stored, evidence);
  if (hasChanged(profile, stored)) {
    evidence.basis = EvidenceBasis::Alignment;
    if (hasTime)
      evidence.notes.push_back(
          llvm::formatv("{0} is of another build of the model: {1:f1} % of its "
                        "time was found again",
                        profileName, 100 * evidence.coverage)
              .str());
  }
  if (!hasTime && evidence.values.empty())
    return inputError(profileName, "does not have a time of any op",
                      "The run ended before the first sample: record for "
                      "longer (--seconds).");
  if (evidence.coverage == 0 && evidence.values.empty())
    return inputError(
        profileName,
        "does not describe this model: no op that it measured is in it",
        "Record the model with 'mlir-prof record', or leave --profile out: "
        "optimize then records by itself.");
  if (!hasTime) {
    evidence.notes.push_back(
        (profileName +
         " does not have a time of any op, as its run ended before the first "
         "sample: its shapes and values are used")
            .str());
    // Zeros would say that all ops are cold.
    evidence.shares.clear();
  }
  evidence.modelSeconds = getModelSeconds(profile);
  if (!isSameMachine(profile)) {
    evidence.notes.push_back(
        (profileName + " was recorded on another machine (" +
         profile.runs.front().machine.cpu +
         "): its times are not used, its shapes and values are")
            .str());
    evidence.shares.clear();
    evidence.modelSeconds = 0;
  }
  return std::move(evidence);
}
