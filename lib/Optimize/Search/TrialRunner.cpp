//===- TrialRunner.cpp - Building and measuring a candidate ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialRunner.h"
#include "OpError.h"
#include "RestartingStopwatch.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// Code that is smaller by less is not worth a choice.
static constexpr double kSmaller = 0.02;
/// Winograd's algorithm with tiles of four needs a quarter of the
/// multiplications.
static constexpr double kFewestOperations = 4;

static void refuse(Receipt &receipt, Outcome outcome,
                   const llvm::Twine &reason) {
  receipt.observation.outcome = outcome;
  receipt.observation.reason = reason.str();
}

static void refuseDisturbed(Receipt &receipt) {
  refuse(receipt, Outcome::Rejected,
         "the machine was disturbed: the incumbent took longer than before");
}

/// Notes that `error` ended a candidate; an error that ends the search comes
/// back.
static llvm::Error fail(llvm::Error error, Receipt &receipt) {
  if (endsSearch(error))
    return error;
  refuse(receipt, Outcome::Failed, llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error TrialRunner::run(const PlannedProposal &planned, unsigned index,
                             Receipt &receipt) {
  Trial trial = {planned, index, receipt, {}};
  receipt.observation.outcome = Outcome::Rejected;
  for (auto step : {&TrialRunner::build, &TrialRunner::checkNumbers}) {
    auto goesOn = (this->*step)(trial);
    if (!goesOn)
      return goesOn.takeError();
    if (!*goesOn)
      return llvm::Error::success();
  }
  if (llvm::Error error = compareWithIncumbent(trial))
    return error;
  if (trial.isKept())
    if (llvm::Error error = checkUnseen(trial))
      return error;
  if (!trial.isKept())
    return llvm::Error::success();
  trial.version.seconds = double(receipt.observation.newPs) * 1e-12;
  trial.version.error =
      receipt.observation.error.value_or(incumbent.get().error);
  trial.version.isForSizeOnly =
      incumbent.get().isForSizeOnly && planned.proposal.isKeptWhenEqual;
  incumbent.adopt(std::move(trial.version));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Code and numbers
//===----------------------------------------------------------------------===//

llvm::Expected<bool> TrialRunner::build(Trial &trial) {
  PROF_SCOPE("build trial");
  ModelVersion &version = trial.version;
  version.choices = keys.apply(trial.planned, incumbent.get().choices);
  auto server = builder.build(version.choices);
  if (!server) {
    if (llvm::Error error = fail(server.takeError(), trial.receipt))
      return std::move(error);
    return false;
  }
  version.server = std::move(*server);
  if (version.server->getModel().fingerprint ==
      incumbent.getServer().getModel().fingerprint) {
    refuse(trial.receipt, Outcome::Rejected, "makes the same code");
    return false;
  }
  return true;
}

llvm::Expected<bool> TrialRunner::checkNumbers(Trial &trial) {
  PROF_SCOPE("check numbers");
  Receipt &receipt = trial.receipt;
  auto refuseFailed = [&](llvm::Error error) -> llvm::Expected<bool> {
    if (llvm::Error last = fail(std::move(error), receipt))
      return std::move(last);
    return false;
  };
  auto results = trial.version.server->getResults();
  if (!results)
    return refuseFailed(results.takeError());
  ResultCheck check = reference.check(*results);
  receipt.observation.error = check.error;
  if (!check.isRight()) {
    refuse(receipt, Outcome::Rejected, check.reason);
    return false;
  }
  if (!trial.planned.proposal.changesNumbers)
    return true;
  const auto &[site, choice] = trial.planned.proposal.choices.front();
  auto error = measureOpError(builder, options.compile, sites.sites[site],
                              trial.planned.technique->name, choice);
  if (!error)
    return refuseFailed(error.takeError());
  receipt.opError = *error;
  if (!*error || **error <= options.compile.maxError)
    return true;
  refuse(receipt, Outcome::Rejected,
         llvm::formatv("the op alone is off by {0:e2} of its largest result, "
                       "more than --max-error",
                       **error)
             .str());
  return false;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

llvm::Error TrialRunner::failMeasuring(llvm::Error error, Receipt &receipt) {
  if (error.isA<InterruptedError>())
    return error;
  if (!error.isA<IncumbentError>()) {
    auto alive = incumbent.getServer().run(options.requests.size());
    if (alive)
      return fail(std::move(error), receipt);
    llvm::consumeError(std::move(error));
    error = alive.takeError();
    if (error.isA<InterruptedError>())
      return error;
  }
  // It is the incumbent that ended, which says nothing of the candidate.
  refuse(receipt, Outcome::Rejected,
         "not measured, as the best so far ended: " +
             llvm::toString(std::move(error)));
  receipt.isDisturbed = true;
  auto again = builder.build(incumbent.get().choices);
  if (!again)
    return again.takeError();
  incumbent.replaceServer(std::move(*again));
  return llvm::Error::success();
}

llvm::Expected<std::optional<Comparison>>
TrialRunner::measure(const ModelVersion &candidate, ComparisonOptions test,
                     Receipt &receipt) {
  test.maxSeconds =
      std::max(0.5, budget.getLeft() - budget.getReservedSeconds());
  const ModelVersion &best = incumbent.get();
  auto measured = unlessInterrupted(comparer.compare(
      {*best.server, best.choices}, {*candidate.server, candidate.choices},
      best.seconds, test,
      kStartsByBuild * candidate.server->getModel().buildSeconds));
  if (!measured) {
    if (llvm::Error last = failMeasuring(measured.takeError(), receipt))
      return std::move(last);
    return std::nullopt;
  }
  receipt.isDisturbed = isDisturbed(*measured, best.seconds);
  tuning::describe(*measured, receipt.observation);
  return *measured;
}

llvm::Error TrialRunner::compareWithIncumbent(Trial &trial) {
  PROF_SCOPE("compare");
  Receipt &receipt = trial.receipt;
  const bool isForSize = trial.planned.proposal.isKeptWhenEqual;
  // Step 1: the test. That of smaller code is whether its loss is as small as
  // a gain that does not count.
  ComparisonOptions test = comparer.getTest();
  test.alpha = shareOfAlpha(options.comparison.alpha, trial.index);
  uint64_t before = incumbent.getServer().getModel().textBytes,
           after = trial.version.server->getModel().textBytes;
  if (isForSize) {
    if (double(after) > (1 - kSmaller) * double(before)) {
      refuse(receipt, Outcome::Rejected, "the code is not smaller");
      return llvm::Error::success();
    }
    test = comparer.asSizeTest(test);
  }
  // Step 2: the measurement, by which the receipt says kept or rejected.
  auto measured = measure(trial.version, test, receipt);
  if (!measured)
    return measured.takeError();
  if (!*measured)
    return llvm::Error::success();
  // Step 3: a verdict of its own for smaller code, and reasons not to believe
  // what was measured.
  if (isForSize && (*measured)->verdict == Verdict::Faster) {
    receipt.observation.outcome = Outcome::Kept;
    receipt.observation.reason =
        "as fast, and the code is smaller: " + std::to_string(after) +
        " bytes instead of " + std::to_string(before);
  } else if (isForSize) {
    refuse(receipt, Outcome::Rejected, "not shown to be as fast");
  }
  double peak = double(options.compile.target.threads == 1
                           ? options.peak.flopsOneThread
                           : options.peak.flopsAllThreads);
  std::string tooFast = checkSpeed((*measured)->candidateSeconds,
                                   sites.operations, peak, kFewestOperations);
  if (!tooFast.empty())
    refuse(receipt, Outcome::Rejected, tooFast);
  if (receipt.isDisturbed)
    refuseDisturbed(receipt);
  return llvm::Error::success();
}

llvm::Error TrialRunner::checkUnseen(Trial &trial) {
  auto outcome = unseen.check(*trial.version.server, trial.version.choices);
  if (!outcome)
    return failMeasuring(outcome.takeError(), trial.receipt);
  if (!outcome->fault.empty())
    refuse(trial.receipt, Outcome::Rejected, outcome->fault);
  // With more time it may be kept.
  trial.receipt.isDisturbed |= outcome->hasNoTime;
  trial.version.unseen = std::move(outcome->results);
  return llvm::Error::success();
}
