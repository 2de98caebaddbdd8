//===- Diff.cpp - mlir-prof diff ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Diff.h"
#include "Formats.h"
#include "QueryOptions.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Report/DiffReport.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

/// "3%" or "3" in millionths.
static llvm::Expected<std::optional<uint64_t>>
getPercent(const InputArgList &arguments, OptionId id) {
  const llvm::opt::Arg *argument = arguments.getLastArg(id);
  if (!argument)
    return std::nullopt;
  llvm::StringRef text = argument->getValue();
  text.consume_back("%");
  double value = 0;
  if (text.trim().getAsDouble(value) || !(value >= 0 && value <= 1e6))
    return usageError("'" + argument->getAsString(arguments) +
                      "' needs a percentage, such as 3%");
  return uint64_t(value * 1e4 + 0.5);
}

static llvm::Expected<DiffOptions> getOptions(const InputArgList &arguments) {
  DiffOptions options;
  options.machines = getMachineRule(arguments);
  auto share = getPercent(arguments, OPT_min_share_EQ);
  if (!share)
    return share.takeError();
  if (*share)
    options.minSharePpm = uint32_t(**share);
  auto alpha = getPercent(arguments, OPT_alpha_EQ);
  if (!alpha)
    return alpha.takeError();
  if (*alpha)
    options.alphaPpm = uint32_t(**alpha);
  if (options.alphaPpm == 0 || options.alphaPpm >= 1000000)
    return usageError("'--alpha' must be above 0% and below 100%");
  return options;
}

/// The model of one side: from its own option, or from --model, which applies
/// to both.
static llvm::StringRef getModel(const InputArgList &arguments, OptionId own) {
  return arguments.getLastArgValue(own,
                                   arguments.getLastArgValue(OPT_model_EQ));
}

/// Notes if a slowdown of the whole beyond the limit may have been missed.
static void noteUndecided(const ProfileDiff &diff, uint64_t limitPpm) {
  std::optional<uint64_t> detectable = getDetectablePpm(diff);
  if (!detectable)
    return note("the gate is undecided: the variation between runs is unknown");
  if (*detectable <= limitPpm)
    return;
  note("the gate is undecided: these recordings detect slowdowns of the total "
       "from " +
       llvm::formatv("{0:F1} % on", double(*detectable) / 1e4).str() +
       "; more runs, taken alternately, detect smaller ones");
}

static llvm::Error checkRegressions(const ProfileDiff &diff,
                                    std::optional<uint64_t> limitPpm) {
  if (!limitPpm)
    return llvm::Error::success();
  std::vector<const DiffRow *> slower = findRegressions(diff, *limitPpm);
  if (slower.empty()) {
    noteUndecided(diff, *limitPpm);
    return llvm::Error::success();
  }
  std::string text;
  for (const DiffRow *row : llvm::ArrayRef(slower).take_front(3))
    text += "\n  " + row->op + (row->op.empty() ? "" : " ") + row->name;
  if (slower.size() > 3)
    text += "\n  and " + std::to_string(slower.size() - 3) + " more";
  return gateError("slower by the limit of --fail-on-regression or more:" +
                   text);
}

/// Opens a side, which may have counts in place of times.
static llvm::Expected<Session> openSide(const InputArgList &arguments,
                                        llvm::StringRef path,
                                        llvm::StringRef model) {
  auto options = getOpenOptions(arguments);
  if (!options)
    return options.takeError();
  options->model = model.str();
  options->takesCounts = true;
  return openSession(path, *options);
}

static llvm::Error run(const InputArgList &arguments) {
  std::vector<std::string> paths = arguments.getAllArgValues(OPT_INPUT);
  if (paths.size() != 2)
    return usageError("needs two profiles, before and after; got " +
                      llvm::Twine(paths.size()));
  // Check all options before the work.
  auto query = getQuery(arguments);
  if (!query)
    return query.takeError();
  auto writer =
      findDiffWriter(arguments.getLastArgValue(OPT_format_EQ, "text"));
  if (!writer)
    return asUsageError(writer.takeError());
  auto writeOptions = getWriteOptions(arguments);
  if (!writeOptions)
    return writeOptions.takeError();
  auto options = getOptions(arguments);
  if (!options)
    return options.takeError();
  auto limit = getPercent(arguments, OPT_fail_on_regression_EQ);
  if (!limit)
    return limit.takeError();

  // Compare the sessions, and write the report before the gate fails.
  auto before =
      openSide(arguments, paths[0], getModel(arguments, OPT_model_a_EQ));
  if (!before)
    return before.takeError();
  auto after =
      openSide(arguments, paths[1], getModel(arguments, OPT_model_b_EQ));
  if (!after)
    return after.takeError();
  auto diff = diffSessions(*before, paths[0], *after, paths[1], *options,
                           [](llvm::StringRef text) { note(text); });
  if (!diff)
    return diff.takeError();
  auto report = makeDiffReport(*diff, paths[0], paths[1], *query);
  if (!report)
    return asUsageError(report.takeError());
  for (const std::string &text : diff->notes)
    note(text);
  if (llvm::Error error =
          writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
            (*writer)->write(*report, *writeOptions, os);
            return llvm::Error::success();
          }))
    return error;
  return checkRegressions(*diff, *limit);
}

Verb verb::Diff() { return {"diff", run, listFormats<getDiffWriters>}; }
