//===- SearchStart.cpp - What candidates are compared with ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// The part of the budget that the unoptimized model may take for its results,
/// and the least that it gets.
static constexpr double kReferenceShare = 0.2;
static constexpr double kLeastReferenceSeconds = 10;

ServerOptions Search::getServerOptions(const CompileOptions &compile,
                                       double runSeconds, double buildSeconds) {
  ServerOptions server;
  server.threads = compile.target.threads;
  server.memory = options.memory;
  // What is begun may end, but not much later than the budget.
  constexpr double kGrace = 20;
  server.buildSeconds =
      std::min(options.buildSeconds, std::max(0.0, getLeft()) + kGrace);
  if (buildSeconds > 0)
    server.buildSeconds = std::min(server.buildSeconds, buildSeconds);
  server.runSeconds = runSeconds;
  server.isInterrupted = options.isInterrupted;
  return server;
}

llvm::Expected<Search::Server> Search::serve(mlir::ModuleOp module,
                                             const CompileOptions &compile,
                                             llvm::ArrayRef<Arguments> requests,
                                             double runSeconds,
                                             double buildSeconds) {
  return tools.serve(module, compile, requests,
                     getServerOptions(compile, runSeconds, buildSeconds));
}

double Search::getRunSeconds(size_t requests) const {
  // What takes so much longer than the model before is no candidate; as long as
  // that is not known, than the unoptimized one.
  constexpr double kMostSlower = 50, kLeastSeconds = 10, kUnknownSeconds = 5;
  double each = baselineSeconds > 0
                    ? kMostSlower * baselineSeconds
                    : std::max(kUnknownSeconds, 4 * result.referenceSeconds);
  return kLeastSeconds + each * double(requests);
}

llvm::Expected<Search::Server> Search::serve(const ChoiceMap &choices) {
  return serve(choices, options.requests);
}

llvm::Expected<Search::Server>
Search::serve(const ChoiceMap &choices, llvm::ArrayRef<Arguments> requests) {
  CompileOptions compile = options.compile;
  compile.choose = chooseBy(choices);
  return serve(input, compile, requests, getRunSeconds(requests.size()));
}

llvm::Expected<Search::Server>
Search::serveAgain(ModelServer &built, const ChoiceMap &choices,
                   llvm::ArrayRef<Arguments> requests) {
  CompileOptions compile = options.compile;
  compile.choose = chooseBy(choices);
  return serveAgain(built, compile, requests, getRunSeconds(requests.size()));
}

llvm::Expected<Search::Server>
Search::serveAgain(ModelServer &built, const CompileOptions &compile,
                   llvm::ArrayRef<Arguments> requests, double runSeconds,
                   double buildSeconds) {
  auto again =
      built.startAgain(requests, getServerOptions(compile, runSeconds));
  if (again || again.errorIsA<InterruptedError>())
    return again;
  // It has ended, or there was no room: neither is a fault of the model's.
  llvm::consumeError(again.takeError());
  return serve(input, compile, requests, runSeconds, buildSeconds);
}

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

llvm::Error Search::takeReference(const CompileOptions &compile,
                                  double runSeconds, double buildSeconds) {
  auto server =
      serve(input, compile, options.requests, runSeconds, buildSeconds);
  if (!server)
    return server.takeError();
  auto results = (*server)->getResults();
  if (!results)
    return results.takeError();
  reference = std::move(*results);
  if (auto took = (*server)->run(options.requests.size()))
    result.referenceSeconds = *took / double(options.requests.size());
  else
    llvm::consumeError(took.takeError());
  result.referencePipeline = compile.pipeline;
  if (llvm::Error error =
          takeUnseenReference(**server, compile, runSeconds, buildSeconds))
    return error;
  if (options.checkRequests.empty())
    return llvm::Error::success();
  // At once, as long as it is there: a large model takes its time to build.
  auto other = serveAgain(**server, compile, options.checkRequests, runSeconds,
                          buildSeconds);
  auto others = other ? (*other)->getResults() : other.takeError();
  if (others)
    checkReference = std::move(*others);
  else if (others.errorIsA<InterruptedError>())
    return others.takeError();
  else
    whyNoCheck = llvm::toString(others.takeError());
  return llvm::Error::success();
}

