//===- LocalTrials.cpp - Trials of single kernels -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalTrials.h"
#include "../Search/ModelComparer.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Machine.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// The shortest measurement.
static constexpr double kMeasurementSeconds = 2e-3;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

llvm::Error LocalTrials::start() {
  constexpr double kLeastPart = 0.005;
  if (llvm::none_of(space.getTechniques(), [](const Technique *technique) {
        return technique->proposeInKernel;
      }))
    return llvm::Error::success();
  progress.report("trial", "the model with kernels that change");
  auto created = LocalModel::create(input, options,
                                    builder.getLimits(incumbent.get().choices),
                                    incumbent.get().choices);
  if (!created)
    return created.takeError();
  if ((*created)->getModel().kernelCode.empty())
    return llvm::Error::success();
  local = std::move(*created);
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  // The first round is not like the others: pages come, threads begin.
  const uint64_t requests = options.requests.size();
  auto first = (*server)->run(requests, /*warmUp=*/requests);
  if (!first)
    return first.takeError();
  modelSeconds = std::max(*first, 1e-9);
  iterations =
      requests * uint64_t(std::clamp(
                     std::ceil(kMeasurementSeconds / modelSeconds), 1.0, 1e6));
  auto times = (*server)->timeAll(4 * iterations);
  if (!times)
    return times.takeError();
  // From all measured iterations to one round of all requests.
  for (double &seconds : *times)
    seconds *= double(requests) / double(4 * iterations);
  double least = sites.effort == Effort::All ? 0 : kLeastPart * modelSeconds;
  mlir::ModuleOp module = sites.module;
  candidates = proposeLocally(local->getModel(), sites, space, *times, least,
                              *module.getContext());
  isTried = true;
  return llvm::Error::success();
}

