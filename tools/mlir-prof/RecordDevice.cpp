//===- RecordDevice.cpp - Recording a model on a device -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordDevice.h"
#include "RecordResults.h"
#include "SessionOptions.h"
#include "mlir-prof/Device/RunFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::device;
using llvm::opt::InputArgList;

/// Fails on options that do not have a meaning on a device.
static llvm::Error checkOptions(const InputArgList &arguments,
                                const RecordOptions &options) {
  if (options.mode == RecordMode::Instrument)
    return usageError("--mode=instrument is for models on the processor");
  for (OptionId id :
       {OPT_rate_EQ, OPT_sampler_EQ, OPT_instances_EQ, OPT_perf_map,
        OPT_jitdump_EQ, OPT_save_object_EQ, OPT_scopes, OPT_reset_every_EQ,
        OPT_result_call_EQ, OPT_timeout_EQ, OPT_max_memory_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for models on the processor, not for a device");
  if (options.device.run.empty())
    return llvm::Error::success();
  for (OptionId id :
       {OPT_input_EQ, OPT_compare_EQ, OPT_save_results_EQ, OPT_times_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' needs a run on this machine, and --device-run is "
                        "one on another");
  return llvm::Error::success();
}

/// Compiles the module for the device.
static llvm::Expected<DeviceModel> build(const InputArgList &arguments,
                                         RecordOptions &options) {
  std::string target = options.device.target;
  if (target.empty()) {
    // Fails before the build if there is no device.
    auto own = getDeviceTarget(options.device.number);
    if (!own)
      return own.takeError();
    target = std::move(*own);
  }
  if (llvm::Error error = useGpu(arguments, target, options.compile))
    return std::move(error);
  auto built = buildModel(options.model, options.compile, options.onNote);
  if (!built)
    return built.takeError();
  auto model = takeDeviceModel(*built);
  // Its constants may be attributes of the module.
  if (model)
    built->abandon();
  return model;
}

static void printDeviceRun(const DeviceRun &run) {
  note(llvm::formatv(
      "{0} on {1}: median {2} on the device, {3} with times of each kernel; "
      "timing prolongs the run by {4:f2} %",
      formatCount(run.count, "iteration"), run.device.name,
      formatTime(run.getMedianPs(/*isTimed=*/false)),
      formatTime(run.getMedianPs(/*isTimed=*/true)),
      double(run.getOverheadPpm()) / 1e4));
  if (run.peak.flops != 0)
    note("  peak of the device: " + formatPeak(run.peak));
  for (const Transfer &transfer : run.transfers)
    note(llvm::formatv("  {0} {1} the device: {2} in {3}", transfer.name,
                       transfer.isToDevice ? "to" : "from",
                       formatCount(transfer.bytes, "byte"),
                       formatTime(transfer.durationPs)));
}

/// Runs the program here, and returns its results, too.
static llvm::Expected<DeviceResult> runHere(const RecordOptions &options,
                                            const DeviceModel &model,
                                            const Signature &signature) {
  auto requests = makeArguments(signature, options.inputs, options.shapes);
  if (!requests)
    return requests.takeError();
  MeasureOptions measure;
  measure.warmUp = options.run.warmUp;
  measure.iterations = options.run.iterations;
  measure.seconds = options.run.seconds;
  if (options.mode == RecordMode::Sample)
    measure.sampleSeconds = 1;
  measure.measurePeak = options.measurePeak;
  return runOnDevice(model.program, requests->front(), measure,
                     options.device.number, options.onNote);
}

static llvm::Error saveDeviceRun(const RecordOptions &options,
                                 const DeviceModel &model,
                                 const DeviceRun &run) {
  if (!options.times.empty())
    if (llvm::Error error = writeOutput(
            options.times, [&](llvm::raw_ostream &os) -> llvm::Error {
              writeRun(run, model.program, model.hash, os);
              return llvm::Error::success();
            }))
      return error;
  if (options.output.empty())
    return llvm::Error::success();
  auto profile = makeDeviceProfile(options.model, model, run, options.keep);
  if (!profile)
    return profile.takeError();
  return saveProfile(*profile,
                     options.json ? ProfileForm::Json : ProfileForm::Binary,
                     options.output);
}

llvm::Error mlirprof::recordDevice(const InputArgList &arguments,
                                   RecordOptions &options,
                                   std::optional<DeviceModel> program) {
  if (llvm::Error error = checkOptions(arguments, options))
    return error;
  if (!program) {
    if (!options.device.run.empty())
      return usageError("--device-run needs the program that was run, which "
                        "'mlir-prof compile --device=cuda' wrote");
    auto built = build(arguments, options);
    if (!built)
      return built.takeError();
    program = std::move(*built);
  }
  if (!options.device.run.empty()) {
    auto run = openDeviceRun(options.device.run, *program);
    if (!run)
      return run.takeError();
    printDeviceRun(*run);
    return saveDeviceRun(options, *program, *run);
  }
  Signature signature = getSignature(program->program);
  auto references = readReferences(options, signature);
  if (!references)
    return references.takeError();
  auto result = runHere(options, *program, signature);
  if (!result)
    return result.takeError();
  printDeviceRun(result->run);
  if (llvm::Error error = saveDeviceRun(options, *program, result->run))
    return error;
  RunResult results;
  results.results = std::move(result->results);
  if (!options.saveResults.empty())
    if (llvm::Error error =
            saveResults(options.saveResults, signature, results))
      return error;
  return compareResults(options, *references, signature, results);
}
