//===- RecordOptions.cpp - Options of mlir-prof record --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordOptions.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Machine.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Transforms/ProbeScope.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

#include <memory>
#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using llvm::opt::InputArgList;

/// Registers the passes of the libraries given by --load-pass-plugin.
static llvm::Error loadPassPlugins(const InputArgList &arguments) {
  for (const std::string &path :
       arguments.getAllArgValues(OPT_load_pass_plugin_EQ)) {
    auto plugin = mlir::PassPlugin::load(path);
    if (!plugin)
      return inputError(
          path, "cannot be loaded: " + llvm::toString(plugin.takeError()),
          "It must be built for MLIR " + getLLVMVersion() + ".");
    plugin->registerPassRegistryCallbacks();
  }
  return llvm::Error::success();
}

llvm::Expected<CompileOptions>
mlirprof::getCodeOptions(const InputArgList &arguments) {
  CompileOptions options;
  auto math = getChoice(arguments, OPT_math_EQ, {"polynomial", "libm"});
  auto maxError = getDecimal(arguments, OPT_max_error_EQ);
  if (!math || !maxError)
    return llvm::joinErrors(math.takeError(), maxError.takeError());
  options.entry = arguments.getLastArgValue(OPT_entry_EQ).str();
  options.polynomials = *math == 0;
  options.maxError = maxError->value_or(options.maxError);
  // A model may be compiled several times.
  options.onWarning =
      [said = std::make_shared<std::set<std::string>>()](llvm::StringRef text) {
        if (said->insert(text.str()).second)
          note("warning: " + text);
      };
  return std::move(options);
}

llvm::Expected<CompileOptions>
mlirprof::getCompileOptions(const InputArgList &arguments) {
  auto threads = getNumber(arguments, OPT_threads_EQ, 1);
  if (!threads)
    return threads.takeError();
  constexpr uint64_t kMaxThreads = 1024;
  if (*threads && **threads > kMaxThreads)
    return usageError("'--threads' takes at most " + llvm::Twine(kMaxThreads));
  unsigned processors = getMachineInfo().threads;
  if (*threads && processors && **threads > processors)
    note("there are " + llvm::Twine(processors) +
         " processors for this process: of " + llvm::Twine(**threads) +
         " threads some wait for others, which makes the model slow");
  auto options = getCodeOptions(arguments);
  if (!options)
    return options.takeError();
  llvm::Expected<codegen::TargetModel> target = codegen::getTarget(
      unsigned(threads->value_or(1)),
      arguments.getLastArgValue(OPT_cpu_EQ, llvm::sys::getHostCPUName()));
  if (!target)
    return target.takeError();
  options->target = std::move(*target);
  options->pipeline =
      arguments.getLastArgValue(OPT_pipeline_EQ, "default").str();
  options->isContained = arguments.hasArg(OPT_contained);
  if (llvm::Error error = compile::checkCacheSettings())
    return std::move(error);
  registerOptimizePasses();
  if (llvm::Error error = loadPassPlugins(arguments))
    return std::move(error);
  return options;
}

