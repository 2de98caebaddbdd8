//===- RecordTarget.cpp - Recording a model on another machine ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordTarget.h"
#include "PackageName.h"
#include "RecordOptions.h"
#include "SessionOptions.h"
#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Session/RecordTarget.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::record;
using llvm::opt::InputArgList;

/// The value of --on for the emulator.
static constexpr llvm::StringLiteral kEmulator = "qemu";

/// Fails on options that have a meaning on this machine only.
static llvm::Error checkOptions(const InputArgList &arguments) {
  for (OptionId id : {OPT_shape_EQ,         OPT_save_results_EQ,
                      OPT_compare_EQ,       OPT_rtol_EQ,
                      OPT_atol_EQ,          OPT_pipeline_EQ,
                      OPT_device_EQ,        OPT_device_run_EQ,
                      OPT_device_target_EQ, OPT_load_pass_plugin_EQ,
                      OPT_contained,        OPT_threads_EQ,
                      OPT_seconds_EQ,       OPT_reset_every_EQ,
                      OPT_result_call_EQ,   OPT_max_memory_EQ,
                      OPT_mode_EQ,          OPT_rate_EQ,
                      OPT_sampler_EQ,       OPT_instances_EQ,
                      OPT_no_values,        OPT_no_peak,
                      OPT_no_identities,    OPT_scopes,
                      OPT_times_EQ,         OPT_perf_map,
                      OPT_jitdump_EQ,       OPT_save_object_EQ,
                      OPT_decisions_EQ,     OPT_keep_events})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for runs on this machine, not for --target");
  if (!arguments.hasArg(OPT_on_EQ))
    return usageError("--target needs --on=qemu, or --on='COMMAND', which "
                      "runs its code");
  if (arguments.getLastArgValue(OPT_on_EQ) != kEmulator)
    return llvm::Error::success();
  for (OptionId id :
       {OPT_counter_EQ, OPT_console_EQ, OPT_counter_unit_EQ, OPT_instrument_EQ,
        OPT_no_functions, OPT_probe_EQ, OPT_warm_up_EQ, OPT_package_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for probes, which --on='COMMAND' measures with");
  return llvm::Error::success();
}

/// Applies --package and --name.
static llvm::Error getPackage(const InputArgList &arguments,
                              TargetRequest &request) {
  if (!arguments.hasArg(OPT_package_EQ))
    return arguments.hasArg(OPT_name_EQ)
               ? usageError("'--name' is for a package: --package=FOLDER")
               : llvm::Error::success();
  for (OptionId id :
       {OPT_console_EQ, OPT_input_EQ, OPT_iterations_EQ, OPT_warm_up_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for programs that the tool makes; with "
                        "--package, the program chooses");
  request.package = arguments.getLastArgValue(OPT_package_EQ).str();
  if (request.package.empty())
    return usageError("'--package' needs a folder");
  return getPackageName(arguments, request.compile.placedSymbol);
}

/// Sets the probes of a program that a command runs.
static llvm::Error getProbes(const InputArgList &arguments,
                             TargetRequest &request) {
  request.command = arguments.getLastArgValue(OPT_on_EQ).str();
  if (llvm::StringRef(request.command).trim().empty())
    return usageError("'--on' needs a command");
  if (llvm::Error error = getPackage(arguments, request))
    return error;
  request.counter = arguments.getLastArgValue(OPT_counter_EQ).str();
  request.console = arguments.getLastArgValue(OPT_console_EQ).str();
  request.unit = arguments.getLastArgValue(OPT_counter_unit_EQ).str();
  auto warmUp = getNumber(arguments, OPT_warm_up_EQ, 0);
  if (!warmUp)
    return warmUp.takeError();
  request.warmUp = warmUp->value_or(1);
  auto scope = getProbeScope(arguments);
  auto probe = getChoice(arguments, OPT_probe_EQ, {"inline", "call"});
  if (!scope || !probe)
    return llvm::joinErrors(scope.takeError(), probe.takeError());
  request.compile.instrument = std::move(*scope);
  request.compile.lowerProbes = *probe == 0 ? "probe=inline" : "probe=call";
  // The tool knows the program, which would take memory.
  request.compile.lowerProbes += " instances=0 clock=runtime metadata=false";
  return llvm::Error::success();
}

static llvm::Expected<TargetRequest> getRequest(const InputArgList &arguments) {
  TargetRequest request;
  auto code = getCodeOptions(arguments);
  auto calls = getNumber(arguments, OPT_iterations_EQ, 1);
  auto timeout = getDecimal(arguments, OPT_timeout_EQ);
  if (!code || !calls || !timeout)
    return llvm::joinErrors(
        code.takeError(),
        llvm::joinErrors(calls.takeError(), timeout.takeError()));
  request.compile = std::move(*code);
  request.calls = calls->value_or(1);
  request.seconds = timeout->value_or(0);
  request.onNote = [](llvm::StringRef text) { note(text); };
  auto target = deploy::getTarget(arguments.getLastArgValue(OPT_target_EQ),
                                  {arguments.getLastArgValue(OPT_cpu_EQ),
                                   arguments.getLastArgValue(OPT_features_EQ),
                                   arguments.getLastArgValue(OPT_abi_EQ)});
  if (!target)
    return target.takeError();
  request.compile.target = std::move(*target);
  std::vector<ShapeSpec> shapes;
  if (llvm::Error error = getArgumentSpecs(arguments, request.inputs, shapes))
    return std::move(error);
  if (arguments.getLastArgValue(OPT_on_EQ) != kEmulator)
    if (llvm::Error error = getProbes(arguments, request))
      return std::move(error);
  return std::move(request);
}

llvm::Error mlirprof::recordTarget(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "model");
  if (!path)
    return path.takeError();
  if (llvm::Error error = checkOptions(arguments))
    return error;
  if (!arguments.hasArg(OPT_output))
    return usageError("needs -o FILE for the profile");
  auto form = getProfileForm(arguments);
  if (!form)
    return form.takeError();
  auto request = getRequest(arguments);
  if (!request)
    return request.takeError();
  if (llvm::Error error = checkOutput(getOutput(arguments)))
    return error;
  auto profile = request->command.empty()
                     ? recordInEmulator(*path, std::move(*request))
                     : recordOnTarget(*path, std::move(*request));
  if (!profile)
    return profile.takeError();
  return saveProfile(*profile, *form, getOutput(arguments));
}
