//===- Record.cpp - mlir-prof record --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOptions.h"
#include "FileOptions.h"
#include "Formats.h"
#include "OptimizeOptions.h"
#include "RecordDevice.h"
#include "RecordOptions.h"
#include "RecordResults.h"
#include "RecordTarget.h"
#include "SelfProfile.h"
#include "SessionOptions.h"
#include "Stop.h"
#include "Verbs.h"
#include "mlir-prof/Record/SavedObject.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Statistics.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

namespace {
/// Times of iterations.
struct TimeSummary {
  int64_t minPs = 0;
  int64_t medianPs = 0;
  int64_t meanPs = 0;
  /// Half of the interquartile range.
  int64_t spreadPs = 0;
};
} // namespace

static TimeSummary summarize(llvm::ArrayRef<int64_t> timesNs) {
  TimeSummary result;
  if (timesNs.empty())
    return result;
  std::vector<int64_t> times;
  __int128 sum = 0;
  for (int64_t time : timesNs) {
    times.push_back(time * 1000);
    sum += times.back();
  }
  result.minPs = *llvm::min_element(times);
  result.medianPs = getMedian(times);
  result.meanPs = int64_t(sum / __int128(times.size()));
  result.spreadPs = (getQuantile(times, 3, 4) - getQuantile(times, 1, 4)) / 2;
  return result;
}

//===----------------------------------------------------------------------===//
// Properties of the run
//===----------------------------------------------------------------------===//

static void printSamples(const RunResult &run) {
  uint64_t inModel = 0, waiting = 0, outside = 0;
  for (const Sample &sample : run.samples) {
    inModel += isOfOp(sample.sampleClass);
    waiting += sample.sampleClass == SampleClass::Wait;
    outside += sample.sampleClass == SampleClass::Outside;
  }
  std::string text = llvm::formatv(
      "{0}: {1} in the model, {2} waiting, {3} outside",
      formatCount(run.samples.size(), "sample"), inModel, waiting, outside);
  if (uint64_t other = run.samples.size() - inModel - waiting - outside)
    text += llvm::formatv(", {0} in the executor", other);
  note(text);
  if (inModel == 0 && run.exit == ExitKind::Finished)
    note("no sample is in the model: --seconds=X runs it for longer, --rate=HZ "
         "samples more often, --mode=instrument counts without samples");
}

static void printRun(const RunResult &run, bool wasCold) {
  TimeSummary times = summarize(run.iterationNs);
  if (run.iterations != 0)
    note(llvm::formatv("{0}: min {1}, median {2}, mean {3}, spread {4}",
                       formatCount(run.iterations, "iteration"),
                       formatTime(times.minPs), formatTime(times.medianPs),
                       formatTime(times.meanPs), formatTime(times.spreadPs)));
  if (wasCold && !run.iterationNs.empty())
    note("the first iteration was cold: " +
         formatTime(run.iterationNs.front() * 1000));
  if (run.sampler != SamplerKind::None)
    printSamples(run);
  for (const Loss &loss : run.losses)
    note("  " + describeLoss(loss));
}

/// Counts the large ones, which are not in the code.
static int64_t countConstantBytes(const CompiledModel &model) {
  int64_t bytes = 0;
  for (const ExternalConstant &constant : model.constants)
    bytes += int64_t(constant.bytes.size());
  return bytes;
}

/// Memory of the model beyond its code and arguments.
static void printMemory(const CompiledModel &model, const RunResult &run) {
  std::string text =
      "memory: " + formatCount(run.bufferBytes, "byte") + " of buffers";
  if (int64_t bytes = countConstantBytes(model))
    text += ", " + formatCount(uint64_t(bytes), "byte") + " of constants";
  if (model.stateBytes != 0)
    text += ", " + formatCount(model.stateBytes, "byte") + " of variables";
  note(text);
}