/// Sets the limits of the run.
static llvm::Error getRunOptions(const InputArgList &arguments,
                                 RecordOptions &options) {
  RunOptions &run = options.run;
  run.threads = options.compile.target.threads;
  auto iterations = getNumber(arguments, OPT_iterations_EQ, 1);
  auto seconds = getDecimal(arguments, OPT_seconds_EQ);
  auto warmUp = getNumber(arguments, OPT_warm_up_EQ, 0);
  auto timeout = getDecimal(arguments, OPT_timeout_EQ);
  auto memory = getNumber(arguments, OPT_max_memory_EQ, 1);
  auto rate = getNumber(arguments, OPT_rate_EQ, 1);
  if (!iterations || !seconds || !warmUp || !timeout || !memory || !rate)
    return llvm::joinErrors(
        llvm::joinErrors(
            llvm::joinErrors(iterations.takeError(), seconds.takeError()),
            llvm::joinErrors(warmUp.takeError(), timeout.takeError())),
        llvm::joinErrors(memory.takeError(), rate.takeError()));
  auto resultCall = getNumber(arguments, OPT_result_call_EQ, 1);
  auto resetEvery = getNumber(arguments, OPT_reset_every_EQ, 1);
  if (!resultCall || !resetEvery)
    return llvm::joinErrors(resultCall.takeError(), resetEvery.takeError());
  run.resultCall = resultCall->value_or(run.resultCall);
  run.resetEvery = resetEvery->value_or(run.resetEvery);
  run.iterations = iterations->value_or(0);
  // Given alone, a number of iterations does not limit the time.
  run.seconds = seconds->value_or(*iterations ? 0 : run.seconds);
  run.warmUp = warmUp->value_or(run.warmUp);
  run.timeout = timeout->value_or(0);
  run.memory = memory->value_or(0) << 20;
  constexpr uint64_t kMaxRate = 100000;
  if (*rate && **rate > kMaxRate)
    return usageError("'--rate' takes at most " + llvm::Twine(kMaxRate) +
                      " samples a second");
  run.rate = unsigned(rate->value_or(run.rate));
  auto sampler =
      getChoice(arguments, OPT_sampler_EQ, {"auto", "timer", "perf"});
  if (!sampler)
    return sampler.takeError();
  constexpr SamplerKind kSamplers[] = {
      SamplerKind::Automatic, SamplerKind::Timer, SamplerKind::PerfEvent};
  if (arguments.hasArg(OPT_perf_map) && arguments.hasArg(OPT_jitdump_EQ))
    return usageError("--perf-map and --jitdump exclude each other");
  run.perf = arguments.hasArg(OPT_perf_map)     ? PerfSupport::Map
             : arguments.hasArg(OPT_jitdump_EQ) ? PerfSupport::JitDump
                                                : PerfSupport::None;
  run.perfFolder = arguments.getLastArgValue(OPT_jitdump_EQ).str();
  run.sampler = options.mode == RecordMode::Sample ? kSamplers[*sampler]
                                                   : SamplerKind::None;
  // Threads are sampled from the moment they are known.
  if (run.warmUp == 0 && run.threads > 1 && run.sampler != SamplerKind::None)
    return usageError("--warm-up=0 begins the threads in the first iteration, "
                      "where they cannot be sampled: take --mode=time, "
                      "--mode=instrument or --threads=1");
  return llvm::Error::success();
}

llvm::Expected<std::string>
mlirprof::getProbeScope(const InputArgList &arguments) {
  std::string scope = arguments.getLastArgValue(OPT_instrument_EQ, "op").str();
  if (!transforms::isProbeScope(scope))
    return usageError("'--instrument=" + scope + "' must be one of " +
                      transforms::kProbeScopes);
  std::string options = "scope=" + scope;
  if (arguments.hasArg(OPT_no_functions))
    options += " functions=false";
  return options;
}

/// Sets the requested probes, in the terms of the passes.
static llvm::Error getProbeOptions(const InputArgList &arguments,
                                   RecordOptions &options) {
  auto probe = getChoice(arguments, OPT_probe_EQ, {"inline", "call"});
  if (!probe)
    return probe.takeError();
  auto instances = getNumber(arguments, OPT_instances_EQ, 0);
  if (!instances)
    return instances.takeError();
  constexpr uint64_t kMaxInstances = 1 << 20;
  if (*instances && **instances > kMaxInstances)
    return usageError("'--instances' takes at most " +
                      llvm::Twine(kMaxInstances));
  CompileOptions &compile = options.compile;
  compile.recordValues =
      options.mode != RecordMode::Time && !arguments.hasArg(OPT_no_values);
  compile.lowerProbes = *probe == 0 ? "probe=inline" : "probe=call";
  compile.lowerProbes += " instances=" + std::to_string(instances->value_or(0));
  if (options.mode == RecordMode::Instrument) {
    auto scope = getProbeScope(arguments);
    if (!scope)
      return scope.takeError();
    compile.instrument = std::move(*scope);
    return llvm::Error::success();
  }
  for (OptionId id :
       {OPT_instrument_EQ, OPT_probe_EQ, OPT_instances_EQ, OPT_no_functions})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' needs --mode=instrument");
  return llvm::Error::success();
}

