//===- Folder.cpp - Recordings of MindSpore -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A folder is one recording: the one that holds the folder of a job (JOB*,
// PROF_*), or that itself. Each device in it is a rank, and a run of the
// profile.

#include "../Importers.h"
#include "Analyzed.h"
#include "Ascend.h"
#include "Files.h"
#include "Host.h"
#include "Recording.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static bool isOfAscend(const RankFiles &files) {
  for (FileKind kind :
       {FileKind::Hwts, FileKind::HwtsText, FileKind::AiCpu, FileKind::TsTrack,
        FileKind::TrainingTrace, FileKind::TaskDescription, FileKind::Timeline,
        FileKind::AiCpuTable, FileKind::AiCpuText, FileKind::FrameworkTable,
        FileKind::AiCoreDetail})
    if (files.has(kind))
      return true;
  return false;
}

/// Reads what the host measured of a GPU, or of itself: nanoseconds since 1970.
static void readHost(const RankFiles &files, Recording &recording) {
  constexpr uint64_t kNsPerSecond = 1000000000;
  recording.clock.setHz(kNsPerSecond);
  readOpTimes(files, recording);
  for (StringRef text : files.get(FileKind::StepFile))
    readStepFile(text, recording);
  if (!files.has(FileKind::StepFile) && files.has(FileKind::StepTable))
    // The table counts 10 ns, also where its source has ns.
    readStepTable(files, /*ticks=*/10, recording);
  uint64_t originNs = recording.clock.getOrigin();
  recording.job.deviceFacts.tickHz = kNsPerSecond;
  recording.job.deviceFacts.originTicks = originNs;
  // Before 2000 it is the time since the host started.
  constexpr uint64_t kYear2000 = 946684800 * kNsPerSecond;
  Clock &clock = recording.builder.getRun().clock;
  clock.name = "host";
  clock.hasAnchor = originNs >= kYear2000 && originNs <= uint64_t(INT64_MAX);
  clock.anchorNs = clock.hasAnchor ? int64_t(originNs) : 0;
}

/// The rank of profiler_info_N.json, {"rank_id": 8, ...}; kNone without one.
static uint32_t readRankNumber(StringRef text, Recording &recording) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  const llvm::json::Object *info = parsed ? parsed->getAsObject() : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  recording.addLoss("profiler_info that is not JSON", !info);
  int64_t rank = info ? info->getInteger("rank_id").value_or(-1) : -1;
  return rank >= 0 && rank < kNone ? uint32_t(rank) : kNone;
}

void mindspore::readRank(const RankFiles &files, Recording &recording) {
  recording.job.device = files.device;
  recording.job.rank = files.rank;
  if (files.has(FileKind::ProfilerInfo)) {
    uint32_t rank =
        readRankNumber(files.getFirst(FileKind::ProfilerInfo), recording);
    recording.job.rank = rank != kNone ? rank : files.rank;
  }
  if (isOfAscend(files))
    readAscend(files, recording);
  else
    readHost(files, recording);
  readPipeline(files, recording);
  for (StringRef bytes : files.get(FileKind::Memory))
    readMemory(bytes, recording);
  readHccl(files, recording);
  if (!files.has(FileKind::HcclTrace))
    readHcclTable(files.getFirst(FileKind::HcclTable), recording);
  if (!files.has(FileKind::Pipeline))
    readPipelineTable(files.getFirst(FileKind::PipelineTable), recording);
}

static llvm::Error addRank(RankFiles &files, const ImportOptions &options,
                           std::set<std::string> &hashes, Profile &profile) {
  if (llvm::Error error = files.open())
    return error;
  std::string hash = files.hash();
  // A copy of the same recording.
  if (!hashes.insert(hash).second)
    return llvm::Error::success();
  ProfileBuilder builder(profile, options.keep);
  Run &run = builder.getRun();
  run.hash = hash;
  run.source = files.folder;
  run.producer.format = "mindspore-folder";
  run.producer.name = "MindSpore";
  Recording recording(builder);
  readRank(files, recording);
  recording.finish();
  return files.checkUnchanged();
}

static llvm::Expected<Profile> readFolder(StringRef path,
                                          const ImportOptions &options) {
  auto ranks = findRanks(path);
  if (!ranks)
    return ranks.takeError();
  if (ranks->empty())
    return inputError(path, "does not contain a file of MindSpore's recorder",
                      "Name the folder that holds JOB*, PROF_* or files like "
                      "step_trace_profiling_0.txt.");
  Profile profile;
  std::set<std::string> hashes;
  for (RankFiles &files : *ranks)
    if (llvm::Error error = addRank(files, options, hashes, profile))
      return std::move(error);
  return std::move(profile);
}

FolderImporter importer::MindSporeFolder() {
  return {"mindspore-folder",
          "raw recordings of MindSpore and Ascend, and MindSpore's own tables",
          holdsRecording, readFolder};
}
