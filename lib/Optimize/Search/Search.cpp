//===- Search.cpp - Searching for what makes a model faster ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "../Receipts/ReceiptText.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::report;
using namespace mlirprof::tuning;

/// Measurements of times are never the same twice.
static constexpr double kBudgetSafety = 1.2;

Search::Search(mlir::ModuleOp input, const ModelSites &sites,
               DecisionDatabase &database, const OptimizerOptions &options,
               const SearchTools &tools)
    : input(input), sites(sites), database(database), options(options),
      tools(tools), machine(getMachineKey(options.compile.target)),
      begin(tools.clock()) {}

double Search::getUsed() const {
  return options.usedSeconds + tools.clock() - begin;
}

bool Search::isInterrupted() const {
  return options.isInterrupted && options.isInterrupted();
}

void Search::report(llvm::StringRef phase, const llvm::Twine &what) {
  if (!options.onProgress)
    return;
  double ratio = baselineSeconds > 0 ? incumbentSeconds / baselineSeconds : 1;
  options.onProgress({phase, what.str(), getUsed(), options.budgetSeconds,
                      trials, kept, ratio});
}

bool Search::isUsed(const Technique &technique) const {
  return options.techniques.empty() ||
         llvm::is_contained(options.techniques, technique.name);
}

const Technique *Search::findTechnique(llvm::StringRef name) const {
  const auto *found =
      llvm::find_if(tools.techniques, [&](const Technique &technique) {
        return technique.name == name;
      });
  return found == tools.techniques.end() ? nullptr : found;
}