/// An error that ends the search comes back; of another one the journal tells.
static llvm::Error noteFailure(llvm::Error error, Journal &journal) {
  if (!error || endsSearch(error))
    return error;
  journal.note("kernels are not tried one by one: " +
               llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error LocalTrials::run(double seconds) {
  PROF_SCOPE("local trials");
  double end = budget.getUsed() + seconds;
  isCut = seconds <= 0;
  if (isCut)
    return llvm::Error::success();
  llvm::Error error = start();
  if (!error && isTried) {
    double begin = budget.getUsed();
    error = runAll(end);
    if (error)
      isCut = true;
    usedSeconds = budget.getUsed() - begin;
  }
  local.reset();
  return noteFailure(std::move(error), journal);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

LocalTrials::Trial
LocalTrials::makeTrial(const LocalCandidate &candidate) const {
  Trial trial;
  trial.candidate = &candidate;
  trial.planned.technique = candidate.technique;
  for (size_t site : candidate.sites)
    trial.planned.proposal.choices.push_back({site, candidate.choice});
  trial.request.kernel = candidate.op.kernel;
  trial.request.changes.push_back(
      {{candidate.op.number},
       candidate.technique->name.str(),
       {candidate.choice.begin(), candidate.choice.end()}});
  return trial;
}

/// Whether what is pending is compiled while `last` is measured.
bool LocalTrials::isInParallel(const Trial &last) const {
  if (!pending)
    return true;
  // The model has its processors for itself.
  if (options.compile.target.threads >= getMachineInfo().threads)
    return false;
  const LocalCandidate &next = *pending->candidate, &before = *last.candidate;
  if (next.op.kernel != before.op.kernel)
    return true;
  return next.op.number == before.op.number &&
         next.technique == before.technique;
}

/// Compiles `next` while the candidate before it is measured, if there is a
/// processor for it. If that is another choice for the same kernel, its outcome
/// comes first: with it the next one is compiled.
llvm::Error LocalTrials::advance(std::optional<Trial> next) {
  std::optional<Trial> last = std::exchange(pending, std::move(next));
  auto beginPending = [&] {
    return pending ? local->begin(pending->request) : llvm::Error::success();
  };
  if (!last)
    return beginPending();
  auto variant = local->finish();
  bool inParallel = isInParallel(*last);
  if (inParallel)
    if (llvm::Error error = beginPending()) {
      llvm::consumeError(variant.takeError());
      return error;
    }
  if (llvm::Error error = finish(*last, std::move(variant)))
    return error;
  return inParallel ? llvm::Error::success() : beginPending();
}

llvm::Error LocalTrials::runAll(double endSeconds) {
  std::set<size_t> prepared;
  for (const LocalCandidate &candidate : candidates) {
    if (options.isInterrupted && options.isInterrupted())
      return llvm::make_error<InterruptedError>();
    if (budget.getUsed() >= endSeconds) {
      isCut = true;
      break;
    }
    Trial trial = makeTrial(candidate);
    if (!options.isRepeated &&
        journal.wasTried(trial.planned, incumbent.get().choices))
      continue;
    // The kernel as it is comes first, compiled and loaded as the others are.
    if (prepared.insert(candidate.op.kernel).second) {
      if (llvm::Error error = advance(std::nullopt))
        return error;
      if (llvm::Error error = prepareKernel(candidate.op.kernel))
        return error;
    }
    if (llvm::Error error = advance(std::move(trial)))
      return error;
  }
  return advance(std::nullopt);
}

llvm::Error LocalTrials::prepareKernel(size_t kernel) {
  KernelRequest request;
  request.kernel = kernel;
  auto variant = local->compile(request);
  if (!variant)
    return variant.takeError();
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  if (llvm::Error error = (*server)->load(kernel, *variant))
    return error;
  if (llvm::Error error = (*server)->keep(kernel, KernelChoice::Candidate))
    return error;
  local->keep(request, std::move(*variant));
  return llvm::Error::success();
}

llvm::Error LocalTrials::finish(const Trial &trial,
                                llvm::Expected<KernelVariant> variant) {
  PROF_SCOPE("local trial");
  Receipt receipt = makeReceipt(trial.planned);
  receipt.observation.outcome = Outcome::Rejected;
  progress.report("trial", receipt.technique + " of " +
                               sites.sites[receipt.sites.front()].label);
  llvm::Error error = variant ? measure(trial, std::move(*variant), receipt)
                              : variant.takeError();
  if (endsSearch(error))
    return error;
  if (error) {
    receipt.observation.outcome = Outcome::Failed;
    receipt.observation.reason = llvm::toString(std::move(error));
    // If its process lives, it is in an unknown state.
    local->dropServer();
  }
  receipt.atSeconds = budget.getUsed();
  if (receipt.observation.outcome == Outcome::Kept)
    won.push_back(std::move(receipt));
  else
    journal.record(trial.planned, std::move(receipt));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

namespace {
/// Times the dispatches of a kernel, with the incumbent or the candidate.
class KernelStopwatch final : public Stopwatch {
public:
  KernelStopwatch(KernelServer &server, size_t kernel, uint64_t iterations,
                  const TimeBudget &budget)
      : server(server), kernel(kernel), iterations(iterations), budget(budget) {
  }

  llvm::Expected<double> measure(Variant variant) override {
    KernelChoice choice = variant == Variant::Candidate
                              ? KernelChoice::Candidate
                              : KernelChoice::Incumbent;
    auto seconds = server.time(kernel, choice, iterations);
    if (!seconds)
      return seconds;
    // A clock that does not move on is not a reason to fail.
    return std::max(*seconds, 1e-9) / double(iterations);
  }
  double now() override { return budget.getUsed(); }

private:
  KernelServer &server;
  size_t kernel;
  uint64_t iterations;
  const TimeBudget &budget;
};
} // namespace

namespace {
/// The times of a kernel's dispatches that were repeated.
class ReplayStopwatch final : public Stopwatch {
public:
  ReplayStopwatch(std::vector<double> seconds, size_t requests,
                  const TimeBudget &budget)
      : seconds(std::move(seconds)), requests(requests), budget(budget) {}

  llvm::Expected<double> measure(Variant) override {
    // In the order in which a comparison measures.
    if (next == seconds.size())
      return inputError("a kernel", "was not repeated as often");
    return std::max(seconds[next++], 1e-9) / double(requests);
  }
  double now() override { return budget.getUsed(); }

private:
  std::vector<double> seconds;
  size_t requests, next = 0;
  const TimeBudget &budget;
};
} // namespace

/// The test of a candidate in place: that of the whole model shows in the end
/// what it gains.
static ComparisonOptions getLocalTest() {
  ComparisonOptions how;
  how.minimumGain = 0.005;
  how.worthwhileGain = 0.015;
  // Six rounds in which it gains less are enough.
  how.futility = 0.02;
  how.firstLook = 6;
  how.maxRounds = 16;
  how.warmUp = 0;
  return how;
}

llvm::Expected<Comparison> LocalTrials::glance(const Trial &trial) {
  ComparisonOptions how = getLocalTest();
  how.maxRounds = how.firstLook;
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  auto seconds = (*server)->replay(trial.candidate->op.kernel, how.maxRounds);
  if (!seconds)
    return seconds.takeError();
  ReplayStopwatch stopwatch(std::move(*seconds), options.requests.size(),
                            budget);
  auto repeated = compare(stopwatch, how);
  // So few rounds show no more than what is worth a test among all that the
  // model does between two runs of a dispatch.
  if (repeated && repeated->ratio > 1 - how.minimumGain)
    repeated->verdict = Verdict::NotFaster;
  return repeated;
}

llvm::Expected<Comparison> LocalTrials::compareTimes(const Trial &trial) {
  constexpr double kMostSeconds = 1.5;
  // Workgroups of several threads are not repeated where they stand.
  if (options.compile.target.threads <= 1) {
    auto first = glance(trial);
    if (!first || first->verdict == Verdict::NotFaster)
      return first;
  }
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  KernelStopwatch stopwatch(**server, trial.candidate->op.kernel, iterations,
                            budget);
  ComparisonOptions how = getLocalTest();
  how.maxSeconds = kMostSeconds;
  how.isInterrupted = options.isInterrupted;
  return compare(stopwatch, how);
}

llvm::Error LocalTrials::checkNumbers(const Trial &trial, Receipt &receipt) {
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  // Its first runs, which are not measured, also repack constants.
  auto seconds =
      (*server)->time(trial.candidate->op.kernel, KernelChoice::Candidate,
                      options.requests.size());
  if (!seconds)
    return seconds.takeError();
  auto results = (*server)->getResults();
  if (!results)
    return results.takeError();
  ResultCheck check = reference.check(*results);
  receipt.observation.error = check.error;
  receipt.observation.reason = check.reason;
  return llvm::Error::success();
}

/// States the times of the model: its time as it was measured in place, without
/// what the dispatches of the kernel gain.
void LocalTrials::describe(const Trial &trial, const Comparison &comparison,
                           Receipt &receipt) {
  double part =
      std::min(1.0, comparison.incumbentSeconds *
                        double(options.requests.size()) / modelSeconds);
  Comparison whole = comparison;
  whole.ratio = 1 - part * (1 - comparison.ratio);
  whole.incumbentSeconds = modelSeconds;
  whole.candidateSeconds = modelSeconds * whole.ratio;
  whole.spread = part * comparison.spread;
  tuning::describe(whole, receipt.observation);
  receipt.observation.reason =
      llvm::formatv("{0} in place: its dispatches, {1:f1} % of the time, take "
                    "{2:f3} of their time",
                    getName(comparison.verdict), 100 * part, comparison.ratio)
          .str();
  // The incumbent has the last choice for the op that won.
  Gains &known = gains[trial.candidate->technique];
  double &base = known.incumbent[trial.candidate->op];
  double gain = base + whole.incumbentSeconds - whole.candidateSeconds;
  for (size_t site : trial.candidate->sites)
    known.bySite[site][trial.candidate->choice] += gain;
  if (comparison.verdict != Verdict::Faster)
    return;
  known.faster.insert(trial.candidate->sites.begin(),
                      trial.candidate->sites.end());
  base = gain;
}

llvm::Error LocalTrials::measure(const Trial &trial, KernelVariant variant,
                                 Receipt &receipt) {
  size_t kernel = trial.candidate->op.kernel;
  if (variant.fingerprint == local->getFingerprint(kernel)) {
    receipt.observation.reason = "makes the same code";
    return llvm::Error::success();
  }
  auto server = local->getServer();
  if (!server)
    return server.takeError();
  if (llvm::Error error = (*server)->load(kernel, variant))
    return error;
  if (llvm::Error error = checkNumbers(trial, receipt))
    return error;
  if (!receipt.observation.reason.empty())
    return (*server)->keep(kernel, KernelChoice::Incumbent);
  auto comparison = unlessInterrupted(compareTimes(trial));
  if (!comparison)
    return comparison.takeError();
  describe(trial, *comparison, receipt);
  if (comparison->verdict != Verdict::Faster)
    return (*server)->keep(kernel, KernelChoice::Incumbent);
  if (llvm::Error error = (*server)->keep(kernel, KernelChoice::Candidate))
    return error;
  local->keep(trial.request, std::move(variant));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The choices that won
//===----------------------------------------------------------------------===//

std::vector<PlannedProposal> LocalTrials::getFound() const {
  std::vector<PlannedProposal> all;
  for (const Technique *technique : space.getTechniques()) {
    auto known = gains.find(technique);
    if (known == gains.end())
      continue;
    PlannedProposal found;
    found.technique = technique;
    for (size_t site : known->second.faster) {
      const auto &choices = known->second.bySite.at(site);
      auto best = std::max_element(
          choices.begin(), choices.end(),
          [](const auto &a, const auto &b) { return a.second < b.second; });
      if (best->second > 0)
        found.proposal.choices.push_back({site, best->first});
    }
    if (!found.proposal.choices.empty())
      all.push_back(std::move(found));
  }
  return all;
}

/// Whether `kept` has one of the choices that `receipt` tells of.
static bool hasChoice(const PlannedProposal &kept, const Receipt &receipt) {
  if (kept.technique->name != receipt.technique)
    return false;
  return llvm::any_of(llvm::zip_equal(receipt.sites, receipt.choices),
                      [&](const auto &choice) {
                        auto [site, chosen] = choice;
                        return llvm::is_contained(kept.proposal.choices,
                                                  std::pair(site, chosen));
                      });
}

void LocalTrials::addReceipts(llvm::ArrayRef<PlannedProposal> kept) {
  for (Receipt &receipt : won) {
    bool isKept = llvm::any_of(kept, [&](const PlannedProposal &planned) {
      return hasChoice(planned, receipt);
    });
    // The trial of all together has applied it.
    receipt.observation.outcome = isKept ? Outcome::Kept : Outcome::Rejected;
    receipt.observation.reason +=
        isKept ? "; applied together with the others that are"
               : "; not among what is kept of all that are, together";
  }
  journal.addKnown(std::move(won));
  won.clear();
}
