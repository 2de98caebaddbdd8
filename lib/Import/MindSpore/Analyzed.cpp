//===- Analyzed.cpp - Tables of MindSpore's own analysis ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analyzed.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Table/Totals.h"
#include "../Common/TextLines.h"
#include "TableReader.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

using json::DecimalUnit;

/// MindSpore counts 100 ticks a microsecond whatever the device does.
static bool parseTicks(StringRef text, DecimalUnit unit, uint64_t &ticks) {
  constexpr json::WidePs kPsPerTick = 10000;
  json::WidePs ps;
  if (!json::parseDecimalTime(text.trim(), unit, ps) || ps < 0 ||
      ps / kPsPerTick > json::WidePs(INT64_MAX))
    return false;
  // The tables hold sums of doubles.
  ticks = uint64_t((ps + kPsPerTick / 2) / kPsPerTick);
  return true;
}

static int64_t parseUs(StringRef text, DecimalUnit unit) {
  constexpr int64_t kPsPerUs = 1000000;
  int64_t ps;
  return table::parseDuration(text, unit, ps) ? (ps + kPsPerUs / 2) / kPsPerUs
                                              : 0;
}

//===----------------------------------------------------------------------===//
// Ops and tasks
//===----------------------------------------------------------------------===//

/// "input_0" with {"format": "NCHW", "data_type": "NUMBER_TYPE_FLOAT32",
/// "shape": "32,16"}.
static void addTensor(StringRef place, const llvm::json::Object &facts,
                      OpFacts &op, Recording &recording) {
  auto [side, index] = place.split('_');
  TensorFacts tensor;
  tensor.isOutput = side == "output";
  if ((side != "input" && !tensor.isOutput) ||
      index.getAsInteger(10, tensor.index))
    return;
  StringRef type = facts.getString("data_type").value_or("");
  type.consume_front("NUMBER_TYPE_");
  tensor.type = recording.addName(type.lower());
  tensor.format = recording.addName(facts.getString("format").value_or(""));
  llvm::SmallVector<StringRef, 8> sizes;
  StringRef shape = facts.getString("shape").value_or("");
  shape.split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : sizes) {
    int64_t size;
    if (!text.trim().getAsInteger(10, size))
      tensor.dimensions.push_back(size);
  }
  op.tensors.push_back(std::move(tensor));
}

static void addTensors(StringRef info, OpFacts &op, Recording &recording) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(info);
  const llvm::json::Object *tensors = parsed ? parsed->getAsObject() : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  if (!tensors || !op.tensors.empty())
    return;
  for (const auto &[place, value] : *tensors)
    if (const llvm::json::Object *facts = value.getAsObject())
      addTensor(place, *facts, op, recording);
  llvm::stable_sort(op.tensors, [](const TensorFacts &a, const TensorFacts &b) {
    return std::tie(a.isOutput, a.index) < std::tie(b.isOutput, b.index);
  });
}

static Processor parseProcessor(StringRef text) {
  return llvm::StringSwitch<Processor>(text.upper())
      .Case("AI_CORE", Processor::AiCore)
      .Case("AI_CPU", Processor::AiCpu)
      .Case("AIV", Processor::Aiv)
      .Case("HCCL", Processor::Hccl)
      .Default(Processor::Unknown);
}

void mindspore::readFrameworkTable(StringRef text, Recording &recording,
                                   TaskTable &table) {
  TableReader lines(text);
  uint64_t foreign = 0;
  while (lines.next()) {
    uint32_t task, stream;
    StringRef name = lines.getAny({"full_op_name", "full_kernel_name"});
    if (name.empty() || lines.get("task_id").getAsInteger(10, task) ||
        lines.get("stream_id").getAsInteger(10, stream)) {
      ++foreign;
      continue;
    }
    uint32_t op = recording.getOpNumber(name);
    OpFacts &facts = recording.job.ops[op];
    facts.type = recording.addName(lines.getAny({"op_type", "kernel_type"}));
    if (lines.has("op_type"))
      facts.processor = parseProcessor(lines.get("kernel_type"));
    if (lines.get("block_dim").getAsInteger(10, facts.blockDim))
      facts.blockDim = 0;
    facts.stream = stream;
    addTensors(lines.get("op_info"), facts, recording);
    table.add({stream, task}, op);
  }
  recording.addLoss("op of framework_raw that is not understood", foreign);
  lines.finish("framework_raw", recording);
}

std::vector<NamedRun> mindspore::readTimeline(StringRef text,
                                              Recording &recording) {
  TableReader lines(text);
  std::vector<NamedRun> runs;
  uint64_t foreign = 0;
  // Some builds write microseconds.
  bool isUs = lines.has("start_time(us)");
  DecimalUnit unit =
      isUs ? DecimalUnit::Microseconds : DecimalUnit::Milliseconds;
  while (lines.next()) {
    NamedRun next;
    uint64_t duration;
    StringRef name = lines.getAny({"op_name", "kernel_name"});
    if (name.empty() ||
        lines.get("stream_id").getAsInteger(10, next.run.stream) ||
        !parseTicks(
            lines.getAny({"start_time(ms)", "start_time(us)", "start_time"}),
            unit, next.run.begin) ||
        !parseTicks(lines.getAny({"duration(ms)", "duration(us)", "duration"}),
                    unit, duration)) {
      ++foreign;
      continue;
    }
    next.run.end = next.run.begin + duration;
    next.op = recording.getOpNumber(name);
    recording.clock.see(next.run.begin);
    runs.push_back(next);
  }
  recording.addLoss("execution of output_timeline_data that is not understood",
                    foreign);
  llvm::erase_if(runs, [&](const NamedRun &run) {
    return !recording.clock.isNear(run.run.begin);
  });
  llvm::stable_sort(runs, [](const NamedRun &a, const NamedRun &b) {
    return a.run.begin < b.run.begin;
  });
  return runs;
}

