//===- TimeBudget.cpp - Seconds that a search may take --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeBudget.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Record/ModelServer.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;

char BudgetError::ID = 0;

void BudgetError::log(llvm::raw_ostream &os) const {
  os << "the budget was used up";
}

std::error_code BudgetError::convertToErrorCode() const {
  return std::make_error_code(std::errc::timed_out);
}

void TimeBudget::endStep(llvm::StringRef what) {
  double now = clock();
  spent.push_back({what.str(), now - stepBegin});
  stepBegin = now;
}

std::string TimeBudget::describeSteps() const {
  constexpr double kLeastSeconds = 0.1;
  std::string text;
  for (const SpentTime &step : spent)
    if (step.seconds >= kLeastSeconds)
      text += llvm::formatv("{0}{1} {2:f1} s", text.empty() ? "" : ", ",
                            step.what, step.seconds)
                  .str();
  return text;
}

double TimeBudget::getRunLimit(size_t requests) const {
  // A candidate that takes so many times as long as the model is not worth the
  // wait; before the model is measured, the unoptimized model is the measure.
  constexpr double kMostSlower = 50, kLeastSeconds = 10, kUnknownSeconds = 5;
  double each = modelSeconds > 0
                    ? kMostSlower * modelSeconds
                    : std::max(kUnknownSeconds, 4 * referenceSeconds);
  return kLeastSeconds + each * double(requests);
}

double TimeBudget::getComparisonSeconds(unsigned rounds) const {
  // A round is four measurements, each with its warm-up of a fifth. Finding the
  // number of iterations takes about two rounds.
  constexpr double kMeasurements = 4 * 1.2, kMoreRounds = 2;
  double one =
      std::max(ServerStopwatch::kSeconds, modelSeconds * double(requests));
  return (rounds + kMoreRounds) * std::max(kMeasurements * one, roundSeconds);
}

double TimeBudget::getReservedSeconds() const {
  // Seven rounds of one sign are rarer than one in a hundred.
  constexpr unsigned kFewestRounds = 10;
  constexpr double kShare = 0.2, kMost = 60;
  return std::min(kMost, std::clamp(kShare * totalSeconds,
                                    getComparisonSeconds(kFewestRounds),
                                    getComparisonSeconds(kEnoughRounds)));
}

bool optimize::endsSearch(const llvm::Error &error) {
  return error.isA<record::InterruptedError>() || error.isA<BudgetError>();
}
