//===- Open.cpp - Opening a profile with its model ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Note.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Import/Iree.h"
#include "mlir-prof/Import/Onnx.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Session/Session.h"
#include "mlir-prof/Session/WithoutEvents.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "mlir-prof/Transforms/Annotate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

/// Notes that `part` of the measured time is as `what` describes.
static void notePart(const OpenOptions &options, llvm::StringRef profilePath,
                     uint64_t part, uint64_t measured,
                     const llvm::Twine &what) {
  if (part)
    note(options.onNote, profilePath + ": " + llvm::Twine(part) + " of " +
                             llvm::Twine(measured) + " measured " + what);
}

/// Applies OpenOptions::onnx and onnxOptimized.
static llvm::Error addOnnx(const OpenOptions &options,
                           llvm::StringRef profilePath, Profile &profile) {
  llvm::StringRef original = options.onnx;
  llvm::StringRef optimized = options.onnxOptimized;
  if (original.empty() && optimized.empty())
    return llvm::Error::success();
  if (original.empty())
    return usageError("--onnx-optimized needs --onnx, the model before it was "
                      "optimized");
  auto counts = addOnnxOrigins(profile, original, optimized);
  if (!counts)
    return counts.takeError();
  notePart(options, profilePath, counts->measured - counts->found,
           counts->measured,
           "nodes are not in " + (optimized.empty() ? original : optimized));
  return llvm::Error::success();
}

/// Applies OpenOptions::ireeStream.
static llvm::Error addIreeStream(const OpenOptions &options,
                                 llvm::StringRef profilePath,
                                 Profile &profile) {
  llvm::StringRef path = options.ireeStream;
  if (path.empty())
    return llvm::Error::success();
  auto counts = addDispatchSites(profile, path);
  if (!counts)
    return counts.takeError();
  notePart(options, profilePath, counts->measured - counts->found,
           counts->measured,
           "dispatches do not have a place in " + path + " (" +
               formatTime(counts->missingPs) + ")");
  notePart(options, profilePath, counts->inTurn, counts->measured,
           "dispatches may belong to several places in " + path +
               ", and were assigned to these in turn");
  return llvm::Error::success();
}

llvm::Expected<Profile> mlirprof::openProfile(llvm::StringRef path,
                                              const OpenOptions &options) {
  auto profile = importProfile(path, options.import);
  if (!profile)
    return profile;
  if (llvm::Error error = addOnnx(options, path, *profile))
    return std::move(error);
  if (llvm::Error error = addIreeStream(options, path, *profile))
    return std::move(error);
  return profile;
}

/// Notes if nodes of an ONNX graph may be fusions whose names do not show it.
static void noteHiddenFusions(const OpenOptions &options,
                              const Session &session,
                              llvm::StringRef profilePath) {
  unsigned count = 0;
  std::string first;
  for (auto [key, match] :
       llvm::zip(session.profile.opKeys, session.ownership->matches)) {
    const auto *node = key.getIf<OnnxNodeKey>();
    bool isByName = node && (node->origins.kind == OriginKind::Unknown ||
                             node->origins.kind == OriginKind::SameName);
    if (!isByName || match.reason.empty() ||
        match.matchClass == MatchClass::Unmatched ||
        match.matchClass == MatchClass::Partial)
      continue;
    if (count++ == 0)
      first = key.op + " " + match.reason;
  }
  if (count)
    note(options.onNote,
         profilePath + ": " + llvm::Twine(count) +
             " measured nodes may include the work of others: " + first);
}

