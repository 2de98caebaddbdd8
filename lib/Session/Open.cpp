//===- Session.cpp - A profile and its module, matched --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Import/Iree.h"
#include "mlir-prof/Import/Onnx.h"
#include "mlir-prof/Match/ModuleReader.h"
#include "mlir-prof/Match/Work.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Profile/ProgramMatch.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Printable.h"
#include "mlir-prof/Transforms/Annotate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
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

/// Adds what --onnx and --onnx-optimized say.
static llvm::Error addOnnx(const InputArgList &arguments,
                           llvm::StringRef profilePath, Profile &profile) {
  llvm::StringRef original = arguments.getLastArgValue(OPT_onnx_EQ);
  llvm::StringRef optimized = arguments.getLastArgValue(OPT_onnx_optimized_EQ);
  if (original.empty() && optimized.empty())
    return llvm::Error::success();
  if (original.empty())
    return usageError("--onnx-optimized needs --onnx, the model before it was "
                      "optimised");
  auto counts = addOnnxOrigins(profile, original, optimized);
  if (!counts)
    return counts.takeError();
  if (counts->found != counts->measured)
    note(profilePath + ": " + llvm::Twine(counts->measured - counts->found) +
         " of " + llvm::Twine(counts->measured) +
         " measured nodes are not in " +
         (optimized.empty() ? original : optimized));
  return llvm::Error::success();
}

/// Adds what --iree-stream says.
static llvm::Error addIreeStream(const InputArgList &arguments,
                                 llvm::StringRef profilePath,
                                 Profile &profile) {
  llvm::StringRef path = arguments.getLastArgValue(OPT_iree_stream_EQ);
  if (path.empty())
    return llvm::Error::success();
  auto counts = addDispatchSites(profile, path);
  if (!counts)
    return counts.takeError();
  if (counts->found != counts->measured)
    note(profilePath + ": " + llvm::Twine(counts->measured - counts->found) +
         " of " + llvm::Twine(counts->measured) +
         " measured dispatches have no place in " + path + " (" +
         formatTime(counts->missingPs) + ")");
  if (counts->inTurn)
    note(profilePath + ": " + llvm::Twine(counts->inTurn) + " of " +
         llvm::Twine(counts->measured) +
         " measured dispatches may stand at several places in " + path +
         ", and were given these in turn");
  return llvm::Error::success();
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

llvm::Expected<Profile> mlirprof::loadProfile(const InputArgList &arguments,
                                              llvm::StringRef path,
                                              KeepEvents::Mode minimum) {
  ImportOptions options;
  options.inputFormat = arguments.getLastArgValue(OPT_input_format_EQ);
  options.objects = arguments.getLastArgValue(OPT_objects_EQ).str();
  auto keep = getKeepEvents(arguments);
  auto maxInflation = getNumber(arguments, OPT_max_inflation_EQ, 1);
  if (!keep || !maxInflation)
    return llvm::joinErrors(keep.takeError(), maxInflation.takeError());
  options.maxInflation = maxInflation->value_or(options.maxInflation);
  options.keep = std::move(*keep);
  auto period = getSamplePeriod(arguments);
  if (!period)
    return period.takeError();
  options.samplePeriodPs = *period;
  if (options.keep.mode == KeepEvents::Mode::None)
    options.keep.mode = minimum;
  auto profile = importProfile(path, options);
  if (!profile)
    return profile;
  if (llvm::Error error = addOnnx(arguments, path, *profile))
    return std::move(error);
  if (llvm::Error error = addIreeStream(arguments, path, *profile))
    return std::move(error);
  return profile;
}

/// Says so when nodes of an ONNX graph may be fusions whose names do not tell.
static void noteHiddenFusions(const Session &session,
                              llvm::StringRef profilePath) {
  unsigned count = 0;
  std::string first;
  for (auto [key, match] :
       llvm::zip(session.profile.opKeys, session.ownership->matches)) {
    bool isByName = key.originKind == OriginKind::Unknown ||
                    key.originKind == OriginKind::SameName;
    if (key.kind != OpKeyKind::OnnxNode || !isByName || match.reason.empty() ||
        match.matchClass == MatchClass::None ||
        match.matchClass == MatchClass::Partial)
      continue;
    if (count++ == 0)
      first = key.op + " " + match.reason;
  }
  if (count)
    note(profilePath + ": " + llvm::Twine(count) +
         " measured nodes may hold the work of others: " + first);
}

/// Says so when the module is not the one that was recorded, and how much of
/// the time was found again.
static void noteChangedModule(const Session &session,
                              llvm::StringRef profilePath) {
  __int128 all = 0, found = 0;
  bool hasChanged = false;
  for (const OpSummary &measured : mergeRuns(session.profile)) {
    const Match &match = session.ownership->matches[measured.op];
    all += measured.getTimePs();
    if (match.tier != MatchTier::StructuralHash)
      continue;
    hasChanged = true;
    if (match.matchClass != MatchClass::None)
      found += measured.getTimePs();
  }
  if (hasChanged && all > 0)
    note(profilePath +
         llvm::formatv(": this module is another build than the one that was "
                       "recorded; {0:P1} of the time was found again by an "
                       "alignment of the two",
                       double(found) / double(all))
             .str());
}

static bool hasSamples(const Profile &profile) {
  return llvm::any_of(profile.runs, [](const Run &run) {
    return llvm::any_of(run.ops, [](const OpSummary &op) {
      return op.getSum(Quantity::Samples) != 0;
    });
  });
}

static bool hasEvents(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.events.empty(); });
}

