//===- ReceiptSummary.cpp - The outcome of a search for its user ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Sites/ChoiceText.h"
#include "ReceiptText.h"
#include "mlir-prof/Optimize/Receipts.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

std::string optimize::formatShare(double share) {
  return llvm::formatv("{0:f1} %", 100 * share);
}

LeastTime optimize::getLeastTime(const OptimizerResult &result,
                                 const ModelSites &sites) {
  LeastTime least;
  for (const OpSite &site : sites.sites)
    least.seconds += site.boundSeconds;
  auto see = [&](double seconds) {
    if (seconds > 0 &&
        (least.fastestSeconds == 0 || seconds < least.fastestSeconds))
      least.fastestSeconds = seconds;
  };
  for (const std::optional<Comparison> &comparison :
       {result.whole, result.control})
    if (comparison) {
      see(comparison->incumbentSeconds);
      see(comparison->candidateSeconds);
    }
  // Receipts that are not applied may be of other numbers of threads, or of
  // code that computes something else: not runs of this model on this machine.
  for (const Receipt &receipt : result.receipts)
    if (receipt.isApplied)
      see(double(receipt.observation.newPs) * 1e-12);
  return least;
}

std::string optimize::describe(const LeastTime &least, double seconds,
                               llvm::StringRef ofWhat) {
  std::string need =
      formatTime(toPs(least.seconds)) + " for the operations and bytes";
  if (least.isWithdrawn())
    return "a time that is not known: by its measured peak it would be " +
           need + ", and " + formatTime(toPs(least.fastestSeconds)) +
           " were seen, so that peak is too low (something else ran while it "
           "was measured)";
  if (seconds <= 0)
    return "at least " + need;
  return "at least " + need + ": " + formatShare(least.seconds / seconds) +
         " " + ofWhat.str();
}

static std::string nameOps(const Receipt &receipt, const ModelSites &sites) {
  if (receipt.sites.empty())
    return "an op";
  const OpSite &first = sites.sites[receipt.sites.front()];
  std::string text = first.label;
  if (receipt.sites.size() > 1)
    text += llvm::formatv(" and {0} more", receipt.sites.size() - 1);
  else if (first.ops.size() > 1)
    text += llvm::formatv(" ({0} times)", first.ops.size());
  return text;
}

double optimize::getNoise(const OptimizerResult &result, double spread) {
  return result.control ? getNoise(*result.control) : spread;
}

/// Says so where a change is within the noise.
static std::string describeChange(double ratio, double noise) {
  return judgeChange(ratio, noise) == Change::Undecided
             ? "undecided within noise of " + formatShare(noise) + ": "
             : "";
}

static std::string describeTimes(const Observation &seen, double noise) {
  if (seen.rounds == 0 || seen.oldPs <= 0)
    return "";
  double ratio = double(seen.newPs) / double(seen.oldPs);
  return llvm::formatv(
      "{0}{1} -> {2} ({3:f4} of it, spread {4:f1} %, {5} rounds)",
      describeChange(ratio, noise), formatTime(seen.oldPs),
      formatTime(seen.newPs), ratio, 100 * seen.spread, seen.rounds);
}

void optimize::printReceipt(const Receipt &receipt,
                            const OptimizerResult &result,
                            const ModelSites &sites, llvm::raw_ostream &os) {
  const Observation &seen = receipt.observation;
  os << "  " << receipt.technique << " " << describe(receipt.choice) << ": "
     << nameOps(receipt, sites) << "\n    "
     << (receipt.isApplied ? "applied" : "not applied");
  if (receipt.origin == ReceiptOrigin::Database)
    os << ", from the decisions (" << getName(receipt.confidence) << ")";
  std::string times = describeTimes(seen, getNoise(result, seen.spread));
  if (!times.empty())
    os << "; " << times;
  if (!seen.reason.empty())
    os << "; " << seen.reason;
  if (seen.error)
    os << llvm::formatv("; error {0:e1}", *seen.error);
  if (receipt.opError)
    os << llvm::formatv(", of the op alone {0:e1}", *receipt.opError);
  if (!seen.sizes.empty())
    os << "; measured on sizes " << formatSizes(seen.sizes);
  os << "\n";
}

/// Writes the least time that the machine needs, which bounds any gain, as part
/// of the time that the result was measured to take: a profile may be of
/// another build, or of a busier machine.
static void printBound(const OptimizerResult &result, const ModelSites &sites,
                       llvm::raw_ostream &os) {
  LeastTime least = getLeastTime(result, sites);
  if (least.seconds <= 0)
    return;
  double seconds = result.control ? result.control->incumbentSeconds : 0;
  llvm::StringRef ofWhat = "of the time of one run";
  if (result.whole && result.whole->rounds) {
    bool isPrevious = !result.whyPrevious.empty();
    seconds = isPrevious ? result.whole->incumbentSeconds
                         : result.whole->candidateSeconds;
    ofWhat = isPrevious ? "of the time before" : "of the time after";
  }
  os << "the machine needs " << describe(least, seconds, ofWhat) << "\n";
}