llvm::Error mlirprof::getArgumentSpecs(const InputArgList &arguments,
                                       std::vector<InputSpec> &inputs,
                                       std::vector<ShapeSpec> &shapes) {
  for (const std::string &text : arguments.getAllArgValues(OPT_input_EQ)) {
    auto input = parseInputSpec(text);
    if (!input)
      return asUsageError(input.takeError());
    inputs.push_back(std::move(*input));
  }
  for (const std::string &text : arguments.getAllArgValues(OPT_shape_EQ)) {
    auto shape = parseShapeSpec(text);
    if (!shape)
      return asUsageError(shape.takeError());
    shapes.push_back(std::move(*shape));
  }
  return llvm::Error::success();
}

static llvm::Error getInputOptions(const InputArgList &arguments,
                                   RecordOptions &options) {
  if (llvm::Error error =
          getArgumentSpecs(arguments, options.inputs, options.shapes))
    return error;
  for (llvm::StringRef text : arguments.getAllArgValues(OPT_compare_EQ)) {
    auto [name, path] = text.split('=');
    options.compare.push_back(text.contains('=')
                                  ? CompareSpec{name.str(), path.str()}
                                  : CompareSpec{"", text.str()});
  }
  auto rtol = getDecimal(arguments, OPT_rtol_EQ);
  auto atol = getDecimal(arguments, OPT_atol_EQ);
  if (!rtol || !atol)
    return llvm::joinErrors(rtol.takeError(), atol.takeError());
  options.rtol = rtol->value_or(options.rtol);
  options.atol = atol->value_or(options.atol);
  return llvm::Error::success();
}

llvm::Expected<RecordOptions>
mlirprof::getRecordOptions(const InputArgList &arguments) {
  RecordOptions options;
  auto model = getOneInput(arguments, "model");
  if (!model)
    return model.takeError();
  options.model = model->str();
  options.onNote = [](llvm::StringRef text) { note(text); };
  auto mode =
      getChoice(arguments, OPT_mode_EQ, {"sample", "instrument", "time"});
  if (!mode)
    return mode.takeError();
  options.mode = RecordMode(*mode);
  auto json = getFormat(arguments, "record");
  if (!json)
    return json.takeError();
  options.json = *json == 1;
  options.output = arguments.getLastArgValue(OPT_output).str();
  if (options.output.empty() && options.mode != RecordMode::Time)
    return usageError("needs -o FILE for the profile (or --mode=time)");
  if (options.output == "-" && !options.json &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return usageError("a profile is binary; name a file with -o, or choose "
                      "--format=json");
  auto device = getDeviceOptions(arguments);
  if (!device)
    return device.takeError();
  options.device = std::move(*device);
  auto compile = getCompileOptions(arguments);
  if (!compile)
    return compile.takeError();
  options.compile = std::move(*compile);
  if (arguments.hasArg(OPT_no_identities)) {
    if (options.mode != RecordMode::Time)
      return usageError("'--no-identities' needs --mode=time");
    options.compile.identities = false;
  }
  for (auto step : {getRunOptions, getProbeOptions, getInputOptions})
    if (llvm::Error error = step(arguments, options))
      return std::move(error);
  options.saveResults = arguments.getLastArgValue(OPT_save_results_EQ).str();
  options.saveObject = arguments.getLastArgValue(OPT_save_object_EQ).str();
  options.times = arguments.getLastArgValue(OPT_times_EQ).str();
  options.run.scopes = arguments.hasArg(OPT_scopes);
  options.keep =
      arguments.hasArg(OPT_keep_events) ? KeepSamples::Yes : KeepSamples::No;
  options.measurePeak =
      options.mode == RecordMode::Sample && !arguments.hasArg(OPT_no_peak);
  return std::move(options);
}