/// The first losses, a line each.
static std::string describeLosses(const Profile &profile) {
  std::string text;
  for (const Run &run : profile.runs)
    for (const Loss &loss : llvm::ArrayRef(run.losses).take_front(3))
      text += "\n  " + loss.name + ": " + std::to_string(loss.count) + " times";
  return text;
}

/// Fails when there is time and none of it found an owner.
static llvm::Error checkCoverage(const Session &session,
                                 llvm::StringRef profilePath) {
  const Coverage &coverage = session.attribution->coverage;
  if (coverage.opTimePs != 0 && coverage.nonePs != coverage.opTimePs)
    return llvm::Error::success();
  if (coverage.opTimePs == 0 && !session.profile.programs.empty()) {
    // It belongs to its model all the same, and may hold values.
    note(profilePath + ": holds no time of any op, as the run ended before the "
                       "first sample; record for longer (--seconds), or count "
                       "instead (--mode=instrument)");
    return llvm::Error::success();
  }
  if (coverage.opTimePs == 0 && hasSamples(session.profile))
    return inputError(profilePath, "holds samples, and no time of any op",
                      "Its samples have no unit: say what one stands for with "
                      "--sample-period=TIME, such as 1ms, or 1ps for stacks "
                      "that mlir-prof wrote.");
  if (coverage.opTimePs == 0 && !hasEvents(session.profile))
    return inputError(profilePath,
                      "holds no time of any op: coverage 0" +
                          describeLosses(session.profile),
                      "Nothing in the recording was measured, or nothing of it "
                      "could be kept. Record again, or go on with "
                      "--allow-unmatched.");
  if (coverage.opTimePs == 0)
    return inputError(
        profilePath, "holds no time of any op: coverage 0",
        "The recording has only host events. Record with the device or op "
        "tracer on, or go on with --allow-unmatched.");
  std::string reasons;
  for (const UnmatchedReason &reason :
       llvm::ArrayRef(session.attribution->unmatched).take_front(3))
    reasons += "\n  " + reason.reason;
  return inputError(
      profilePath,
      "does not belong to this module: coverage 0; no measured op has an owner "
      "in it:" +
          reasons,
      "Give the module that was run, with its locations, or go on with "
      "--allow-unmatched.");
}

/// The level of the module that is shown.
static llvm::StringRef getModuleLevel(const InputArgList &arguments) {
  return arguments.getLastArgValue(OPT_level_EQ, "input");
}

/// Fails when the profile knows nothing of the level that --level names.
static llvm::Error checkLevel(const InputArgList &arguments,
                              const Profile &profile,
                              llvm::StringRef profilePath) {
  llvm::StringRef level = arguments.getLastArgValue(OPT_level_EQ);
  if (!arguments.hasArg(OPT_level_EQ))
    return llvm::Error::success();
  std::vector<std::string> levels = getLevels(profile);
  for (const IrModule &module : profile.irModules)
    if (!llvm::is_contained(levels, module.level))
      levels.push_back(module.level);
  if (llvm::is_contained(levels, level))
    return llvm::Error::success();
  return inputError(profilePath, "has no level '" + level + "'",
                    levels.empty()
                        ? "Levels come with recordings of mlir-prof record."
                        : "It has " + llvm::join(levels, ", ") + ".");
}

static llvm::Error missingModule(const Profile &profile,
                                 llvm::StringRef profilePath,
                                 llvm::StringRef level) {
  std::vector<std::string> levels;
  for (const IrModule &module : profile.irModules)
    if (!llvm::is_contained(levels, module.level))
      levels.push_back(module.level);
  return inputError(profilePath, "holds no module of level '" + level + "'",
                    levels.empty()
                        ? "Name the module that was run with --model=FILE."
                        : "It holds those of " + llvm::join(levels, ", ") +
                              "; report needs none.");
}

/// Matches with what the programs in the profile say of a level; there is no
/// module.
static llvm::Expected<Session> matchLevel(const InputArgList &arguments,
                                          Profile profile,
                                          llvm::StringRef profilePath,
                                          llvm::StringRef level) {
  Session session;
  session.profile = std::move(profile);
  // Without --level each report chooses the one that says most.
  session.level = arguments.getLastArgValue(OPT_level_EQ).str();
  session.ownership = matchProgram(session.profile, level);
  session.attribution = attribute(session.profile, *session.ownership);
  if (!arguments.hasArg(OPT_allow_unmatched))
    if (llvm::Error error = checkCoverage(session, profilePath))
      return std::move(error);
  return std::move(session);
}

