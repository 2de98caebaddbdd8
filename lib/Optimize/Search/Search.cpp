//===- Search.cpp - The course of a search --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

Search::Search(mlir::ModuleOp input, const ModelSites &sites,
               DecisionDatabase &database, const OptimizerOptions &options,
               const SearchTools &tools)
    : sites(sites), database(database), options(options),
      budget(tools.clock, options.budgetSeconds, options.usedSeconds,
             options.requests.size()),
      space(tools.techniques, options.techniques),
      keys(sites, getMachineKey(options.compile.target)),
      journal(sites, space, keys, database, options.save),
      marker(sites, options, space, keys),
      progress(options, budget, journal, incumbent),
      builder(input, options, tools, budget),
      comparer(builder, options, tools, progress),
      reference(builder, sites, options),
      unseen(builder, comparer, incumbent, progress, budget),
      known(sites, space, keys), runner(sites, options, keys, budget, builder,
                                        comparer, reference, unseen, incumbent),
      local(input, sites, options, space, budget, builder, reference, incumbent,
            progress, journal),
      trials(sites, options, budget, comparer, unseen, incumbent, progress,
             runner, journal),
      finalCheck(options, budget, builder, reference) {
  budget.setSpent(options.spent);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

llvm::Error Search::startBaseline() {
  PROF_SCOPE("start baseline");
  progress.report("baseline", "the model as it is");
  auto server = builder.build(ChoiceMap());
  if (!server)
    return server.takeError();
  auto results = (*server)->getResults();
  if (!results)
    return results.takeError();
  auto error = reference.acceptBaseline(*results, journal.getNotes());
  if (!error)
    return error.takeError();
  ModelVersion version;
  version.server = std::move(*server);
  version.error = *error;
  incumbent.setBaseline(std::move(version));
  return unseen.setShapes(reference.takeUnseen(), options.tolerance);
}

llvm::Error Search::calibrate() {
  PROF_SCOPE("calibrate");
  if (llvm::Error error = comparer.calibrate(incumbent.getBaselineServer()))
    return error;
  double seconds = comparer.getControl()->incumbentSeconds;
  incumbent.setBaselineSeconds(seconds);
  budget.setModelSeconds(seconds);
  budget.setRoundSeconds(comparer.getRoundSeconds());
  return llvm::Error::success();
}

llvm::Error Search::measure() {
  if (options.isInterrupted && options.isInterrupted())
    return llvm::make_error<InterruptedError>();
  progress.report("reference", "the unoptimized model");
  if (llvm::Error error = reference.compute(journal.getNotes()))
    return error;
  hasReference = true;
  budget.setReferenceSeconds(reference.getSeconds());
  if (llvm::Error error = endStep("the unoptimized model"))
    return error;
  if (llvm::Error error = startBaseline())
    return error;
  if (llvm::Error error = endStep("the model as it is"))
    return error;
  if (llvm::Error error =
          known.build(builder, reference, progress, incumbent, journal))
    return error;
  if (llvm::Error error = endStep("building known decisions"))
    return error;
  if (llvm::Error error = calibrate())
    return error;
  if (llvm::Error error = endStep("the control"))
    return error;
  if (llvm::Error error =
          known.compare(comparer, unseen, budget, incumbent, journal))
    return error;
  if (llvm::Error error = endStep("measuring known decisions"))
    return error;
  journal.addKnown(known.takeReceipts());
  std::vector<PlannedProposal> proposals = space.propose(sites);
  if (options.trials == TrialMode::Local)
    if (llvm::Error error = tryLocally(proposals))
      return error;
  llvm::Error error = trials.run(proposals);
  budget.endStep("candidates");
  return error;
}

llvm::Error Search::tryLocally(std::vector<PlannedProposal> &proposals) {
  // The part of the time that is left for choices that need a new host side.
  constexpr double kShareOfOthers = 0.4;
  auto isLocal = [](const PlannedProposal &planned) {
    return planned.technique->proposeInKernel != nullptr;
  };
  double seconds = budget.getLeft() - budget.getReservedSeconds() -
                   trials.getTrialSeconds(Proposal());
  if (!llvm::all_of(proposals, isLocal))
    seconds *= 1 - kShareOfOthers;
  if (llvm::Error error = local.run(seconds))
    return error;
  budget.endStep("kernels, one by one");
  if (!local.hasRun())
    return llvm::Error::success();
  llvm::erase_if(proposals, isLocal);
  std::vector<PlannedProposal> kept;
  auto tryFound = [&]() -> llvm::Error {
    for (PlannedProposal &found : local.getFound()) {
      auto tried = trials.runOne(found);
      if (!tried)
        return tried.takeError();
      if (tried->outcome == Outcome::Kept)
        kept.push_back(std::move(found));
    }
    return llvm::Error::success();
  };
  llvm::Error error = tryFound();
  local.addReceipts(kept);
  return error;
}

llvm::Error Search::endStep(llvm::StringRef what) {
  budget.endStep(what);
  if (budget.getLeft() > 0)
    return llvm::Error::success();
  return llvm::make_error<BudgetError>();
}

//===----------------------------------------------------------------------===//
// The end of the budget
//===----------------------------------------------------------------------===//

void Search::stopForBudget() {
  isSpent = true;
  // Without a control nothing is known to be faster.
  if (!comparer.getControl()) {
    if (hasReference && !incumbent.isBaseline())
      incumbent.reset();
    known.dropUnchecked(incumbent, journal, "the budget was used up");
  }
}

double Search::getMissingSeconds() const {
  constexpr double kControlSeconds = 1, kUnknownBuild = 5;
  ModelServer *baseline = incumbent.getBaseline().server.get();
  double build = baseline ? baseline->getModel().buildSeconds
                          : options.earlierBuildSeconds;
  if (build <= 0)
    build = kUnknownBuild;
  double seconds = trials.getMissingSeconds().value_or(
      build + budget.getComparisonSeconds(kEnoughRounds) + unseen.getSeconds());
  if (!hasReference)
    seconds += build;
  if (!baseline)
    seconds += build;
  if (!comparer.getControl())
    seconds += kControlSeconds;
  return seconds + budget.getReservedSeconds();
}

void Search::noteShortBudget() {
  // Measurements of times are never the same twice.
  constexpr double kSafety = 1.2;
  double used = budget.getUsed(), missing = getMissingSeconds();
  std::string steps = budget.describeSteps();
  journal.note(llvm::formatv(
      "the budget of {0:f1} s is too short to try anything: {1:f1} s "
      "passed{2}, "
      "and a candidate with the check of the result takes about {3:f1} s more; "
      "--budget={4}s would do",
      budget.getTotal(), used, steps.empty() ? "" : " (" + steps + ")", missing,
      uint64_t(std::ceil(kSafety * (used + missing)))));
}

void Search::noteExceededBudget() {
  constexpr double kMuch = 1.1;
  if (budget.getUsed() > kMuch * budget.getTotal())
    journal.note(llvm::formatv(
        "the search took {0:f1} s with a budget of {1:f1} s, since what had "
        "begun was ended: {2}",
        budget.getUsed(), budget.getTotal(), budget.describeSteps()));
}

void Search::returnPrevious(const std::optional<Refusal> &refusal) {
  if (!refusal)
    return;
  whyPrevious = refusal->why;
  incumbent.reset();
  journal.withdraw(refusal->blame);
}

llvm::Error Search::checkTimes() {
  PROF_SCOPE("check times");
  if (incumbent.isBaseline())
    return llvm::Error::success();
  progress.report("final", "the result against the original model");
  auto refusal = finalCheck.compareTimes(comparer, incumbent);
  if (!refusal)
    return refusal.takeError();
  returnPrevious(*refusal);
  return llvm::Error::success();
}

llvm::Error Search::checkOtherRequests() {
  if (incumbent.isBaseline() || options.checkRequests.empty())
    return llvm::Error::success();
  progress.report("final", "results on other arguments");
  auto refusal = finalCheck.checkOtherRequests(incumbent, journal);
  if (!refusal)
    return refusal.takeError();
  returnPrevious(*refusal);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

OptimizerResult Search::getResult(const ChoiceMap &choices) {
  OptimizerResult result;
  journal.addKnown(known.takeReceipts());
  result.receipts = journal.getReceipts();
  result.notes = journal.getNotes();
  result.choices = choices;
  result.referenceSeconds = reference.getSeconds();
  result.referencePipeline = reference.getPipeline().str();
  result.control = comparer.getControl();
  result.whole = finalCheck.getComparison();
  result.sizeMargin = finalCheck.getSizeMargin();
  result.unseen = incumbent.get().unseen;
  result.whyPrevious = whyPrevious;
  result.stop = isSpent || local.hasMore() ? StopReason::BudgetUsed
                                           : trials.getStopReason();
  result.errorBefore = incumbent.getBaseline().error;
  result.errorAfter = incumbent.get().error;
  result.tolerance = reference.getTolerance();
  result.textBefore = incumbent.getBaselineTextBytes();
  result.textAfter = incumbent.getTextBytes();
  result.searchSeconds = local.getSeconds() + trials.getSeconds();
  return result;
}

llvm::Expected<OptimizerResult> Search::run() {
  PROF_SCOPE("search");
  if (sites.sites.empty())
    return inputError("the model", "does not have ops to decide about");
  // Step 1: nothing is measured where all is known, or there is no time.
  bool wasKnown = isKnown();
  isSpent = budget.getTotal() > 0 && budget.getLeft() <= 0;
  if (!wasKnown && budget.getTotal() <= 0)
    journal.note("the budget is 0: nothing was measured");
  else if (!wasKnown && isSpent)
    noteShortBudget();
  if (wasKnown || budget.getTotal() <= 0 || isSpent) {
    OptimizerResult result = getResult(known.getChoices());
    result.wasKnown = wasKnown;
    result.usedSeconds = budget.getUsed();
    return result;
  }
  // Step 2: the search, as far as it comes.
  bool wasInterrupted = false;
  for (auto step :
       {&Search::measure, &Search::checkTimes, &Search::checkOtherRequests}) {
    llvm::Error error = (this->*step)();
    if (error.isA<BudgetError>()) {
      llvm::consumeError(std::move(error));
      if (step == &Search::measure)
        stopForBudget();
      else
        returnPrevious(Refusal{"the budget ended before the result was checked",
                               Blame::Circumstances});
      continue;
    }
    if (error && !error.isA<InterruptedError>())
      return std::move(error);
    wasInterrupted = bool(error);
    llvm::consumeError(std::move(error));
    if (wasInterrupted)
      break;
  }
  if (wasInterrupted) {
    known.dropUnchecked(incumbent, journal, "the search was interrupted");
    if (journal.countTrials() == 0)
      journal.note("the interruption came before anything was tried: the model "
                   "is unchanged");
  }
  budget.endStep("the check of the result");
  if (!wasInterrupted && journal.countTrials() == 0 &&
      (isSpent || trials.getMissingSeconds()))
    noteShortBudget();
  else
    noteExceededBudget();
  // Step 3: where all was tried, the next search need not be made.
  const ChoiceMap &choices = incumbent.get().choices;
  bool isComplete =
      !wasInterrupted && !isSpent && !local.hasMore() &&
      trials.getStopReason() != StopReason::BudgetUsed &&
      llvm::none_of(journal.getReceipts(),
                    [](const Receipt &receipt) { return receipt.isDisturbed; });
  if (isComplete) {
    journal.settle(choices);
    journal.markComplete(marker.get(choices), finalCheck.getComparison());
  }
  OptimizerResult result = getResult(choices);
  result.wasInterrupted = wasInterrupted;
  result.usedSeconds = budget.getUsed();
  return result;
}

bool Search::isKnown() {
  known.find(database);
  return !options.isRepeated && marker.isComplete(known.getChoices(), database);
}

bool optimize::isSearchKnown(const ModelSites &sites,
                             DecisionDatabase &database,
                             const OptimizerOptions &options) {
  SearchTools tools = getSearchTools();
  return !sites.sites.empty() &&
         Search(nullptr, sites, database, options, tools).isKnown();
}

llvm::Expected<OptimizerResult> optimize::optimizeModel(
    mlir::ModuleOp input, const ModelSites &sites, DecisionDatabase &database,
    const OptimizerOptions &options, const SearchTools &tools) {
  return Search(input, sites, database, options, tools).run();
}
