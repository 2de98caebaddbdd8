//===- Record.cpp - mlir-prof record --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordOptions.h"
#include "Session.h"
#include "Verbs.h"
#include "mlir-prof/Match/Work.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlirprof;
using llvm::opt::InputArgList;

namespace {
/// Times of iterations, in ns.
struct TimeSummary {
  int64_t min = 0;
  int64_t median = 0;
  int64_t mean = 0;
  /// Half of the distance between the quartiles.
  int64_t spread = 0;
};
} // namespace

static TimeSummary summarise(std::vector<int64_t> times) {
  TimeSummary result;
  if (times.empty())
    return result;
  llvm::sort(times);
  result.min = times.front();
  result.median = times[times.size() / 2];
  double sum = 0;
  for (int64_t time : times)
    sum += double(time);
  result.mean = int64_t(sum / double(times.size()));
  result.spread = (times[times.size() * 3 / 4] - times[times.size() / 4]) / 2;
  return result;
}

static std::string formatNs(int64_t ns) { return formatTime(ns * 1000); }

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::string describeShape(const HostTensor &tensor) {
  std::string text;
  for (int64_t dimension : tensor.shape)
    text += std::to_string(dimension) + "x";
  return text + tensor.elementType;
}

/// What a model gives: its results, and the arguments that are memory, which it
/// may write to, when it has none.
static std::vector<std::pair<std::string, const HostTensor *>>
getOutputs(const Signature &signature, const RunResult &run) {
  std::vector<std::pair<std::string, const HostTensor *>> outputs;
  for (auto [value, tensor] : llvm::zip(signature.results, run.results))
    outputs.push_back({value.name, &tensor});
  if (signature.results.empty())
    for (auto [value, tensor] : llvm::zip(signature.arguments, run.arguments))
      if (!value.isScalar)
        outputs.push_back({value.name, &tensor});
  return outputs;
}

static llvm::Error saveResults(llvm::StringRef folder,
                               const Signature &signature,
                               const RunResult &run) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return inputError(folder, "cannot be made: " + error.message());
  for (auto &[name, tensor] : getOutputs(signature, run)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name + ".npy");
    const HostTensor &value = *tensor;
    if (llvm::Error error =
            writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
              writeNpy(value, os);
              return llvm::Error::success();
            }))
      return error;
  }
  return llvm::Error::success();
}

/// Compares one result with a file; the error is a GateError when they differ.
static llvm::Error compareOne(const RecordOptions &options,
                              llvm::StringRef name, const HostTensor &actual,
                              llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  auto expected = readNpy((*buffer)->getBuffer(), path);
  if (!expected)
    return expected.takeError();
  if (actual.shape != expected->shape)
    return gateError("result '" + name + "' is " + describeShape(actual) +
                     " and '" + path + "' holds " + describeShape(*expected));
  double atol = options.atol;
  if (atol < 0) {
    double largest = 0;
    for (uint64_t i = 0, e = expected->size(); i < e; ++i)
      if (auto value = getElement(*expected, i); value && std::isfinite(*value))
        largest = std::max(largest, std::fabs(*value));
    atol = 1e-5 * largest;
  }
  auto comparison = compareTensors(actual, *expected, options.rtol, atol);
  if (!comparison)
    return comparison.takeError();
  std::string text = llvm::formatv(
      "result '{0}' against {1}: largest error {2:e2}, {3:e2} of "
      "the largest element",
      name, path, comparison->maxAbsolute, comparison->relativeToMax);
  if (comparison->notFinite)
    return gateError(text +
                     llvm::formatv("; {0} of {1} elements are not finite",
                                   comparison->notFinite, comparison->elements)
                         .str());
  if (!comparison->isEqual())
    return gateError(text +
                     llvm::formatv("; {0} of {1} elements are further off than "
                                   "{2:e2} + {3:e2} * |expected|",
                                   comparison->different, comparison->elements,
                                   atol, options.rtol)
                         .str());
  note(text);
  return llvm::Error::success();
}

