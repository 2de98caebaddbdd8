//===- FinalCheck.cpp - Whether the result holds as a whole ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinalCheck.h"
#include "../Receipts/ReceiptText.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

llvm::Expected<std::optional<Refusal>>
FinalCheck::compareTimes(ModelComparer &comparer, const Incumbent &incumbent) {
  // Step 1: a test of any gain, with all the time that is left; for choices
  // for size alone, a test of a loss.
  ComparisonOptions test = comparer.getTest();
  test.minimumGain = 0;
  test.maxRounds = kMaxSignedRankValues;
  test.maxSeconds = std::max(budget.getReservedSeconds(), budget.getLeft());
  const bool isForSize = incumbent.get().isForSizeOnly;
  if (isForSize) {
    test = comparer.asSizeTest(test);
    sizeMargin = comparer.getSizeMargin();
  }
  ModelServer &before = incumbent.getBaselineServer();
  const double beforeSeconds = incumbent.getBaseline().seconds;
  const ChoiceMap none;
  auto measured = comparer.compare(
      {before, none}, {incumbent.getServer(), incumbent.get().choices},
      beforeSeconds, test);
  if (!measured)
    return measured.takeError();
  comparison = *measured;
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  // Step 2: two equal models differ by less.
  auto isWithin =
      isForSize ? false : comparer.isWithinControl(*measured, before);
  if (!isWithin)
    return isWithin.takeError();
  if (*isWithin)
    comparison->verdict = Verdict::Undecided;
  // Step 3: it is faster, or as fast and smaller.
  if (comparison->verdict == Verdict::Faster)
    return std::nullopt;
  bool wasDisturbed = isDisturbed(*measured, beforeSeconds);
  std::string claim =
      isForSize ? "not shown to be as fast" : "not faster beyond noise";
  std::string why = llvm::formatv(
      "the result is {0}: {1:f4} of the time before, {2}{3}", claim,
      comparison->ratio, getName(comparison->verdict),
      *isWithin      ? " within a control of " +
                           formatShare(getNoise(*comparer.getControl()))
      : wasDisturbed ? "; the machine was disturbed"
                     : "");
  // Where the time was too short to tell, the decisions stay: each was faster.
  bool isSlower = comparison->verdict == Verdict::NotFaster && !wasDisturbed;
  return Refusal{why, isSlower ? Blame::Choices : Blame::Circumstances};
}

llvm::Expected<std::optional<Refusal>>
FinalCheck::checkOtherRequests(Incumbent &incumbent, Journal &journal) const {
  auto skip = [&](const llvm::Twine &why) -> std::optional<Refusal> {
    journal.note(
        ("the result was not checked on other arguments: " + why).str());
    return std::nullopt;
  };
  if (!reference.whyNoOther().empty())
    return skip("the unoptimized model gave no results for them: " +
                reference.whyNoOther());
  auto after = builder.computeResults(
      incumbent.getServer(), incumbent.get().choices, options.checkRequests);
  ResultCheck check;
  if (after)
    check = reference.checkOther(*after, options.tolerance);
  if (!after || !check.isRight()) {
    // Only now does it matter how far the baseline is off: a large model takes
    // its time to build.
    auto before = builder.computeResults(incumbent.getBaselineServer(),
                                         ChoiceMap(), options.checkRequests);
    if (!before) {
      llvm::consumeError(after.takeError());
      if (before.errorIsA<InterruptedError>())
        return before.takeError();
      return skip("the model does not run on them: " +
                  llvm::toString(before.takeError()));
    }
    if (!after) {
      if (after.errorIsA<InterruptedError>())
        return after.takeError();
      return Refusal{"on other arguments: " +
                     llvm::toString(after.takeError())};
    }
    double error =
        reference.checkOther(*before, std::numeric_limits<double>::max()).error;
    check =
        reference.checkOther(*after, std::max(options.tolerance, 2 * error));
  }
  incumbent.addError(check.error);
  if (!check.isRight())
    return Refusal{"on other arguments: " + check.reason};
  return std::nullopt;
}