/// Says so where the whole is not shown to be faster.
static std::string describeWhole(const OptimizerResult &result) {
  const Comparison &whole = *result.whole;
  if (result.sizeMargin > 0 && whole.verdict == Verdict::Faster)
    return "not slower by more than " + formatShare(result.sizeMargin) + ": ";
  std::string change =
      describeChange(whole.ratio, getNoise(result, whole.spread));
  if (!change.empty() || whole.verdict == Verdict::Faster)
    return change;
  return (getName(whole.verdict) + ": ").str();
}

static void printTimes(const OptimizerResult &result, llvm::raw_ostream &os) {
  if (result.referenceSeconds > 0)
    os << llvm::formatv("unoptimized, pipeline {0} on one thread: {1}\n",
                        result.referencePipeline,
                        formatTime(toPs(result.referenceSeconds)));
  // Without a round there was no time to measure the whole.
  if (result.whole && result.whole->rounds) {
    const Comparison &whole = *result.whole;
    os << llvm::formatv(
        "{0}before {1}, after {2}: {3:f4} of it (spread {4:f1} %, {5} rounds, "
        "p-value {6:g})\n",
        describeWhole(result), formatTime(toPs(whole.incumbentSeconds)),
        formatTime(toPs(whole.candidateSeconds)), whole.ratio,
        100 * whole.spread, whole.rounds, whole.probability);
  } else if (result.control) {
    os << "time of one run: "
       << formatTime(toPs(result.control->incumbentSeconds)) << "\n";
  }
  if (result.control)
    os << llvm::formatv("control, processes of the same model: {0:f4} (spread "
                        "{1:f1} %, {2} rounds, noise {3:f1} %)\n",
                        result.control->ratio, 100 * result.control->spread,
                        result.control->rounds,
                        100 * getNoise(*result.control));
  if (result.textBefore)
    os << llvm::formatv("code {0} -> {1} bytes; error {2:e1} -> {3:e1} "
                        "(allowed {4:e1})\n",
                        result.textBefore, result.textAfter, result.errorBefore,
                        result.errorAfter, result.tolerance);
}

/// The result for shapes that the requests do not have.
static void printUnseen(const OptimizerResult &result, llvm::raw_ostream &os) {
  if (result.unseen.empty())
    return;
  auto byRatio = [](const UnseenResult &a, const UnseenResult &b) {
    return a.comparison.ratio < b.comparison.ratio;
  };
  auto [best, worst] =
      std::minmax_element(result.unseen.begin(), result.unseen.end(), byRatio);
  os << llvm::formatv("on {0} shapes that were not recorded: {1:f2} ({2}) to "
                      "{3:f2} ({4}) of the time before\n",
                      result.unseen.size(), best->comparison.ratio,
                      best->shapes, worst->comparison.ratio, worst->shapes);
}

/// The measured gain of a candidate, by which the rejected ones are ordered.
static double getGain(const Receipt &receipt) {
  const Observation &seen = receipt.observation;
  return seen.rounds && seen.oldPs > 0
             ? 1 - double(seen.newPs) / double(seen.oldPs)
             : -1;
}

/// Writes why candidates are not in the result, those with the largest measured
/// gain first.
static void printRejected(const OptimizerResult &result,
                          const ModelSites &sites, llvm::raw_ostream &os) {
  constexpr size_t kMost = 8;
  std::vector<const Receipt *> rejected;
  for (const Receipt &receipt : result.receipts)
    if (!receipt.isApplied)
      rejected.push_back(&receipt);
  llvm::stable_sort(rejected, [](const Receipt *a, const Receipt *b) {
    return getGain(*a) > getGain(*b);
  });
  size_t shown = std::min(kMost, rejected.size());
  for (const Receipt *receipt : llvm::ArrayRef(rejected).take_front(shown))
    printReceipt(*receipt, result, sites, os);
  if (shown != rejected.size())
    os << llvm::formatv(
        "  {0} more are not applied; --receipts=FILE says why\n",
        rejected.size() - shown);
}

void optimize::printSummary(const OptimizerResult &result,
                            const ModelSites &sites, llvm::raw_ostream &os) {
  printTimes(result, os);
  printUnseen(result, os);
  printBound(result, sites, os);
  if (!result.whyPrevious.empty())
    os << "the previous version is returned: " << result.whyPrevious << "\n";
  size_t applied = 0, failed = 0, tried = 0;
  for (const Receipt &receipt : result.receipts) {
    applied += receipt.isApplied;
    failed += receipt.observation.outcome == Outcome::Failed;
    tried += receipt.origin == ReceiptOrigin::Search;
  }
  bool isMeasured = result.stop != StopReason::None || result.wasInterrupted;
  if (!isMeasured && !result.wasKnown)
    os << llvm::formatv("nothing was measured; {0} applied\n",
                        formatCount(applied, "known choice"));
  else if (result.wasKnown)
    os << "nothing was searched: with these ops and decisions all was tried "
          "before (--again tries again)\n";
  else
    os << llvm::formatv(
        "{0} tried in {1:f1} s, {2} applied, {3} failed; {4}\n",
        formatCount(tried, "candidate"), result.searchSeconds, applied, failed,
        result.wasInterrupted ? "interrupted" : getName(result.stop));
  for (const Receipt &receipt : result.receipts)
    if (receipt.isApplied)
      printReceipt(receipt, result, sites, os);
  printRejected(result, sites, os);
}