/// Options about variables do not do anything for a model without them.
static void noteUnusedOptions(const RecordOptions &options,
                              const CompiledModel &model) {
  const RunOptions unused;
  if (model.resetSymbol.empty() &&
      (options.run.resetEvery != unused.resetEvery ||
       options.run.resultCall != unused.resultCall))
    note("the model does not have variables, so --reset-every and "
         "--result-call do not change anything");
}

/// Writes the times of all iterations; "schema": "mlir-prof.times/1".
static llvm::Error writeTimes(llvm::StringRef path, const CompiledModel &model,
                              const RunResult &run) {
  return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    TimeSummary times = summarize(run.iterationNs);
    llvm::json::OStream json(os, 1);
    json.object([&] {
      json.attribute("schema", "mlir-prof.times/1");
      json.attribute("iterations", int64_t(run.iterations));
      // Values between two iterations need not be whole nanoseconds.
      json.attribute("min_ns", double(times.minPs) / 1000);
      json.attribute("median_ns", double(times.medianPs) / 1000);
      json.attribute("mean_ns", double(times.meanPs) / 1000);
      json.attribute("spread_ns", double(times.spreadPs) / 1000);
      json.attribute("page_faults", int64_t(run.pageFaults));
      json.attribute("buffer_bytes", int64_t(run.bufferBytes));
      json.attribute("state_bytes", int64_t(model.stateBytes));
      json.attribute("constant_bytes", countConstantBytes(model));
      json.attributeArray("iteration_ns", [&] {
        for (int64_t time : run.iterationNs)
          json.value(time);
      });
    });
    os << '\n';
    return llvm::Error::success();
  });
}

/// Fails if the run does not count as completed, after its data were saved.
static llvm::Error checkExit(const RecordOptions &options,
                             const RunResult &run) {
  if (run.exit == ExitKind::Finished)
    return llvm::Error::success();
  std::string hint;
  bool isMeasured =
      run.iterations != 0 || !run.samples.empty() || !run.raw.empty();
  if (isMeasured && !options.output.empty())
    hint = "The measurements until then are in " + options.output + ".";
  bool isAtFault = run.exit == ExitKind::Signal || run.exit == ExitKind::Exited;
  if (isAtFault && options.compile.pipeline != "naive")
    hint += std::string(hint.empty() ? "" : " ") +
            "Try --pipeline=naive to see whether the model itself is at fault.";
  llvm::Error error =
      inputError(options.model, "did not finish: " + run.exitReason, hint);
  return run.exit == ExitKind::Interrupted ? asStopError(std::move(error))
                                           : std::move(error);
}

static llvm::Error saveRun(const RecordOptions &options,
                           const BuiltModel &built,
                           llvm::ArrayRef<Arguments> requests,
                           const RunResult &run) {
  if (options.output.empty())
    return llvm::Error::success();
  auto profile = makeProfile(options.model, options, built, requests, run);
  if (!profile)
    return profile.takeError();
  if (llvm::Error error = saveProfile(
          *profile, options.json ? ProfileForm::Json : ProfileForm::Binary,
          options.output))
    return error;
  // A recording that is in both would be counted twice where they are merged.
  if (run.scopes)
    SelfProfile::leaveOut(run.scopes->process);
  return llvm::Error::success();
}

/// Fails if an option is about the build of a model that is built already.
static llvm::Error checkCompiledOptions(const InputArgList &arguments) {
  for (OptionId id :
       {OPT_entry_EQ, OPT_pipeline_EQ, OPT_load_pass_plugin_EQ,
        OPT_max_error_EQ, OPT_math_EQ, OPT_cpu_EQ, OPT_threads_EQ,
        OPT_decisions_EQ, OPT_instrument_EQ, OPT_no_identities, OPT_contained})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for the build of a model, and a compiled model "
                        "is built");
  if (arguments.getLastArgValue(OPT_mode_EQ) == "instrument")
    return usageError("a compiled model does not have probes, which "
                      "--mode=instrument needs");
  return llvm::Error::success();
}