llvm::Expected<Session> mlirprof::matchModule(const InputArgList &arguments,
                                              Profile profile,
                                              llvm::StringRef profileName,
                                              llvm::StringRef modelPath) {
  auto rule = getChoice(arguments, OPT_match_EQ, kMatchRules);
  if (!rule)
    return rule.takeError();
  Session session;
  session.profile = std::move(profile);
  session.context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  prepareContext(*session.context);
  session.level = arguments.getLastArgValue(OPT_level_EQ);
  auto module = modelPath.empty() ? loadStoredModule(session.profile,
                                                     getModuleLevel(arguments),
                                                     *session.context)
                                  : readModule(modelPath, *session.context);
  if (!module)
    return module.takeError();
  session.module = std::move(*module);
  // What an earlier profile wrote is not part of the model.
  stripAnnotations(session.module.get());

  MatchOptions options;
  options.rule = *rule == 1 ? MatchRule::Reference : MatchRule::Best;
  options.level = session.level;
  if (modelPath.empty())
    options.stored = session.stored =
        session.profile.findIrModule(getModuleLevel(arguments))->fingerprint;
  session.ownership = match(session.profile, session.module.get(), options);
  session.attribution = attribute(session.profile, *session.ownership);
  if (auto input = llvm::dyn_cast<mlir::ModuleOp>(session.module.get()))
    completeWork(input, session.profile);
  noteHiddenFusions(session, profileName);
  noteChangedModule(session, profileName);
  if (!arguments.hasArg(OPT_allow_unmatched))
    if (llvm::Error error = checkCoverage(session, profileName))
      return std::move(error);
  return std::move(session);
}

/// Says so when the profile holds several models, of which one can be shown.
static void noteOtherModules(const Profile &profile,
                             llvm::StringRef profilePath,
                             llvm::StringRef level) {
  auto count = llvm::count_if(profile.irModules, [&](const IrModule &module) {
    return module.level == level;
  });
  if (count > 1)
    note(profilePath + ": holds " + llvm::Twine(count) + " modules of level '" +
         level + "'; this is the first");
}

llvm::Expected<Session> mlirprof::openSession(const InputArgList &arguments,
                                              llvm::StringRef profilePath,
                                              llvm::StringRef modelPath,
                                              ModuleUse use,
                                              KeepEvents::Mode keep) {
  auto profile = loadProfile(arguments, profilePath, keep);
  if (!profile)
    return profile.takeError();
  if (llvm::Error error = checkLevel(arguments, *profile, profilePath))
    return std::move(error);
  llvm::StringRef level = getModuleLevel(arguments);
  if (level == kAsmLevel && (use == ModuleUse::Required || !modelPath.empty()))
    return usageError("the level asm has no module: only report shows it, "
                      "without --model");
  if (modelPath.empty() && use == ModuleUse::Required)
    noteOtherModules(*profile, profilePath, level);
  if (!modelPath.empty() || profile->findIrModule(level))
    return matchModule(arguments, std::move(*profile), profilePath, modelPath);
  if (use == ModuleUse::Optional &&
      (arguments.hasArg(OPT_level_EQ) ||
       llvm::is_contained(getLevels(*profile), level)))
    return matchLevel(arguments, std::move(*profile), profilePath, level);
  if (use == ModuleUse::Required)
    return missingModule(*profile, profilePath, level);
  Session session;
  session.profile = std::move(*profile);
  return std::move(session);
}

llvm::Error mlirprof::saveProfile(const Profile &profile, ProfileForm form,
                                  llvm::StringRef path) {
  return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (form == ProfileForm::Binary)
      return writeProfile(profile, os);
    writeProfileJson(profile, os);
    return llvm::Error::success();
  });
}

bool mlirprof::isPipe(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         status.type() == llvm::sys::fs::file_type::fifo_file;
}

llvm::StringRef mlirprof::getOutput(const InputArgList &arguments) {
  return arguments.getLastArgValue(OPT_output, "-");
}

llvm::Expected<WriteOptions>
mlirprof::getWriteOptions(const InputArgList &arguments) {
  auto colour = getChoice(arguments, OPT_color_EQ, {"auto", "always", "never"});
  if (!colour)
    return colour.takeError();
  bool terminal = getOutput(arguments) == "-" &&
                  llvm::sys::Process::StandardOutIsDisplayed();
  WriteOptions options;
  bool automatic = terminal && !llvm::sys::Process::GetEnv("NO_COLOR");
  if (*colour == 1 || (*colour == 0 && automatic))
    options.colour = Colour::On;
  if (terminal)
    options.width = llvm::sys::Process::StandardOutColumns();
  return options;
}

void mlirprof::note(const llvm::Twine &text) {
  llvm::WithColor::note(llvm::errs(), "mlir-prof")
      << printableLines(text.str()) << '\n';
}
