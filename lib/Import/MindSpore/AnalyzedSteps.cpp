//===- AnalyzedSteps.cpp - Steps and transfers of MindSpore's own analysis ===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Decimal.h"
#include "../Common/Table/Totals.h"
#include "Analyzed.h"
#include "TableReader.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

using json::DecimalUnit;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
struct PointNames {
  uint32_t first = kNone;
  uint32_t last = kNone;
  uint32_t end = kNone;
};
} // namespace

static PointNames readPointInfo(StringRef text, Recording &recording) {
  PointNames names;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return names;
  }
  const llvm::json::Object *points = parsed->getAsObject();
  const llvm::json::Array *ofSteps = parsed->getAsArray();
  if (ofSteps && !ofSteps->empty())
    points = ofSteps->front().getAsObject();
  if (!points)
    return names;
  auto get = [&](StringRef name) {
    return recording.addName(points->getString(name).value_or(""));
  };
  names.first = get("fp_start");
  names.last = get("bp_end");
  names.end = get("iter_end");
  return names;
}

/// A point in ticks; false if it is not a number, or too large.
static bool parsePoint(StringRef text, uint64_t ticks, uint64_t &point) {
  return !text.getAsInteger(10, point) &&
         !__builtin_mul_overflow(point, ticks, &point);
}

/// The collectives in a row: "stream_11_0_AllReduce-op90" is one if the columns
/// of its points follow.
static void addCollectives(const TableReader &lines, int64_t step,
                           uint64_t ticks, Recording &recording) {
  for (StringRef column : lines.getNames()) {
    StringRef name = column;
    if (!name.consume_front("stream_") || !name.consume_back("_start_point"))
      continue;
    Collective collective;
    collective.step = step;
    uint64_t begin, end;
    StringRef prefix = column.drop_back(StringRef("_start_point").size());
    if (name.consumeInteger(10, collective.stream) ||
        !parsePoint(lines.get(column), ticks, begin) ||
        !parsePoint(lines.get((prefix + "_end_point").str()), ticks, end) ||
        begin > end || begin == 0)
      continue;
    uint32_t ordinal;
    (void)(name.consume_front("_") && !name.consumeInteger(10, ordinal) &&
           name.consume_front("_"));
    collective.op = recording.addName(name);
    collective.beginPs = recording.clock.toPs(begin);
    collective.endPs = recording.clock.toPs(end);
    recording.addCollective(collective);
  }
}

