//===- SearchStart.cpp - What candidates are compared with ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;

/// The part of the budget that the unoptimised model may take for its results,
/// and the least that it gets.
static constexpr double kReferenceShare = 0.2;
static constexpr double kLeastReferenceSeconds = 10;

llvm::Expected<Search::Server> Search::serve(mlir::ModuleOp module,
                                             const CompileOptions &compile,
                                             llvm::ArrayRef<Arguments> requests,
                                             double runSeconds) {
  ServerOptions server;
  server.threads = compile.target.threads;
  server.memory = options.memory;
  server.buildSeconds = options.buildSeconds;
  server.runSeconds = runSeconds;
  server.isInterrupted = options.isInterrupted;
  return ModelServer::start(
      [&]() -> llvm::Expected<CompiledModel> {
        CompileOptions plain = compile;
        plain.identities = false;
        plain.recordValues = false;
        plain.instrument.reset();
        plain.audit = nullptr;
        return compileModel(mlir::OwningOpRef<mlir::ModuleOp>(module.clone()),
                            plain);
      },
      requests, server);
}

llvm::Expected<Search::Server> Search::serve(const ChoiceMap &choices) {
  // What takes so much longer than the model before is no candidate.
  constexpr double kMostSlower = 50, kLeastSeconds = 10;
  CompileOptions compile = options.compile;
  compile.choose = chooseBy(choices);
  double runSeconds = kLeastSeconds + kMostSlower * baselineSeconds *
                                          double(options.requests.size());
  return serve(input, compile, options.requests, runSeconds);
}

/// The results of the model as its ops define them: op after op, by upstream's
/// lowerings alone. Where that cannot be built or takes too long, those of the
/// default pipeline without polynomials and faster algorithms.
llvm::Error Search::startReference() {
  report("reference", "the unoptimised model");
  double seconds =
      std::max(kLeastReferenceSeconds, kReferenceShare * options.budgetSeconds);
  CompileOptions compile = options.compile;
  compile.choose = nullptr;
  compile.polynomials = false;
  compile.maxError = 0;
  compile.target.threads = 1;
  std::string why;
  for (llvm::StringRef pipeline : {"naive", "default"}) {
    compile.pipeline = pipeline.str();
    auto server = serve(input, compile, options.requests, seconds);
    llvm::Error error = server.takeError();
    if (!error) {
      auto results = (*server)->getResults();
      if (results) {
        reference = std::move(*results);
        if (auto took = (*server)->run(options.requests.size()))
          result.referenceSeconds = *took / double(options.requests.size());
        else
          llvm::consumeError(took.takeError());
        result.referencePipeline = pipeline.str();
        if (!why.empty())
          result.notes.push_back(
              "errors are against the default pipeline with libm's functions "
              "and direct algorithms, as pipeline naive gave no results (" +
              why + ")");
        return llvm::Error::success();
      }
      error = results.takeError();
    }
    if (error.isA<InterruptedError>() || pipeline == "default")
      return error;
    why = llvm::toString(std::move(error));
  }
  llvm_unreachable("the last pipeline returns");
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
  // What the model loses by being computed in other orders and types anyway is
  // no reason to refuse a candidate.
  result.tolerance = std::max(options.tolerance, 2 * check.error);
  return llvm::Error::success();
}

/// Measures the model against another build of it: what a comparison finds
/// where there is nothing to find. Two processes differ by where their memory
/// lies, too, and that is no gain.
llvm::Error Search::measureControl() {
  constexpr unsigned kRounds = 24;
  constexpr double kMostSeconds = 6, kSafety = 1.5;
  report("control", "the model against itself");
  auto other = serve(ChoiceMap());
  if (!other)
    return other.takeError();
  auto stopwatch = ServerStopwatch::create(*baseline, **other);
  if (!stopwatch)
    return stopwatch.takeError();
  comparison = options.comparison;
  comparison.isInterrupted = options.isInterrupted;
  ComparisonOptions control = comparison;
  control.maxRounds = kRounds;
  control.maxSeconds = kMostSeconds;
  auto measured = compareWithItself(*stopwatch, control);
  if (!measured)
    return measured.takeError();
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
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

/// Begins with the choices that the database knows, when they hold here.
llvm::Error Search::adoptKnown() {
  if (result.choices.empty())
    return llvm::Error::success();
  report("known", "decisions of the database");
  auto dismiss = [&](const llvm::Twine &why) {
    for (Receipt &receipt : result.receipts) {
      receipt.isApplied = false;
      receipt.observation.reason = why.str();
    }
    result.choices.clear();
    result.notes.push_back(
        ("the decisions of the database are not used: " + why).str());
  };
  auto server = serve(result.choices);
  llvm::Error error = server.takeError();
  if (!error) {
    auto results = (*server)->getResults();
    if (results) {
      ResultCheck check = checkResults(*results, reference, result.tolerance);
      if (!check.isRight()) {
        dismiss(check.reason);
        return llvm::Error::success();
      }
      result.errorAfter = check.error;
      incumbent = std::move(*server);
      result.textAfter = incumbent->getModel().textBytes;
      isForSizeOnly = false;
      return llvm::Error::success();
    }
    error = results.takeError();
  }
  if (error.isA<InterruptedError>())
    return error;
  dismiss(llvm::toString(std::move(error)));
  return llvm::Error::success();
}
