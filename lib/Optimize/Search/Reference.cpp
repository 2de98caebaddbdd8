//===- Reference.cpp - Results of the unoptimized model -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

/// The part of the budget that the unoptimized model may take for its results,
/// and the least that it gets.
static constexpr double kReferenceShare = 0.2;
static constexpr double kLeastReferenceSeconds = 10;

/// All structured ops for size, which is built soonest.
static ChoiceMap chooseSize(const ModelSites &sites) {
  ChoiceMap choices;
  for (const OpSite &site : sites.sites)
    if (llvm::isa<mlir::linalg::LinalgOp>(site.ops.front()))
      choices[site.signature.exact][codegen::choice::kCode.str()] = {
          {"for", "size"}};
  return choices;
}

static size_t countStructuredOps(const ModelSites &sites) {
  size_t count = 0;
  for (const OpSite &site : sites.sites)
    if (llvm::isa<mlir::linalg::LinalgOp>(site.ops.front()))
      count += site.ops.size();
  return count;
}

llvm::Error Reference::compute(std::vector<std::string> &notes) {
  // Upstream's loops of more ops are built and run for minutes.
  constexpr size_t kMostNaiveOps = 500;
  double limit = std::min(
      std::max(kLeastReferenceSeconds, kReferenceShare * options.budgetSeconds),
      builder.getBuildLimit());
  BuildSetup setup = {options.compile, limit, limit};
  setup.compile.choose = nullptr;
  setup.compile.polynomials = false;
  setup.compile.maxError = 0;
  setup.compile.target.threads = 1;
  std::string why = "was not tried, as the model is large";
  if (countStructuredOps(sites) <= kMostNaiveOps) {
    setup.compile.pipeline = "naive";
    llvm::Error error = computeBy(setup, notes);
    if (!error || endsSearch(error))
      return error;
    why = "gave no results (" + llvm::toString(std::move(error)) + ")";
  }
  // As kernels a large model takes seconds to build, and as one function
  // minutes. Choices of candidates (tiles, algorithms, polynomials) stay off.
  setup.compile.pipeline = "default";
  setup.compile.choose = chooseBy(chooseSize(sites));
  setup.buildSeconds = 0;
  if (llvm::Error error = computeBy(setup, notes))
    return error;
  notes.push_back("errors are against the default pipeline with libm's "
                  "functions and direct algorithms, as pipeline naive " +
                  why);
  return llvm::Error::success();
}

llvm::Error Reference::computeBy(const BuildSetup &setup,
                                 std::vector<std::string> &notes) {
  auto server = builder.build(setup, options.requests);
  if (!server)
    return server.takeError();
  auto results = (*server)->getResults();
  if (!results)
    return results.takeError();
  main = std::move(*results);
  if (auto took = (*server)->run(options.requests.size()))
    seconds = *took / double(options.requests.size());
  else
    llvm::consumeError(took.takeError());
  pipeline = setup.compile.pipeline;
  if (llvm::Error error = computeUnseen(**server, setup, notes))
    return error;
  // At once, as long as it is there: a large model takes its time to build.
  return computeOther(**server, setup);
}

llvm::Error Reference::computeUnseen(ModelServer &built,
                                     const BuildSetup &setup,
                                     std::vector<std::string> &notes) {
  unseen.clear();
  unsigned dropped = 0;
  for (const Arguments &request : options.unseenRequests) {
    auto server = builder.startAgain(built, setup, request);
    auto results = server ? (*server)->getResults() : server.takeError();
    if (results)
      unseen.push_back({&request, std::move(*results), 0});
    else if (results.errorIsA<InterruptedError>())
      return results.takeError();
    else {
      // Its sizes need not go together.
      llvm::consumeError(results.takeError());
      ++dropped;
    }
  }
  if (dropped)
    notes.push_back(
        llvm::formatv("the model does not run on {0} of {1} shapes that were "
                      "not recorded: choices are measured on the others",
                      dropped, options.unseenRequests.size()));
  return llvm::Error::success();
}

llvm::Error Reference::computeOther(ModelServer &built,
                                    const BuildSetup &setup) {
  if (options.checkRequests.empty())
    return llvm::Error::success();
  auto server = builder.startAgain(built, setup, options.checkRequests);
  auto results = server ? (*server)->getResults() : server.takeError();
  if (results)
    other = std::move(*results);
  else if (results.errorIsA<InterruptedError>())
    return results.takeError();
  else
    noOther = llvm::toString(results.takeError());
  return llvm::Error::success();
}

llvm::Expected<double>
Reference::acceptBaseline(const ModelResults &results,
                          std::vector<std::string> &notes) {
  ResultCheck check =
      checkResults(results, main, std::numeric_limits<double>::max());
  if (!check.isRight())
    return inputError("the model", "computes wrong results: " + check.reason,
                      "This is a defect of the default pipeline; record with "
                      "--pipeline=naive works around it.");
  // Types of few bits lose as much.
  constexpr double kMostError = 0.05;
  if (check.error > kMostError)
    return inputError("the model",
                      llvm::formatv("is off by {0:e1} of its largest result "
                                    "when it is built by the default pipeline",
                                    check.error),
                      "Either its results are noise, or this is a defect of "
                      "the pipeline; record with --pipeline=naive to see.");
  // A candidate may lose as much as the model loses anyway by being computed in
  // other orders and types.
  tolerance = std::max(options.tolerance, 2 * check.error);
  if (tolerance > options.tolerance)
    notes.push_back(
        llvm::formatv(
            "errors up to {0:e1} are allowed, twice that of the default "
            "pipeline",
            tolerance)
            .str());
  return check.error;
}