/// Fails if a result would be written over a file that the command line names:
/// the names of results are known only from the model.
static llvm::Error checkResultPaths(const InputArgList &arguments,
                                    const RecordOptions &options,
                                    const Signature &signature) {
  if (options.saveResults.empty())
    return llvm::Error::success();
  std::vector<FileUse> uses = getFileUses(*findVerb("record"), arguments);
  for (const std::string &path : getResultPaths(options.saveResults, signature))
    uses.push_back({"--save-results", path, FileUse::Writes});
  return checkFileUses(uses);
}

/// Options of targets do not have a meaning without one.
static llvm::Error checkNoTarget(const InputArgList &arguments) {
  for (OptionId id :
       {OPT_on_EQ, OPT_package_EQ, OPT_name_EQ, OPT_counter_EQ, OPT_console_EQ,
        OPT_counter_unit_EQ, OPT_features_EQ, OPT_abi_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' needs --target");
  return llvm::Error::success();
}

static llvm::Error run(const InputArgList &arguments) {
  if (arguments.hasArg(OPT_target_EQ))
    return recordTarget(arguments);
  if (llvm::Error error = checkNoTarget(arguments))
    return error;
  auto options = getRecordOptions(arguments);
  if (!options)
    return options.takeError();
  // Fail early if an output cannot be written.
  for (const std::string *path :
       {&options->output, &options->saveObject, &options->times})
    if (!path->empty())
      if (llvm::Error error = checkOutput(*path))
        return error;
  auto program = openDeviceModel(options->model);
  if (!program)
    return program.takeError();
  if (*program || options->device.isGpu)
    return recordDevice(arguments, *options, std::move(*program));
  if (llvm::Error error =
          useDecisions(arguments.getLastArgValue(OPT_decisions_EQ),
                       options->compile, options->onNote))
    return error;
  auto built = openModel(options->model, options->compile);
  if (!built)
    return built.takeError();
  if (built->threads) {
    if (llvm::Error error = checkCompiledOptions(arguments))
      return error;
    options->run.threads = built->threads;
  }
  auto signature = getSignature(*built, options->compile.entry);
  if (!signature)
    return signature.takeError();
  // The build may take long, so everything else is checked before.
  if (llvm::Error error = checkResultPaths(arguments, *options, *signature))
    return error;
  auto requests = makeRequests(*built, options->compile.entry, options->inputs,
                               options->shapes, options->run.memory);
  if (!requests)
    return requests.takeError();
  auto references = readReferences(*options, *signature);
  if (!references)
    return references.takeError();
  RunPart build = {"build", getMonotonicNs(), 0};
  if (llvm::Error error = compileInput(*built, options->model, options->compile,
                                       options->onNote, KeptBy::Keeper))
    return error;
  build.endNs = getMonotonicNs();
  ModelKeeper keeper(*built);
  const CompiledModel &model = built->model;
  if (!options->saveObject.empty())
    if (llvm::Error error = writeOutput(
            options->saveObject, [&](llvm::raw_ostream &os) -> llvm::Error {
              return writeObject(model, os);
            }))
      return error;
  auto run = runModel(model, *requests, options->run);
  if (!run)
    return run.takeError();
  if (!options->measurePeak)
    keeper.start();
  run->parts.insert(run->parts.begin(), std::move(build));
  printRun(*run, options->run.warmUp == 0);
  if (run->exit == ExitKind::Finished)
    printMemory(model, *run);
  noteUnusedOptions(*options, model);

  // The measurements are kept, whatever the outcome of the run.
  if (llvm::Error error = saveRun(*options, *built, *requests, *run))
    return error;
  if (!options->times.empty())
    if (llvm::Error error = writeTimes(options->times, model, *run))
      return error;
  // Results exist only if the run was completed.
  if (llvm::Error error = checkExit(*options, *run))
    return error;
  if (!options->saveResults.empty())
    if (llvm::Error error =
            saveResults(options->saveResults, model.signature, *run))
      return error;
  llvm::Error different =
      compareResults(*options, *references, model.signature, *run);
  built->abandon();
  return different;
}

Verb verb::Record() { return {"record", run, getProfileFormats}; }
