//===- AscendRaw.cpp - Joins the files of Ascend's devices ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Joins the files of one device: tasks of the hardware become ops by the
// framework's table of tasks; entries of the AI CPU belong to the tasks in
// which they ran.

#include "../Common/TextLines.h"
#include "AiCpu.h"
#include "Analyzed.h"
#include "Ascend.h"
#include "Hwts.h"
#include "StepTrace.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Clock and device
//===----------------------------------------------------------------------===//

/// The number after `name` in a log of "name: number" lines.
static bool findNumber(StringRef log, StringRef name, uint64_t &number) {
  while (!log.empty()) {
    auto [key, value] = takeLine(log).split(':');
    if (key.trim() == name)
      return !value.trim().getAsInteger(10, number);
  }
  return false;
}

/// "19.2" MHz in Hz, from a number or a text; 0 if it is neither.
static uint64_t parseMhz(const llvm::json::Value *value) {
  std::optional<double> number;
  if (value && value->getAsString()) {
    double parsed;
    if (!value->getAsString()->getAsDouble(parsed))
      number = parsed;
  } else if (value) {
    number = value->getAsNumber();
  }
  constexpr double kMostMhz = 1e6;
  return number && *number > 0 && *number <= kMostMhz
             ? uint64_t(*number * 1e6 + 0.5)
             : 0;
}

static void readDeviceInfo(StringRef text, Recording &recording) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    recording.addLoss("info.json that is not JSON", 1);
    return;
  }
  const llvm::json::Object *root = parsed->getAsObject();
  const llvm::json::Array *devices =
      root ? root->getArray("DeviceInfo") : nullptr;
  const llvm::json::Object *device =
      devices && !devices->empty() ? devices->front().getAsObject() : nullptr;
  if (!device)
    return;
  DeviceFacts &facts = recording.job.deviceFacts;
  auto getCount = [&](StringRef name) {
    int64_t count = device->getInteger(name).value_or(0);
    return count > 0 && count < (1 << 20) ? uint32_t(count) : 0;
  };
  facts.cubeCores = getCount("ai_core_num");
  facts.vectorCores = getCount("aiv_num");
  facts.cubeHz = parseMhz(device->get("aic_frequency"));
  facts.vectorHz = parseMhz(device->get("aiv_frequency"));
  facts.tickHz = parseMhz(device->get("hwts_frequency"));
}

static void readDevice(const RankFiles &files, Recording &recording) {
  if (files.has(FileKind::DeviceInfo))
    readDeviceInfo(files.getFirst(FileKind::DeviceInfo), recording);
  uint64_t hz = recording.job.deviceFacts.tickHz;
  if (hz)
    recording.clock.setHz(hz);
  else
    recording.addFact("frequency of the device's counter",
                      "not in the recording; taken as 100 MHz");
}