llvm::Error Search::startReference() {
  // Upstream's loops of more ops are built and run for minutes.
  constexpr size_t kMostNaiveOps = 500;
  report("reference", "the unoptimized model");
  double seconds =
      std::max(kLeastReferenceSeconds, kReferenceShare * options.budgetSeconds);
  CompileOptions compile = options.compile;
  compile.choose = nullptr;
  compile.polynomials = false;
  compile.maxError = 0;
  compile.target.threads = 1;
  std::string why = "was not tried, as the model is large";
  if (countStructuredOps(sites) <= kMostNaiveOps) {
    compile.pipeline = "naive";
    llvm::Error error = takeReference(compile, seconds, seconds);
    if (!error || error.isA<InterruptedError>())
      return error;
    why = "gave no results (" + llvm::toString(std::move(error)) + ")";
  }
  compile.pipeline = "default";
  compile.choose = chooseBy(chooseSize(sites));
  if (llvm::Error error = takeReference(compile, seconds, /*buildSeconds=*/0))
    return error;
  result.notes.push_back("errors are against the default pipeline with libm's "
                         "functions and direct algorithms, as pipeline naive " +
                         why);
  return llvm::Error::success();
}

llvm::Error Search::startBaseline() {
  report("baseline", "the model as it is");
  auto server = serve(ChoiceMap());
  if (!server)
    return server.takeError();
  baseline = std::move(*server);
  auto results = baseline->getResults();
  if (!results)
    return results.takeError();
  result.textBefore = result.textAfter = baseline->getModel().textBytes;
  ResultCheck check =
      checkResults(*results, reference, std::numeric_limits<double>::max());
  if (!check.isRight())
    return inputError("the model",
                      "does not compute what it should: " + check.reason,
                      "This is a defect of the default pipeline; record with "
                      "--pipeline=naive works around it.");
  result.errorBefore = result.errorAfter = check.error;
  // Types of few bits lose as much.
  constexpr double kMostError = 0.05;
  if (check.error > kMostError)
    return inputError("the model",
                      llvm::formatv("is off by {0:e1} of its largest result "
                                    "when it is built by the default pipeline",
                                    check.error),
                      "Either its results are noise, or this is a defect of "
                      "the pipeline; record with --pipeline=naive to see.");
  // What the model loses by being computed in other orders and types anyway is
  // no reason to refuse a candidate.
  result.tolerance = std::max(options.tolerance, 2 * check.error);
  if (result.tolerance > options.tolerance)
    result.notes.push_back(
        llvm::formatv("errors up to {0:e1} are allowed, twice what the default "
                      "pipeline makes by itself",
                      result.tolerance)
            .str());
  return checkUnseenBaseline();
}

/// Measures the model against another process with it: what a comparison finds
/// where there is nothing to find. Two processes differ by where their memory
/// lies, and that is no gain.
llvm::Expected<Comparison> Search::compareControl() {
  constexpr unsigned kRounds = 24;
  constexpr double kMostSeconds = 6, kLeastSeconds = 1, kShare = 0.1;
  report("control", "the model against itself");
  auto other = serveAgain(*baseline, ChoiceMap(), options.requests);
  if (!other)
    return other.takeError();
  auto stopwatch = makeStopwatch(*baseline, **other);
  if (!stopwatch)
    return stopwatch.takeError();
  ComparisonOptions control = options.comparison;
  control.isInterrupted = options.isInterrupted;
  control.maxRounds = kRounds;
  control.maxSeconds =
      std::clamp(kShare * options.budgetSeconds, kLeastSeconds, kMostSeconds);
  auto measured = compareWithItself(*stopwatch, control);
  if (measured && measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  return measured;
}

llvm::Error Search::measureControl() {
  constexpr double kSafety = 1.5;
  auto measured = compareControl();
  if (!measured)
    return measured.takeError();
  comparison = options.comparison;
  comparison.isInterrupted = options.isInterrupted;
  baselineSeconds = incumbentSeconds = measured->incumbentSeconds;
  // What of the difference is more than the spread of the rounds explains.
  double bias = std::abs(1 - measured->ratio) -
                2 * measured->spread / std::sqrt(double(measured->rounds));
  comparison.minimumGain = std::max(comparison.minimumGain, kSafety * bias);
  comparison.worthwhileGain =
      std::max(comparison.worthwhileGain, 2 * comparison.minimumGain);
  result.control = *measured;
  return llvm::Error::success();
}
