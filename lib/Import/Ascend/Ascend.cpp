//===- Ascend.cpp - The folder of Ascend's profiler -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// ASCEND_PROFILER_OUTPUT contains the same data in several files, each with
// some unique parts. The measurements of ops come from one of them:
//
//   kernel_details.csv    single executions: the ops
//   op_statistic.csv      their totals by type: the ops where the former lacks,
//                         else compared with it
//   trace_view.json       the timeline: events, which are of no op key; the ops
//                         of a run without a device, which has no tables
//   step_trace_time.csv   facts of the run
//   communication.json    facts of the run

#include "Ascend.h"
#include "../Importers.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::ascend;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr llvm::StringLiteral kOutput = "ASCEND_PROFILER_OUTPUT";
static constexpr llvm::StringLiteral kKernels = "kernel_details.csv";
static constexpr llvm::StringLiteral kTotals = "op_statistic.csv";
static constexpr llvm::StringLiteral kTimeline = "trace_view.json";
static constexpr llvm::StringLiteral kSteps = "step_trace_time.csv";
static constexpr llvm::StringLiteral kCommunication = "communication.json";

static std::string getPath(StringRef folder, StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static bool has(StringRef folder, StringRef name) {
  return llvm::sys::fs::is_regular_file(getPath(folder, name));
}

/// The folder with the files: `path`, or a folder in it if that is a complete
/// recording.
static std::string findFolder(StringRef path) {
  std::string inner = getPath(path, kOutput);
  return llvm::sys::fs::is_directory(inner) ? inner : path.str();
}

static bool detect(StringRef path) {
  std::string folder = findFolder(path);
  return has(folder, kKernels) || has(folder, kTotals) ||
         (has(folder, kTimeline) &&
          (has(folder, kSteps) || has(folder, kCommunication) ||
           llvm::sys::path::filename(folder) == kOutput));
}

static llvm::Expected<Profile> importFile(StringRef folder, StringRef name,
                                          StringRef format,
                                          const ImportOptions &options) {
  ImportOptions own = options;
  own.inputFormat = format.str();
  return importProfile(getPath(folder, name), own);
}

/// Whether a timeline has kernels of a device.
static bool hasDevice(const Profile &timeline) {
  for (const Run &run : timeline.runs)
    for (const Track &track : run.tracks)
      if (StringRef(track.plane).starts_with("Ascend Hardware"))
        return true;
  return false;
}

/// Reads the timeline. With the tables of a device, its events do not have op
/// keys: the tables contain the ops.
static llvm::Expected<Profile> readTimeline(StringRef folder, bool hasTables,
                                            const ImportOptions &options) {
  auto profile = importFile(folder, kTimeline, "chrome-json", options);
  if (!profile || (!hasTables && !hasDevice(*profile)))
    return profile;
  profile->opKeys.clear();
  for (Run &run : profile->runs) {
    run.ops.clear();
    run.opBusyPs = run.opInflightPs = 0;
    run.kept.op.assign(run.kept.op.size(), kNone);
    for (Step &step : run.steps)
      step.opBusyPs = step.opInflightPs = 0;
  }
  return profile;
}

static int64_t getTimePs(const Profile &profile) {
  int64_t sum = 0;
  for (const OpSummary &op : mergeRuns(profile))
    sum = saturatingAdd(sum, op.getSum(Quantity::Execute));
  return sum;
}

/// Adds as losses the entries in the table of totals that the table of kernels
/// lacks.
static llvm::Error compareTotals(StringRef folder, const ImportOptions &options,
                                 Profile &kernels) {
  auto totals = importFile(folder, kTotals, "mindspore-csv", options);
  if (!totals)
    return totals.takeError();
  int64_t kernelPs = getTimePs(kernels), totalPs = getTimePs(*totals);
  Run &run = kernels.runs.back();
  run.facts.emplace_back(kTotals.str(),
                         "the same kernels by type, not counted again");
  // Both tables are rounded.
  int64_t apart =
      saturatingSub(std::max(kernelPs, totalPs), std::min(kernelPs, totalPs));
  if (apart > kernelPs / 1000)
    run.losses.push_back({"time that differs between op_statistic.csv and "
                          "kernel_details.csv, which is used",
                          1, apart});
  return llvm::Error::success();
}

/// Reads the file with the measurements of ops, if there is one.
static llvm::Expected<std::optional<Profile>>
readOps(StringRef folder, const ImportOptions &options) {
  bool hasKernels = has(folder, kKernels);
  if (!hasKernels && !has(folder, kTotals))
    return std::nullopt;
  auto profile = importFile(folder, hasKernels ? kKernels : kTotals,
                            "mindspore-csv", options);
  if (!profile)
    return profile.takeError();
  if (hasKernels && has(folder, kTotals))
    if (llvm::Error error = compareTotals(folder, options, *profile))
      return std::move(error);
  return std::move(*profile);
}

/// Adds the facts in the files other than ops and timeline to `run`.
static llvm::Error addFacts(StringRef folder, Run &run) {
  for (auto [name, read] :
       {std::make_pair(StringRef(kSteps), addSteps),
        std::make_pair(StringRef(kCommunication), addCommunication)}) {
    if (!has(folder, name))
      continue;
    std::string path = getPath(folder, name);
    auto file = openInput(path);
    if (!file)
      return file.takeError();
    if (llvm::Error error =
            unlessChanged(**file, read((*file)->getBuffer(), path, run)))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Expected<Profile> readFolder(StringRef path,
                                          const ImportOptions &options) {
  std::string folder = findFolder(path);
  auto ops = readOps(folder, options);
  if (!ops)
    return ops.takeError();
  std::optional<Profile> timeline;
  if (has(folder, kTimeline)) {
    auto read = readTimeline(folder, ops->has_value(), options);
    if (!read)
      return read.takeError();
    timeline = std::move(*read);
  }
  if (!*ops && !timeline)
    return inputError(path, "does not contain a file of Ascend's profiler",
                      "It needs kernel_details.csv, op_statistic.csv or "
                      "trace_view.json.");
  Profile &first = *ops ? **ops : *timeline;
  if (llvm::Error error = addFacts(folder, first.runs.back()))
    return std::move(error);
  if (!*ops || !timeline)
    return std::move(first);
  timeline->runs.back().facts.emplace_back(
      "ops", "in " + (has(folder, kKernels) ? kKernels : kTotals).str() +
                 ", not counted again");
  ProfileMerger merger;
  if (llvm::Error error = merger.add(std::move(first), folder))
    return std::move(error);
  if (llvm::Error error = merger.add(std::move(*timeline), folder))
    return std::move(error);
  return merger.finish();
}

FolderImporter importer::Ascend() {
  return {"ascend-folder", "ASCEND_PROFILER_OUTPUT of Ascend's profiler",
          detect, readFolder};
}
