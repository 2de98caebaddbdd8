//===- Import.cpp - mlir-prof import --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

/// Prints what was read, and data that could not be kept.
static void printSummary(const Profile &profile) {
  for (const Run &run : profile.runs) {
    uint64_t events = 0;
    for (const TrackInfo &track : run.tracks)
      events += track.events;
    std::string scopes;
    if (run.scopes)
      scopes = ", " + formatCount(run.scopes->events.size(), "scope");
    note(llvm::formatv("{0}: {1}, {2} on {3}, {4}, {5}{6}", run.source,
                       run.producer.format, formatCount(events, "event"),
                       formatCount(run.tracks.size(), "track"),
                       formatCount(run.ops.size(), "measured op"),
                       formatCount(run.steps.size(), "step"), scopes));
    for (const Loss &loss : run.losses)
      note("  " + describeLoss(loss));
  }
}

/// Reads all recordings and merges them.
static llvm::Expected<Profile> importAll(const InputArgList &arguments) {
  std::vector<std::string> paths = arguments.getAllArgValues(OPT_INPUT);
  if (paths.size() == 1)
    return openProfile(arguments, paths.front());
  ProfileMerger merger(getMachineRule(arguments));
  for (const std::string &path : paths) {
    auto profile = openProfile(arguments, path);
    if (!profile)
      return profile.takeError();
    if (llvm::Error error = merger.add(std::move(*profile), path))
      return std::move(error);
  }
  return merger.finish();
}

/// Stores the module in the profile, after a check that they belong together.
static llvm::Error addModule(const InputArgList &arguments, Profile &profile,
                             llvm::StringRef modelPath) {
  auto options = getOpenOptions(arguments);
  if (!options)
    return options.takeError();
  std::vector<std::string> paths = arguments.getAllArgValues(OPT_INPUT);
  std::string where = paths.size() == 1 ? paths.front() : "the recordings";
  auto session = matchModule(std::move(profile), where, *options);
  if (!session)
    return session.takeError();
  profile = std::move(session->profile);
  return storeModule(profile, "input", session->module.get(), modelPath);
}

static llvm::Error run(const InputArgList &arguments) {
  if (!arguments.hasArg(OPT_INPUT))
    return usageError("needs a recording to read");
  auto form = getProfileForm(arguments);
  if (!form)
    return form.takeError();
  auto profile = importAll(arguments);
  if (!profile)
    return profile.takeError();
  llvm::StringRef model = arguments.getLastArgValue(OPT_model_EQ);
  if (!model.empty())
    if (llvm::Error error = addModule(arguments, *profile, model))
      return error;
  if (llvm::Error error = saveProfile(*profile, *form, getOutput(arguments)))
    return error;
  printSummary(*profile);
  return llvm::Error::success();
}

Verb verb::Import() { return {"import", run, getProfileFormats}; }