/// Notes if the module differs from the recorded one, and how much of the time
/// was matched.
static void noteChangedModule(const OpenOptions &options,
                              const Session &session,
                              llvm::StringRef profilePath) {
  int64_t all = 0, found = 0;
  bool hasChanged = false;
  for (const OpSummary &measured : mergeRuns(session.profile)) {
    const Match &match = session.ownership->matches[measured.op];
    all = saturatingAdd(all, measured.getTimePs());
    if (match.tier != MatchTier::StructuralHash)
      continue;
    hasChanged = true;
    if (match.matchClass != MatchClass::Unmatched)
      found = saturatingAdd(found, measured.getTimePs());
  }
  if (hasChanged && all > 0)
    note(options.onNote,
         profilePath +
             llvm::formatv(
                 ": this module is another build than the one that was "
                 "recorded; {0} of the time was found again by an alignment "
                 "of the two",
                 formatPercent(found, all))
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

/// Whether no measured op is of a model: all samples are of the tool itself.
static bool isOutside(const Profile &profile) {
  return llvm::all_of(profile.runs, [&](const Run &run) {
    return llvm::all_of(run.ops, [&](const OpSummary &op) {
      return profile.opKeys[op.op].is<OutsideKey>();
    });
  });
}

/// The first losses, one per line.
static std::string describeLosses(const Profile &profile) {
  std::string text;
  for (const Run &run : profile.runs)
    for (const Loss &loss : llvm::ArrayRef(run.losses).take_front(3))
      text += "\n  " + loss.name + ": " + formatCount(loss.count, "time");
  return text;
}

/// Fails if there is time but none of it has an owner.
static llvm::Error checkCoverage(const OpenOptions &options,
                                 const Session &session,
                                 llvm::StringRef profilePath) {
  const Coverage &coverage = session.attribution->coverage;
  if (coverage.opTimePs != 0 && coverage.unmatchedPs != coverage.opTimePs)
    return llvm::Error::success();
  if (!session.profile.programs.empty() &&
      (coverage.opTimePs == 0 || isOutside(session.profile))) {
    // It still belongs to its model, and may contain values.
    note(options.onNote,
         profilePath + ": does not contain the time of any op, because the run "
                       "ended before the first sample in the model; record for "
                       "longer (--seconds), or count instead "
                       "(--mode=instrument)");
    return llvm::Error::success();
  }
  if (coverage.opTimePs == 0 && hasSamples(session.profile))
    return inputError(profilePath,
                      "contains samples, but not the time of any op",
                      "Its samples do not have a unit: specify the time per "
                      "sample with --sample-period=TIME, such as 1ms, or 1ps "
                      "for stacks written by mlir-prof.");
  if (coverage.opTimePs == 0 && !hasEvents(session.profile))
    return inputError(
        profilePath,
        "does not contain the time of any op: coverage 0" +
            describeLosses(session.profile),
        "Nothing in the recording was measured, or nothing of it could be "
        "kept. Record again, or continue with --allow-unmatched.");
  if (coverage.opTimePs == 0)
    return inputError(
        profilePath, "does not contain the time of any op: coverage 0",
        "The recording has only host events. Record with the device or op "
        "tracer on, or continue with --allow-unmatched.");
  std::string reasons;
  for (const UnmatchedReason &reason :
       llvm::ArrayRef(session.attribution->unmatched).take_front(3))
    reasons += "\n  " + reason.reason;
  return inputError(
      profilePath,
      "does not belong to this module: coverage 0; no measured op has an owner "
      "in it:" +
          reasons,
      "Give the module that was run, with its locations, or continue with "
      "--allow-unmatched.");
}

/// The level of the module to show.
static llvm::StringRef getModuleLevel(const OpenOptions &options) {
  return options.level.empty() ? llvm::StringRef("input")
                               : llvm::StringRef(options.level);
}

/// Fails if the profile does not contain OpenOptions::level.
static llvm::Error checkLevel(const OpenOptions &options,
                              const Profile &profile,
                              llvm::StringRef profilePath) {
  llvm::StringRef level = options.level;
  if (level.empty())
    return llvm::Error::success();
  std::vector<std::string> levels = getLevels(profile);
  for (const IrModule &module : profile.irModules)
    if (!llvm::is_contained(levels, module.level))
      levels.push_back(module.level);
  if (llvm::is_contained(levels, level))
    return llvm::Error::success();
  return inputError(profilePath, "does not contain the level '" + level + "'",
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
  return inputError(
      profilePath, "does not contain a module of level '" + level + "'",
      levels.empty() ? "Name the module that was run with --model=FILE."
                     : "It contains those of " + llvm::join(levels, ", ") +
                           "; report does not need one.");
}

/// Finds the owners of the session's profile with `match`.
static void matchSession(Session &session,
                         llvm::function_ref<Ownership()> match) {
  {
    PROF_SCOPE("match");
    session.ownership = match();
  }
  PROF_SCOPE("attribute");
  session.attribution = attribute(session.profile, *session.ownership);
}

/// Matches with a level as listed in the profile's programs; there is no
/// module.
static llvm::Expected<Session> matchLevel(const OpenOptions &options,
                                          Profile profile,
                                          llvm::StringRef profilePath,
                                          llvm::StringRef level) {
  Session session;
  session.profile = std::move(profile);
  // Without a level, each report chooses the most informative one.
  session.level = options.level;
  matchSession(session, [&] { return matchProgram(session.profile, level); });
  if (!options.allowUnmatched)
    if (llvm::Error error = checkCoverage(options, session, profilePath))
      return std::move(error);
  return std::move(session);
}

llvm::Expected<Session> mlirprof::matchModule(Profile profile,
                                              llvm::StringRef profileName,
                                              const OpenOptions &options) {
  Session session;
  session.profile = std::move(profile);
  session.context = makeModuleContext();
  session.level = options.level;
  llvm::StringRef level = getModuleLevel(options);
  scope::Scope reading("read module");
  auto module = options.model.empty()
                    ? loadStoredModule(session.profile, level, *session.context)
                    : readModule(options.model, *session.context);
  if (!module)
    return module.takeError();
  session.module = std::move(*module);
  reading.end();
  // Annotations of an earlier profile are not part of the model.
  stripAnnotations(session.module.get());

  MatchOptions how;
  how.rule = options.rule;
  how.level = session.level;
  if (options.model.empty())
    how.stored = session.stored =
        session.profile.findIrModule(level)->fingerprint;
  matchSession(session, [&] {
    return matchProfile(session.profile, session.module.get(), how);
  });
  if (auto input = llvm::dyn_cast<mlir::ModuleOp>(session.module.get()))
    completeWork(input, session.profile);
  noteHiddenFusions(options, session, profileName);
  noteChangedModule(options, session, profileName);
  if (!options.allowUnmatched)
    if (llvm::Error error = checkCoverage(options, session, profileName))
      return std::move(error);
  return std::move(session);
}

/// Notes if the profile contains several models, of which only one can be
/// shown.
static void noteOtherModules(const OpenOptions &options, const Profile &profile,
                             llvm::StringRef profilePath,
                             llvm::StringRef level) {
  auto count = llvm::count_if(profile.irModules, [&](const IrModule &module) {
    return module.level == level;
  });
  if (count > 1)
    note(options.onNote, profilePath + ": holds " + llvm::Twine(count) +
                             " modules of level '" + level +
                             "'; this is the first");
}

/// Fails if the caller needs times, and the profile does not have any.
static llvm::Error checkUnit(const OpenOptions &options, const Profile &profile,
                             llvm::StringRef path) {
  auto unit = getCountedUnit(profile);
  if (!unit)
    return unit.takeError();
  if (unit->empty() || options.takesCounts)
    return llvm::Error::success();
  return inputError(path, "counts " + *unit + ", and this needs times",
                    "'mlir-prof report' and 'mlir-prof diff' show counts.");
}

/// Matches a profile that was read.
static llvm::Expected<Session> openRead(llvm::Expected<Profile> profile,
                                        llvm::StringRef path,
                                        const OpenOptions &options) {
  if (!profile)
    return profile.takeError();
  if (llvm::Error error = checkUnit(options, *profile, path))
    return std::move(error);
  if (llvm::Error error = checkLevel(options, *profile, path))
    return std::move(error);
  llvm::StringRef level = getModuleLevel(options);
  bool isRequired = options.use == ModuleUse::Required;
  bool hasModel = !options.model.empty();
  if (level == kAsmLevel && (isRequired || hasModel))
    return usageError("the level asm does not have a module: only report shows "
                      "it, without --model");
  if (!hasModel && isRequired)
    noteOtherModules(options, *profile, path, level);
  if (hasModel || profile->findIrModule(level))
    return matchModule(std::move(*profile), path, options);
  if (!isRequired && (!options.level.empty() ||
                      llvm::is_contained(getLevels(*profile), level)))
    return matchLevel(options, std::move(*profile), path, level);
  if (isRequired)
    return missingModule(*profile, path, level);
  Session session;
  session.profile = std::move(*profile);
  return std::move(session);
}

llvm::Expected<Session> mlirprof::openSession(llvm::StringRef path,
                                              const OpenOptions &options) {
  PROF_SCOPE("open");
  return openRead(openProfile(path, options), path, options);
}

llvm::Expected<Session>
mlirprof::openWithoutEvents(llvm::StringRef path, const OpenOptions &options) {
  if (isPipe(path) || llvm::sys::fs::is_directory(path) || path == "-")
    return openSession(path, options);
  auto file = openInput(path);
  if (!file) {
    // Refused there, as any other file.
    llvm::consumeError(file.takeError());
    return openSession(path, options);
  }
  llvm::StringRef bytes = (*file)->getBuffer();
  bool hasCompanion = !options.onnx.empty() || !options.onnxOptimized.empty() ||
                      !options.ireeStream.empty();
  if (hasCompanion || !options.import.inputFormat.empty() ||
      !isProfileFile(bytes))
    return openSession(path, options);
  PROF_SCOPE("open");
  auto profile = [&] {
    PROF_SCOPE("read");
    return unlessChanged(**file,
                         readProfile(bytes, path, StoredEvents::LeaveOut));
  }();
  file->reset();
  return openRead(std::move(profile), path, options);
}

llvm::Error mlirprof::saveProfile(const Profile &profile, ProfileForm form,
                                  llvm::StringRef path) {
  PROF_SCOPE("write");
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