void mindspore::readStepTable(const RankFiles &files, uint64_t ticks,
                              Recording &recording) {
  PointNames names;
  if (files.has(FileKind::PointInfo))
    names = readPointInfo(files.getFirst(FileKind::PointInfo), recording);
  TableReader lines(files.getFirst(FileKind::StepTable));
  uint64_t foreign = 0;
  while (lines.next()) {
    // The last row holds means.
    StringRef number = lines.get("step_num");
    if (number == "-")
      continue;
    StepPoints step;
    uint64_t begin, end, first, last;
    bool isRead = !number.getAsInteger(10, step.number) &&
                  parsePoint(lines.get("start_point"), ticks, begin) &&
                  parsePoint(lines.get("end_point"), ticks, end) &&
                  parsePoint(lines.get("fp_point"), ticks, first);
    // Inference does not have a backward pass.
    if (!isRead ||
        (lines.has("bp_point") ? !parsePoint(lines.get("bp_point"), ticks, last)
                               : (last = end, false)) ||
        begin > first || first > last || last > end) {
      ++foreign;
      continue;
    }
    recording.clock.see(begin);
    step.beginPs = recording.clock.toPs(begin);
    step.firstPs = recording.clock.toPs(first);
    step.lastPs = recording.clock.toPs(last);
    step.endPs = recording.clock.toPs(end);
    step.firstOp = names.first;
    step.lastOp = names.last;
    step.endOp = names.end;
    recording.addStep(step);
    addCollectives(lines, step.number, ticks, recording);
  }
  recording.addLoss("step of step_trace_raw that is not understood", foreign);
  lines.finish("step_trace_raw", recording);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A number of milliseconds or of kilobytes, times `scale`.
static int64_t scaleNumber(const llvm::json::Value &value, double scale) {
  double number = value.getAsNumber().value_or(0) * scale + 0.5;
  constexpr double kMost = 9e18;
  return number > 0 && number < kMost ? int64_t(number) : 0;
}

/// {"1-0": {"SDMA": [ms, KB, KB/s]}} of an operator in a step.
static void addLinks(const llvm::json::Object &links, int64_t step, uint32_t op,
                     Recording &recording) {
  constexpr double kPsPerMs = 1e9, kBytesPerKb = 1e3;
  for (const auto &[link, value] : links) {
    const llvm::json::Object *kinds = value.getAsObject();
    auto [source, destination] = StringRef(link).split('-');
    LinkTransfer transfer;
    if (!kinds || source.getAsInteger(10, transfer.source) ||
        destination.getAsInteger(10, transfer.destination))
      continue;
    transfer.step = step;
    transfer.op = op;
    for (const auto &[kind, numbers] : *kinds) {
      const llvm::json::Array *array = numbers.getAsArray();
      if (!array || array->size() < 2)
        continue;
      transfer.kind = StringRef(kind) == "SDMA"   ? LinkKind::Sdma
                      : StringRef(kind) == "RDMA" ? LinkKind::Rdma
                                                  : LinkKind::Unknown;
      transfer.durationPs = scaleNumber((*array)[0], kPsPerMs);
      transfer.bytes = uint64_t(scaleNumber((*array)[1], kBytesPerKb));
      recording.job.transfers.push_back(transfer);
    }
  }
}

/// {"allReduce_1": [step, cost, wait, links]}.
static void addOperators(const llvm::json::Object &operators, int64_t step,
                         Recording &recording) {
  constexpr double kPsPerMs = 1e9;
  for (const auto &[name, value] : operators) {
    const llvm::json::Array *parts = value.getAsArray();
    if (!parts || parts->size() < 4)
      continue;
    uint32_t op = recording.addName(StringRef(name));
    LinkTransfer wait;
    wait.step = step;
    wait.op = op;
    // The table has the sum over all links only.
    wait.source = wait.destination = kNone;
    wait.kind = LinkKind::Wait;
    wait.durationPs = scaleNumber((*parts)[2], kPsPerMs);
    if (wait.durationPs)
      recording.job.transfers.push_back(wait);
    if (const llvm::json::Object *links = (*parts)[3].getAsObject())
      addLinks(*links, step, op, recording);
  }
}

void mindspore::readHcclTable(StringRef text, Recording &recording) {
  TableReader lines(text);
  uint64_t foreign = 0;
  while (lines.next()) {
    StringRef number = lines.get("step_num");
    if (number == "-")
      continue;
    int64_t step;
    llvm::Expected<llvm::json::Value> operators =
        llvm::json::parse(lines.get("communication_operator_cost"));
    bool isRead =
        !number.getAsInteger(10, step) && operators && operators->getAsObject();
    if (isRead)
      addOperators(*operators->getAsObject(), step, recording);
    if (!operators)
      llvm::consumeError(operators.takeError());
    foreign += !isRead;
  }
  recording.addLoss("step of hccl_raw that is not understood", foreign);
  lines.finish("hccl_raw", recording);
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

void mindspore::readPipelineTable(StringRef text, Recording &recording) {
  constexpr int64_t kPsPerMs = 1000000000;
  TableReader lines(text);
  uint64_t foreign = 0;
  while (lines.next()) {
    Queue queue;
    if (lines.get("op_id").getAsInteger(10, queue.id)) {
      ++foreign;
      continue;
    }
    queue.name = recording.addName(lines.get("op_type"));
    if (lines.get("num_workers").getAsInteger(10, queue.workers))
      queue.workers = 0;
    queue.sizes = parseList<uint64_t>(lines.get("output_queue_size"));
    if (lines.get("output_queue_length").getAsInteger(10, queue.capacity))
      queue.capacity = 0;
    int64_t interval;
    if (!lines.get("sample_interval").getAsInteger(10, interval) &&
        interval > 0)
      queue.intervalPs = saturatingMul(interval, kPsPerMs);
    for (uint64_t child : parseList<uint64_t>(lines.get("children_id")))
      queue.children.push_back(uint32_t(std::min<uint64_t>(child, kNone)));
    recording.job.queues.push_back(std::move(queue));
  }
  recording.addLoss("stage of minddata_pipeline_raw that is not understood",
                    foreign);
  lines.finish("minddata_pipeline_raw", recording);
}