void Search::collectProposals() {
  for (const Technique &technique : tools.techniques) {
    if (!isUsed(technique))
      continue;
    for (Proposal &proposal : technique.propose(sites))
      if (!proposal.choices.empty())
        proposals.push_back({&technique, std::move(proposal)});
  }
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

llvm::Error Search::make(const PlannedProposal &planned, Receipt &receipt) {
  receipt.technique = planned.technique->name.str();
  for (const auto &[site, choice] : planned.proposal.choices) {
    receipt.sites.push_back(site);
    receipt.choices.push_back(choice);
  }
  receipt.choice = receipt.choices.front();
  report("trial", receipt.technique + " " + describe(receipt.choice) + " of " +
                      sites.sites[receipt.sites.front()].label);
  receipt.observation.outcome = Outcome::Rejected;
  double started = getUsed();
  if (llvm::Error error = tryOut(planned, receipt))
    return error;
  ++trials;
  receipt.atSeconds = getUsed();
  result.searchSeconds += receipt.atSeconds - started;
  receipt.isApplied = receipt.observation.outcome == Outcome::Kept;
  record(planned, receipt);
  result.receipts.push_back(receipt);
  return llvm::Error::success();
}

/// The site of a budget for a proposal: what it is about, in the seconds of the
/// model as it was measured here.
static EffortSite getEffortSite(const PlannedProposal &planned,
                                const ModelSites &sites, double scale) {
  EffortSite effort;
  bool isWhole = false;
  for (const auto &[index, choice] : planned.proposal.choices) {
    const OpSite &site = sites.sites[index];
    effort.seconds += site.seconds * scale;
    effort.boundSeconds += site.boundSeconds;
    isWhole |= llvm::is_contained(site.ops, sites.entry);
    if (effort.name.empty())
      effort.name = site.label;
  }
  // What is decided about the function that is run is decided about all that it
  // does, whatever of the time is its own.
  if (effort.seconds != 0 && !isWhole)
    return effort;
  effort.seconds = sites.seconds * scale;
  effort.boundSeconds = 0;
  for (const OpSite &site : sites.sites)
    effort.boundSeconds += site.boundSeconds;
  return effort;
}

double Search::getBuildSeconds() const {
  return (incumbent ? *incumbent : *baseline).getModel().buildSeconds;
}

/// Whether what a trial takes is mostly to build the model. Code for size is
/// built sooner, so such a model is made small before the others are tried.
bool Search::isSlowToBuild() const {
  constexpr double kLeastSeconds = 2, kShare = 0.05;
  double seconds = baseline->getModel().buildSeconds;
  return seconds > kLeastSeconds && seconds > kShare * options.budgetSeconds;
}

/// Says which budget would have been enough for one trial of `cost` seconds.
void Search::noteShortBudget(double cost) {
  if (isShortNoted)
    return;
  isShortNoted = true;
  double used = getUsed(), check = getCheckSeconds();
  result.notes.push_back(llvm::formatv(
      "the budget of {0:f1} s is too short to try anything: {1:f1} s passed "
      "until the model was measured as it is, a candidate takes about {2:f1} s "
      "and the check of the result {3:f1} s; --budget={4}s would do",
      options.budgetSeconds, used, cost, check,
      uint64_t(std::ceil(kBudgetSafety * (used + cost + check)))));
}

llvm::Error Search::runTrials() {
  constexpr double kMostForOp = 1.5;
  double scale =
      sites.seconds > 0 ? baselineSeconds / sites.seconds : baselineSeconds;
  BudgetOptions effort;
  effort.seconds = options.budgetSeconds - getCheckSeconds();
  effort.modelSeconds = baselineSeconds;
  effort.noise = comparison.minimumGain;
  effort.isExhaustive = sites.effort == Effort::All;
  Budget budget(effort);
  std::map<std::vector<size_t>, size_t> known;
  std::vector<const PlannedProposal *> planned;
  for (const PlannedProposal &proposal : proposals) {
    if (proposal.proposal.isKeptWhenEqual ||
        (!options.isRepeated && wasTried(proposal)))
      continue;
    std::vector<size_t> key;
    for (const auto &[site, choice] : proposal.proposal.choices)
      key.push_back(site);
    auto [place, isNew] = known.try_emplace(key);
    if (isNew)
      place->second = budget.addSite(getEffortSite(proposal, sites, scale));
    // A second comparison when it is kept; two builds of the op alone where its
    // numbers change.
    double success = proposal.proposal.success, build = getBuildSeconds();
    double cost = build + getComparisonSeconds(kEnoughRounds) * (1 + success) +
                  getUnseenSeconds() * success;
    if (proposal.proposal.changesNumbers)
      cost += std::min(kMostForOp, 2 * build);
    size_t trial =
        budget.addTrial(place->second, {proposal.technique->name.str(),
                                        proposal.proposal.success,
                                        proposal.proposal.closes, cost});
    planned.resize(std::max(planned.size(), trial + 1));
    planned[trial] = &proposal;
  }
  while (std::optional<PlannedTrial> next = budget.next(getUsed())) {
    if (isInterrupted())
      return llvm::make_error<InterruptedError>();
    Receipt receipt;
    double started = getUsed();
    if (llvm::Error error = make(*planned[next->trial], receipt))
      return error;
    const Observation &seen = receipt.observation;
    double gain = double(seen.oldPs - seen.newPs) * 1e-12;
    budget.report(next->trial,
                  {seen.outcome,
                   std::max(0.0, budget.getSite(next->site).seconds - gain),
                   getUsed() - started});
  }
  // Nor may what was left before be forgotten.
  if (result.stop != StopReason::BudgetUsed)
    result.stop = budget.getStopReason();
  if (trials == 0 && budget.getStopReason() == StopReason::BudgetUsed)
    noteShortBudget(budget.getLeastCost());
  return llvm::Error::success();
}

/// What is not tried for its time: there is nothing to expect, so it comes
/// last.
llvm::Error Search::runRest() {
  for (const PlannedProposal &planned : proposals) {
    if (!planned.proposal.isKeptWhenEqual ||
        (!options.isRepeated && wasTried(planned)))
      continue;
    if (isInterrupted())
      return llvm::make_error<InterruptedError>();
    double cost = getBuildSeconds() + getComparisonSeconds(kEnoughRounds) +
                  getUnseenSeconds();
    if (getLeft() < cost + getCheckSeconds()) {
      result.stop = StopReason::BudgetUsed;
      if (trials == 0)
        noteShortBudget(cost);
      break;
    }
    Receipt receipt;
    if (llvm::Error error = make(planned, receipt))
      return error;
    if (receipt.isApplied)
      break; // The others are parts of the same set.
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

llvm::Error Search::measure() {
  if (isInterrupted())
    return llvm::make_error<InterruptedError>();
  if (llvm::Error error = startReference())
    return error;
  if (llvm::Error error = startBaseline())
    return error;
  if (llvm::Error error = adoptKnown())
    return error;
  if (llvm::Error error = measureControl())
    return error;
  if (llvm::Error error = timeKnown())
    return error;
  if (!isSlowToBuild()) {
    if (llvm::Error error = runTrials())
      return error;
    return runRest();
  }
  if (llvm::Error error = runRest())
    return error;
  return runTrials();
}

llvm::Expected<OptimizerResult> Search::run() {
  if (sites.sites.empty())
    return inputError("the model", "has no ops to decide about");
  collectProposals();
  findKnown();
  if (result.wasKnown || options.budgetSeconds <= 0) {
    if (!result.wasKnown)
      result.notes.push_back("the budget is 0: nothing was measured");
    return std::move(result);
  }
  if (getLeft() <= 0) {
    result.notes.push_back(
        llvm::formatv("the budget of {0} was used up before the search, in "
                      "{1:f1} s: no candidate was built or measured",
                      formatTime(toPs(options.budgetSeconds)), getUsed()));
    return std::move(result);
  }
  for (auto step :
       {&Search::measure, &Search::checkWhole, &Search::checkOtherRequests}) {
    llvm::Error error = (this->*step)();
    if (error.isA<InterruptedError>()) {
      llvm::consumeError(std::move(error));
      result.wasInterrupted = true;
      dropUnchecked();
      if (trials == 0)
        result.notes.push_back("the interruption came before anything was "
                               "tried: the model is as it was");
      break;
    }
    if (error)
      return std::move(error);
  }
  bool isComplete =
      !result.wasInterrupted && result.stop != StopReason::BudgetUsed &&
      llvm::none_of(result.receipts,
                    [](const Receipt &receipt) { return receipt.isDisturbed; });
  if (isComplete)
    markComplete();
  result.usedSeconds = getUsed();
  return std::move(result);
}

bool Search::isKnown() {
  findKnown();
  return result.wasKnown;
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