/// Sets the clock of the run, once all times were seen.
static void setClock(const RankFiles &files, Recording &recording) {
  DeviceFacts &facts = recording.job.deviceFacts;
  facts.tickHz = recording.clock.getHz();
  facts.originTicks = recording.clock.getOrigin();
  Clock &clock = recording.builder.getRun().clock;
  clock.name = "device counter";
  uint64_t realtime, start;
  if (!findNumber(files.getFirst(FileKind::HostStart), "clock_realtime",
                  realtime) ||
      !findNumber(files.getFirst(FileKind::DeviceStart), "cntvct", start))
    return;
  // toPs() saturates, and so does the sum.
  int64_t sinceStartNs = -(recording.clock.toPs(start) / 1000);
  int64_t anchor = saturatingAdd(
      int64_t(std::min<uint64_t>(realtime, INT64_MAX)), sinceStartNs);
  if (anchor <= 0)
    return;
  clock.anchorNs = anchor;
  clock.hasAnchor = true;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {
/// Tasks in order of begin, each with its op.
struct NamedRuns {
  std::vector<TaskRun> runs;
  /// Positions in JobRecord::ops, or kNone.
  std::vector<uint32_t> ops;
};
} // namespace

static NamedRuns nameRuns(std::vector<TaskRun> runs, const TaskTable &table) {
  std::set<TaskId> seen;
  for (const TaskRun &run : runs)
    seen.insert({run.stream, run.task});
  TaskTable::Finder finder(table, seen);
  NamedRuns named;
  for (const TaskRun &run : runs)
    named.ops.push_back(finder.find({run.stream, run.task}));
  named.runs = std::move(runs);
  return named;
}

static void addRuns(const NamedRuns &named, Recording &recording) {
  uint64_t unnamed = 0;
  int64_t unnamedPs = 0;
  for (auto [run, op] : llvm::zip(named.runs, named.ops)) {
    int64_t beginPs = recording.clock.toPs(run.begin);
    int64_t endPs =
        saturatingAdd(beginPs, recording.clock.toDuration(run.end - run.begin));
    StringRef name = op == kNone
                         ? "task without a name"
                         : recording.job.getName(recording.job.ops[op].op);
    recording.addEvent("stream " + std::to_string(run.stream), name, op,
                       beginPs, endPs);
    if (op != kNone)
      continue;
    ++unnamed;
    addSaturating(unnamedPs, endPs - beginPs);
  }
  recording.addFact("HWTS tasks without a name", llvm::Twine(unnamed));
  recording.addLoss("task that the framework does not name", unnamed,
                    unnamedPs);
}

//===----------------------------------------------------------------------===//
// AI CPU
//===----------------------------------------------------------------------===//

/// Whether `node` is the op, its last part, or its type.
static bool isOfNode(const OpFacts &op, StringRef node,
                     const Recording &recording) {
  StringRef name = recording.job.getName(op.op);
  return node.empty() || name == node || name.ends_with(("/" + node).str()) ||
         recording.getOpType(op) == node;
}

/// The only op that has `node` as the last part of its name, or as its type:
/// position in JobRecord::ops. kNone if there is none, or several.
static uint32_t findNode(StringRef node, const Recording &recording) {
  uint32_t found = kNone;
  for (auto [index, op] : llvm::enumerate(recording.job.ops)) {
    if (!isOfNode(op, node, recording))
      continue;
    if (found != kNone)
      return kNone;
    found = uint32_t(index);
  }
  return found;
}

/// The op of the task in which an entry ran: position in JobRecord::ops.
static uint32_t findRun(const AiCpuEntry &entry, const NamedRuns &named,
                        const Recording &recording) {
  auto after = llvm::upper_bound(
      named.runs, entry.beginTicks,
      [](uint64_t ticks, const TaskRun &run) { return ticks < run.begin; });
  // Few tasks run at a time.
  constexpr size_t kMostAtOnce = 256;
  size_t at = size_t(after - named.runs.begin());
  for (size_t i = 0; i != kMostAtOnce && at; ++i) {
    --at;
    uint32_t op = named.ops[at];
    if (op != kNone && named.runs[at].end > entry.beginTicks &&
        isOfNode(recording.job.ops[op], entry.node, recording))
      return op;
  }
  return kNone;
}

static void addAiCpuEntry(const AiCpuEntry &entry, uint32_t op, bool isCounted,
                          Recording &recording) {
  constexpr int64_t kPsPerUs = 1000000;
  const TickClock &clock = recording.clock;
  auto toPs = [&](uint64_t ticks) { return ticks ? clock.toPs(ticks) : 0; };
  auto toDuration = [&](int64_t us) { return saturatingMul(us, kPsPerUs); };
  AiCpuRun run;
  StringRef name = entry.node;
  if (op != kNone) {
    OpFacts &facts = recording.job.ops[op];
    if (facts.processor == Processor::Unknown)
      facts.processor = Processor::AiCpu;
    run.op = facts.op;
    run.type = recording.addName(recording.getOpType(facts));
    name = recording.job.getName(facts.op);
  } else {
    run.op = run.type = recording.addName(name);
  }
  run.beginPs = clock.toPs(entry.beginTicks);
  run.endPs = clock.toPs(entry.endTicks);
  run.submitPs = toPs(entry.submitTicks);
  run.schedulePs = toPs(entry.scheduleTicks);
  run.beforeRunPs = toPs(entry.beforeTicks);
  run.afterRunPs = toPs(entry.afterTicks);
  run.totalPs = toDuration(entry.totalUs);
  run.dispatchPs = toDuration(entry.dispatchUs);
  run.executionPs = toDuration(entry.executionUs);
  run.computePs = toDuration(entry.computeUs);
  run.memcpyPs = toDuration(entry.memcpyUs);
  recording.job.aiCpuRuns.push_back(run);
  recording.addEvent("AI CPU", name.empty() ? "AI CPU op" : name,
                     isCounted ? op : kNone, run.beginPs, run.endPs);
}

static void addAiCpu(llvm::ArrayRef<AiCpuEntry> entries, const NamedRuns &named,
                     const TaskTable &table, Recording &recording) {
  std::set<TaskId> seen;
  for (const TaskRun &run : named.runs)
    seen.insert({run.stream, run.task});
  TaskTable::Finder finder(table, seen);
  // The time of a task holds that of the entry.
  std::set<uint32_t> measured(named.ops.begin(), named.ops.end());
  std::map<std::string, uint32_t> opOfNode;
  uint64_t far = 0;
  for (const AiCpuEntry &entry : entries) {
    if (!recording.clock.isNear(entry.beginTicks) ||
        !recording.clock.isNear(entry.endTicks) ||
        entry.endTicks < entry.beginTicks) {
      ++far;
      continue;
    }
    uint32_t op = findRun(entry, named, recording);
    if (op == kNone && entry.task.first != kNone)
      op = finder.find(entry.task);
    if (op == kNone && !entry.node.empty()) {
      auto [it, isNew] = opOfNode.try_emplace(entry.node, kNone);
      if (isNew)
        it->second = findNode(entry.node, recording);
      if (it->second == kNone)
        it->second = recording.getOpNumber(entry.node);
      op = it->second;
    }
    addAiCpuEntry(entry, op, op != kNone && !measured.count(op), recording);
  }
  recording.addLoss("AI CPU entry at a time far from the others", far);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

static bool fillsQueue(const Recording &recording) {
  return llvm::any_of(recording.job.ops, [&](const OpFacts &op) {
    return recording.job.getName(op.op).starts_with("Default/InitDataSetQueue");
  });
}

void mindspore::readAscend(const RankFiles &files, Recording &recording) {
  readDevice(files, recording);
  TaskTable table;
  FrameworkFiles framework;
  framework.tasks = files.get(FileKind::TaskDescription).vec();
  framework.graphs = files.get(FileKind::GraphDescription).vec();
  framework.tensors = files.get(FileKind::TensorData).vec();
  framework.hashes = files.get(FileKind::HashDictionary).vec();
  framework.isGe = files.isGe();
  readFramework(framework, recording, table);
  if (!files.has(FileKind::TaskDescription))
    readFrameworkTable(files.getFirst(FileKind::FrameworkTable), recording,
                       table);

  std::vector<TaskRun> runs;
  std::vector<NamedRun> timeline;
  if (files.has(FileKind::Hwts))
    runs = readHwts(files.get(FileKind::Hwts), recording);
  else if (files.has(FileKind::HwtsText))
    runs = readHwtsText(files.getFirst(FileKind::HwtsText), recording);
  else if (files.has(FileKind::Timeline))
    timeline = readTimeline(files.getFirst(FileKind::Timeline), recording);
  std::vector<AiCpuEntry> entries;
  if (files.has(FileKind::AiCpu))
    entries = readAiCpu(files.get(FileKind::AiCpu), recording);
  else
    entries = readAiCpuTable(files, recording);
  std::vector<TracePoint> points;
  if (files.has(FileKind::TsTrack))
    points = readTsTrack(files.get(FileKind::TsTrack), recording);
  else if (files.has(FileKind::TrainingTrace))
    points = readTrainingTrace(files.get(FileKind::TrainingTrace), recording);
  setClock(files, recording);

  NamedRuns named = nameRuns(std::move(runs), table);
  for (const NamedRun &next : timeline) {
    named.runs.push_back(next.run);
    named.ops.push_back(next.op);
  }
  addRuns(named, recording);
  addAiCpu(entries, named, table, recording);
  if (files.has(FileKind::AiCpuWaits))
    readAiCpuWaits(joinSlices(files.get(FileKind::AiCpuWaits)), recording);
  else
    readAiCpuWaitsText(files.getFirst(FileKind::AiCpuWaitsText), recording);
  PointNames names;
  readPoints(joinSlices(files.get(FileKind::Points)), recording, names);
  readStepInfo(files.get(FileKind::StepInfo), table, points, recording, names);
  addSteps(points, names, fillsQueue(recording), recording);
  if (points.empty())
    readStepTable(files, /*ticks=*/1, recording);
  if (named.runs.empty() && files.has(FileKind::AiCoreDetail))
    readOpSums(files.getFirst(FileKind::AiCoreDetail), recording);
  if (files.has(FileKind::Pmu))
    readPmu(files.get(FileKind::Pmu), table, recording);
  else if (files.has(FileKind::FlopsText))
    readFlopsText(files.getFirst(FileKind::FlopsText), recording);
}
