//===- SessionOptions.cpp - Options of verbs that open a profile ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionOptions.h"
#include "mlir-prof/Support/Printable.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

/// Steps listed after --keep-events=.
static llvm::Expected<KeepEvents> getKeepEvents(const InputArgList &arguments) {
  KeepEvents keep;
  if (arguments.hasArg(OPT_keep_events))
    keep.mode = KeepEvents::Mode::All;
  for (const std::string &text :
       arguments.getAllArgValues(OPT_keep_events_EQ)) {
    keep.mode = KeepEvents::Mode::Steps;
    int64_t step = 0;
    if (llvm::StringRef(text).getAsInteger(10, step))
      return usageError("'--keep-events=" + text + "' needs step numbers");
    keep.steps.push_back(step);
  }
  return keep;
}

/// --sample-period in picoseconds; 0 without one.
static llvm::Expected<int64_t> getSamplePeriod(const InputArgList &arguments) {
  llvm::StringRef text = arguments.getLastArgValue(OPT_sample_period_EQ);
  if (text.empty())
    return 0;
  auto period = parseTime(text);
  if (!period)
    return asUsageError(period.takeError());
  if (*period <= 0)
    return usageError("--sample-period needs a time above 0, such as 1ms");
  return *period;
}

static llvm::Error getImportOptions(const InputArgList &arguments,
                                    KeepEvents::Mode minimum,
                                    ImportOptions &options) {
  options.inputFormat = arguments.getLastArgValue(OPT_input_format_EQ);
  options.objects = arguments.getLastArgValue(OPT_objects_EQ).str();
  auto keep = getKeepEvents(arguments);
  auto maxInflation = getNumber(arguments, OPT_max_inflation_EQ, 1);
  if (!keep || !maxInflation)
    return llvm::joinErrors(keep.takeError(), maxInflation.takeError());
  options.maxInflation = maxInflation->value_or(options.maxInflation);
  options.keep = std::move(*keep);
  if (options.keep.mode == KeepEvents::Mode::None)
    options.keep.mode = minimum;
  auto period = getSamplePeriod(arguments);
  if (!period)
    return period.takeError();
  options.samplePeriodPs = *period;
  llvm::StringRef address = arguments.getLastArgValue(OPT_load_address_EQ);
  uint64_t number;
  if (arguments.hasArg(OPT_load_address_EQ)) {
    if (address.getAsInteger(0, number))
      return usageError("'--load-address=" + address +
                        "' needs a number, such as 0x8000000");
    options.loadAddress = number;
  }
  return llvm::Error::success();
}

llvm::Expected<OpenOptions>
mlirprof::getOpenOptions(const InputArgList &arguments, ModuleUse use,
                         KeepEvents::Mode keep) {
  OpenOptions options;
  if (llvm::Error error = getImportOptions(arguments, keep, options.import))
    return std::move(error);
  auto rule = getChoice(arguments, OPT_match_EQ, kMatchRules);
  if (!rule)
    return rule.takeError();
  options.rule = *rule == 1 ? MatchRule::Reference : MatchRule::Best;
  options.onnx = arguments.getLastArgValue(OPT_onnx_EQ).str();
  options.onnxOptimized =
      arguments.getLastArgValue(OPT_onnx_optimized_EQ).str();
  options.ireeStream = arguments.getLastArgValue(OPT_iree_stream_EQ).str();
  options.model = arguments.getLastArgValue(OPT_model_EQ).str();
  options.level = arguments.getLastArgValue(OPT_level_EQ).str();
  options.use = use;
  options.allowUnmatched = arguments.hasArg(OPT_allow_unmatched);
  options.onNote = [](llvm::StringRef text) { note(text); };
  return std::move(options);
}

llvm::Expected<Profile> mlirprof::openProfile(const InputArgList &arguments,
                                              llvm::StringRef path,
                                              KeepEvents::Mode keep) {
  auto options = getOpenOptions(arguments, ModuleUse::Optional, keep);
  if (!options)
    return options.takeError();
  return openProfile(path, *options);
}

llvm::Expected<Session> mlirprof::openSession(const InputArgList &arguments,
                                              llvm::StringRef path,
                                              llvm::StringRef model,
                                              ModuleUse use,
                                              KeepEvents::Mode keep) {
  auto options = getOpenOptions(arguments, use, keep);
  if (!options)
    return options.takeError();
  options->model = model.str();
  return openSession(path, *options);
}

llvm::StringRef mlirprof::getOutput(const InputArgList &arguments) {
  return arguments.getLastArgValue(OPT_output, "-");
}

llvm::Expected<WriteOptions>
mlirprof::getWriteOptions(const InputArgList &arguments) {
  auto color = getChoice(arguments, OPT_color_EQ, {"auto", "always", "never"});
  if (!color)
    return color.takeError();
  bool terminal = getOutput(arguments) == "-" &&
                  llvm::sys::Process::StandardOutIsDisplayed();
  WriteOptions options;
  bool automatic = terminal && !llvm::sys::Process::GetEnv("NO_COLOR");
  if (*color == 1 || (*color == 0 && automatic))
    options.color = Color::On;
  if (terminal)
    options.width = llvm::sys::Process::StandardOutColumns();
  return options;
}

void mlirprof::note(const llvm::Twine &text) {
  llvm::WithColor::note(llvm::errs(), "mlir-prof")
      << printableLines(text.str()) << '\n';
}
