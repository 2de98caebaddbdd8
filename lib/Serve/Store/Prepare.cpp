//===- Prepare.cpp - Preparing a profile for a store -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Timeline/Timeline.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Serve/Serve.h"
#include "mlir-prof/Serve/Store.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static std::string join(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// The value of the first fact whose name holds `part`.
static std::string findFact(const Profile &profile, llvm::StringRef part) {
  for (const Run &run : profile.runs)
    for (const auto &[name, value] : run.facts)
      if (llvm::StringRef(name).contains_insensitive(part))
        return value;
  return "";
}

static std::string getModelName(const Profile &profile) {
  const IrModule *module = profile.findIrModule("input");
  if (!module && !profile.irModules.empty())
    module = &profile.irModules.front();
  if (module)
    return module->name.empty()
               ? llvm::sys::path::filename(module->source).str()
               : module->name;
  return profile.hloModules.empty() ? "" : profile.hloModules.front().name;
}

static std::string getMachineName(const Profile &profile) {
  for (const Run &run : profile.runs) {
    if (!run.machine.host.empty())
      return run.machine.host;
    if (!run.machine.cpu.empty())
      return run.machine.cpu;
  }
  return "";
}

/// The durations of iterations, or of steps, ascending.
static std::vector<int64_t> getIterations(const Profile &profile) {
  std::vector<int64_t> durations;
  for (const Run &run : profile.runs)
    for (const Step &step : run.steps)
      durations.push_back(step.durationPs);
  llvm::sort(durations);
  return durations;
}

static uint64_t countEvents(const Profile &profile) {
  uint64_t events = 0;
  for (const Run &run : profile.runs)
    for (const TrackInfo &track : run.tracks)
      events += track.events;
  return events;
}

static void writeTimes(llvm::json::OStream &json, const Session &session) {
  const Profile &profile = session.profile;
  auto counted = getCountedUnit(profile);
  bool isTimed = counted && counted->empty();
  if (!counted)
    llvm::consumeError(counted.takeError());
  json.attribute("time_ps", isTimed ? getOpTimePs(mergeRuns(profile)) : 0);
  int64_t coverage = -1;
  if (session.attribution) {
    const attribution::Coverage &all = session.attribution->coverage;
    if (all.opTimePs > 0)
      coverage = int64_t((__int128(all.opTimePs - all.unmatchedPs) * 1000000) /
                         all.opTimePs);
  }
  json.attribute("coverage_ppm", coverage);
  std::vector<int64_t> durations = getIterations(profile);
  auto at = [&](size_t quarter) {
    return durations.empty() ? 0 : durations[durations.size() * quarter / 4];
  };
  json.attribute("median_ps", at(2));
  json.attribute("low_ps", at(1));
  json.attribute("high_ps", at(3));
}

static llvm::Error writeFacts(const Session &session, llvm::StringRef id,
                              llvm::StringRef path, llvm::StringRef folder) {
  const Profile &profile = session.profile;
  return writeOutput(join(folder, "facts.json"), [&](llvm::raw_ostream &os) {
    llvm::json::OStream json(os);
    json.object([&] {
      json.attribute("id", id);
      llvm::StringRef source =
          profile.runs.empty() ? path : profile.runs.front().source;
      writeText(json, "name", llvm::sys::path::filename(source));
      writeText(json, "producer",
                profile.runs.empty() ? ""
                                     : profile.runs.front().producer.format);
      writeText(json, "model", getModelName(profile));
      writeText(json, "commit", findFact(profile, "commit"));
      writeText(json, "machine", getMachineName(profile));
      int64_t anchor = 0;
      for (const Run &run : profile.runs)
        if (run.clock.hasAnchor && anchor == 0)
          anchor = run.clock.anchorNs;
      json.attribute("recorded_ns", anchor);
      json.attribute("events", countEvents(profile));
      writeTimes(json, session);
    });
    return llvm::Error::success();
  });
}

/// The id of the profile that `path` holds.
static llvm::Expected<std::string> hashFile(llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return contentHash((*buffer)->getBuffer(), getBacking(**buffer));
}

llvm::Error serve::prepareProfile(llvm::StringRef path, llvm::StringRef model,
                                  llvm::StringRef folder) {
  OpenOptions options;
  options.import.keep.mode = KeepEvents::Mode::All;
  options.model = model.str();
  options.allowUnmatched = true;
  options.takesCounts = true;
  auto session = openSession(path, options);
  if (!session)
    return session.takeError();
  bool isProfile = path.ends_with(".mlprof") && model.empty();
  if (!model.empty())
    if (llvm::Error error = module::storeModule(session->profile, "input",
                                                session->module.get(), model))
      return error;
  std::string stored = isProfile ? path.str() : join(folder, "profile.mlprof");
  if (!isProfile)
    if (llvm::Error error =
            saveProfile(session->profile, ProfileForm::Binary, stored))
      return error;
  auto id = hashFile(stored);
  if (!id)
    return id.takeError();
  if (llvm::Error error =
          writeTimeline(session->profile, join(folder, "profile.timeline")))
    return error;
  return writeFacts(*session, *id, path, folder);
}

llvm::Error serve::readFacts(llvm::StringRef prepared, StoredProfile &profile) {
  auto buffer = openInput(join(prepared, "facts.json"));
  if (!buffer)
    return buffer.takeError();
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  const llvm::json::Object &facts = *value->getAsObject();
  auto text = [&](std::string &to, llvm::StringRef name) {
    if (to.empty())
      to = facts.getString(name).value_or("").str();
  };
  text(profile.id, "id");
  text(profile.name, "name");
  text(profile.producer, "producer");
  text(profile.model, "model");
  text(profile.commit, "commit");
  text(profile.machine, "machine");
  auto number = [&](llvm::StringRef name) {
    return facts.getInteger(name).value_or(0);
  };
  profile.recordedNs = number("recorded_ns");
  profile.events = uint64_t(number("events"));
  profile.timePs = number("time_ps");
  profile.coveragePpm = number("coverage_ppm");
  profile.medianPs = number("median_ps");
  profile.lowPs = number("low_ps");
  profile.highPs = number("high_ps");
  return llvm::Error::success();
}