static llvm::Error compareResults(const RecordOptions &options,
                                  const Signature &signature,
                                  const RunResult &run) {
  auto outputs = getOutputs(signature, run);
  size_t next = 0;
  llvm::Error all = llvm::Error::success();
  for (const CompareSpec &spec : options.compare) {
    size_t at = next;
    if (!spec.result.empty() &&
        llvm::StringRef(spec.result).getAsInteger(10, at))
      at = llvm::find_if(
               outputs,
               [&](auto &output) { return output.first == spec.result; }) -
           outputs.begin();
    if (at >= outputs.size())
      return llvm::joinErrors(
          std::move(all),
          usageError("--compare: the model has " + llvm::Twine(outputs.size()) +
                     " results, and none for '" +
                     (spec.result.empty() ? spec.path : spec.result) + "'"));
    next = at + 1;
    all = llvm::joinErrors(
        std::move(all),
        compareOne(options, outputs[at].first, *outputs[at].second, spec.path));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// What the run was like
//===----------------------------------------------------------------------===//

static void printRun(const RunResult &run) {
  TimeSummary times = summarise(run.iterationNs);
  note(
      llvm::formatv("{0} iterations: min {1}, median {2}, mean {3}, spread {4}",
                    run.iterations, formatNs(times.min), formatNs(times.median),
                    formatNs(times.mean), formatNs(times.spread)));
  uint64_t inModel = 0, waiting = 0, outside = 0;
  for (const Sample &sample : run.samples) {
    waiting += sample.sampleClass == SampleClass::Wait;
    outside += sample.sampleClass == SampleClass::Outside;
  }
  inModel = run.samples.size() - waiting - outside;
  if (!run.samples.empty())
    note(
        llvm::formatv("{0} samples: {1} in the model, {2} waiting, {3} outside",
                      run.samples.size(), inModel, waiting, outside));
}

/// Writes the times of all iterations; "schema": "mlir-prof.times/1".
static llvm::Error writeTimes(llvm::StringRef path, const RunResult &run) {
  return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    TimeSummary times = summarise(run.iterationNs);
    llvm::json::OStream json(os, 1);
    json.object([&] {
      json.attribute("schema", "mlir-prof.times/1");
      json.attribute("iterations", int64_t(run.iterations));
      json.attribute("min_ns", times.min);
      json.attribute("median_ns", times.median);
      json.attribute("mean_ns", times.mean);
      json.attribute("spread_ns", times.spread);
      json.attribute("page_faults", int64_t(run.pageFaults));
      json.attributeArray("iteration_ns", [&] {
        for (int64_t time : run.iterationNs)
          json.value(time);
      });
    });
    os << '\n';
    return llvm::Error::success();
  });
}

/// What keeps a run from counting as done, after its data were saved.
static llvm::Error checkExit(llvm::StringRef model, const RunResult &run) {
  if (run.exit == ExitKind::Finished)
    return llvm::Error::success();
  return inputError(model, "did not finish: " + run.exitReason,
                    run.iterations == 0
                        ? "No iteration ended; try --pipeline=naive to see "
                          "whether the model itself is at fault."
                        : "What was measured until then was kept.");
}

static llvm::Error saveRun(const RecordOptions &options,
                           const BuiltModel &built,
                           llvm::ArrayRef<Arguments> requests,
                           const RunResult &run) {
  if (options.output.empty())
    return llvm::Error::success();
  Profile profile;
  if (llvm::Error error = addRun(built.model, run, profile))
    return error;
  Run &recorded = profile.runs.back();
  recorded.source = options.model;
  if (requests.size() == 1) {
    std::vector<llvm::ArrayRef<int64_t>> shapes;
    for (const HostTensor &tensor : requests.front())
      shapes.push_back(tensor.shape);
    recorded.work = computeWork(*built.input, profile.programs.back(), shapes);
  }
  if (options.measurePeak) {
    auto peak = measurePeak();
    if (peak)
      setPeak(recorded.machine, *peak);
    else
      note("this machine's peak was not measured: " +
           llvm::toString(peak.takeError()));
  }
  return saveProfile(profile,
                     options.json ? ProfileForm::Json : ProfileForm::Binary,
                     options.output);
}

llvm::Error mlirprof::runRecord(const InputArgList &arguments) {
  auto options = getRecordOptions(arguments);
  if (!options)
    return options.takeError();
  auto built = buildModel(options->model, options->compile);
  if (!built)
    return built.takeError();
  const CompiledModel &model = built->model;
  if (!options->saveObject.empty())
    if (llvm::Error error = writeOutput(
            options->saveObject, [&](llvm::raw_ostream &os) -> llvm::Error {
              os << model.object;
              return llvm::Error::success();
            }))
      return error;
  auto requests =
      makeArguments(model.signature, options->inputs, options->shapes);
  if (!requests)
    return requests.takeError();
  auto run = runModel(model, *requests, options->run);
  if (!run)
    return run.takeError();
  if (run->iterations != 0)
    printRun(*run);
  for (const Loss &loss : run->losses)
    note(llvm::formatv("  {0}: {1} times, {2}", loss.name, loss.count,
                       formatTime(loss.timePs)));

  // What was measured is kept, whatever the run came to.
  if (llvm::Error error = saveRun(*options, *built, *requests, *run))
    return error;
  if (!options->times.empty())
    if (llvm::Error error = writeTimes(options->times, *run))
      return error;
  if (llvm::Error error = checkExit(options->model, *run))
    return error;
  if (!options->saveResults.empty())
    if (llvm::Error error =
            saveResults(options->saveResults, model.signature, *run))
      return error;
  return compareResults(*options, model.signature, *run);
}