void mindspore::readOpSums(StringRef text, Recording &recording) {
  TableReader lines(text);
  bool hasCount = lines.has("execution_frequency");
  uint64_t foreign = 0;
  while (lines.next()) {
    StringRef name = lines.getAny({"full_op_name", "full_kernel_name"});
    uint64_t count = 1;
    int64_t averagePs, sumPs;
    if (name.empty() ||
        !table::parseDuration(lines.getAny({"execution_time", "task_duration"}),
                              DecimalUnit::Milliseconds, averagePs) ||
        (hasCount &&
         !table::parseCount(lines.get("execution_frequency"), count)) ||
        __builtin_mul_overflow(averagePs, int64_t(count), &sumPs)) {
      ++foreign;
      continue;
    }
    recording.addTotal(recording.getOpNumber(name), count, sumPs);
  }
  if (!hasCount)
    recording.addLoss("times of one step, on average: the table does not say "
                      "how many steps ran",
                      1);
  recording.addLoss("op of aicore_intermediate that is not understood",
                    foreign);
}

//===----------------------------------------------------------------------===//
// AI CPU
//===----------------------------------------------------------------------===//

static std::vector<AiCpuEntry> readAiCpuCsv(StringRef text,
                                            Recording &recording) {
  TableReader lines(text);
  std::vector<AiCpuEntry> entries;
  uint64_t foreign = 0;
  while (lines.next()) {
    AiCpuEntry entry;
    entry.node = lines.getAny({"op_type", "kernel_type"}).str();
    if (entry.node.empty() ||
        !parseTicks(lines.get("run_start"), DecimalUnit::Microseconds,
                    entry.beginTicks) ||
        !parseTicks(lines.get("run_end"), DecimalUnit::Microseconds,
                    entry.endTicks)) {
      ++foreign;
      continue;
    }
    entry.totalUs = parseUs(lines.get("total_time"), DecimalUnit::Milliseconds);
    entry.dispatchUs =
        parseUs(lines.get("dispatch_time"), DecimalUnit::Milliseconds);
    entry.executionUs =
        parseUs(lines.get("execution_time"), DecimalUnit::Milliseconds);
    entries.push_back(std::move(entry));
  }
  recording.addLoss("AI CPU entry that is not understood", foreign);
  return entries;
}

/// "1 GetNext 0.805 0.097 0.027 43806844294.99 43806844322.08", the execution
/// from 1.3 on.
static bool parseAiCpuLine(StringRef line, AiCpuEntry &entry) {
  llvm::SmallVector<StringRef, 8> parts;
  line.split(parts, ' ', -1, /*KeepEmpty=*/false);
  unsigned serial;
  if (parts.size() < 6 || parts.size() > 7 || parts[0].getAsInteger(10, serial))
    return false;
  entry.node = parts[1].str();
  entry.totalUs = parseUs(parts[2], DecimalUnit::Milliseconds);
  entry.dispatchUs = parseUs(parts[3], DecimalUnit::Milliseconds);
  if (parts.size() == 7)
    entry.executionUs = parseUs(parts[4], DecimalUnit::Milliseconds);
  return parseTicks(parts[parts.size() - 2], DecimalUnit::Microseconds,
                    entry.beginTicks) &&
         parseTicks(parts.back(), DecimalUnit::Microseconds, entry.endTicks);
}

std::vector<AiCpuEntry> mindspore::readAiCpuTable(const RankFiles &files,
                                                  Recording &recording) {
  std::vector<AiCpuEntry> entries;
  if (files.has(FileKind::AiCpuTable)) {
    entries = readAiCpuCsv(files.getFirst(FileKind::AiCpuTable), recording);
  } else {
    // The other lines are titles and the total.
    StringRef text = files.getFirst(FileKind::AiCpuText);
    while (!text.empty()) {
      AiCpuEntry entry;
      if (parseAiCpuLine(takeLine(text).trim(), entry))
        entries.push_back(std::move(entry));
    }
  }
  for (const AiCpuEntry &entry : entries)
    recording.clock.see(entry.beginTicks);
  return entries;
}

void mindspore::readAiCpuWaitsText(StringRef text, Recording &recording) {
  WaitQueues queues;
  while (!text.empty()) {
    llvm::SmallVector<StringRef, 8> parts;
    takeLine(text).split(parts, ' ', -1, /*KeepEmpty=*/false);
    if (parts.empty())
      continue;
    if (parts.size() != 4)
      parts.assign(4, "");
    queues.add(parts[0], parts[1], parts[2], parts[3]);
  }
  queues.finish(recording);
}
