//===- Pmu.cpp - Counts of floating point operations ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Decimal.h"
#include "Ascend.h"
#include "Framework.h"
#include "TableReader.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {
/// The operations that a task did, by the unit that did them.
struct TaskFlops {
  int64_t cube = 0;
  int64_t vector = 0;
};
} // namespace

/// The weights are those of MindSpore's own sum: operations of one instruction
/// of each kind. False if a count is impossible.
static bool countFlops(StringRef record, TaskFlops &flops) {
  constexpr size_t kCounters = 32;
  constexpr int64_t kCube[] = {8192, 16384};
  constexpr int64_t kVector[] = {32, 128, 64, 64, 32};
  constexpr uint64_t kMost = uint64_t(1) << 46;
  auto get = [&](size_t counter) {
    return readLittle<uint64_t>(record, kCounters + 8 * counter);
  };
  for (size_t i = 0; i != 7; ++i)
    if (get(i) > kMost)
      return false;
  for (size_t i = 0; i != std::size(kCube); ++i)
    flops.cube = saturatingAdd(flops.cube, kCube[i] * int64_t(get(i)));
  for (size_t i = 0; i != std::size(kVector); ++i)
    flops.vector =
        saturatingAdd(flops.vector, kVector[i] * int64_t(get(2 + i)));
  return true;
}

void mindspore::readPmu(llvm::ArrayRef<StringRef> slices,
                        const TaskTable &table, Recording &recording) {
  constexpr size_t kSize = 128, kTask = 6, kStream = 96;
  TaskTable::Finder finder(table, {});
  SliceReader bytes(slices);
  StringRef record;
  uint64_t nameless = 0, foreign = 0;
  while ((record = bytes.peek(kSize)).size() == kSize) {
    TaskId task = {readLittle<uint32_t>(record, kStream),
                   readLittle<uint16_t>(record, kTask)};
    uint32_t op = finder.find(task);
    TaskFlops flops;
    if (!countFlops(record, flops)) {
      ++foreign;
    } else if (op == kNone) {
      ++nameless;
    } else {
      OpFacts &facts = recording.job.ops[op];
      facts.cubeFlops = saturatingAdd(facts.cubeFlops, flops.cube);
      facts.vectorFlops = saturatingAdd(facts.vectorFlops, flops.vector);
      ++facts.counted;
    }
    bytes.skip(kSize);
  }
  recording.addLoss("counts of a task that the framework does not name",
                    nameless);
  recording.addLoss("counts of a task that are cut or impossible",
                    foreign + !record.empty());
}

/// "2240.744" millions; false if it is not a number of operations.
static bool parseMillions(StringRef text, int64_t &count) {
  json::WidePs value;
  // A million is also the number of picoseconds in a microsecond.
  if (!json::parseDecimalTime(text, json::DecimalUnit::Microseconds, value) ||
      value < 0 || value > INT64_MAX)
    return false;
  count = int64_t(value);
  return true;
}

void mindspore::readFlopsText(StringRef text, Recording &recording) {
  // From 2.0 on each unit has columns of its own.
  constexpr StringRef kAll = "MFLOPs(10^6)", kCube = "MFLOPs(10^6 cube)",
                      kVector = "MFLOPs(10^6 vector)";
  TableReader lines(text);
  bool isApart = lines.has(kCube);
  std::vector<uint64_t> runs = recording.countRuns();
  uint64_t foreign = 0, together = 0;
  while (lines.next()) {
    StringRef name = lines.get("op_full_name");
    TaskFlops flops;
    if (name.empty() ||
        !parseMillions(lines.get(isApart ? kCube : kAll), flops.cube) ||
        (isApart && !parseMillions(lines.get(kVector), flops.vector))) {
      ++foreign;
      continue;
    }
    uint32_t op = recording.getOpNumber(name);
    OpFacts &facts = recording.job.ops[op];
    facts.counted = op < runs.size() ? std::max<uint64_t>(runs[op], 1) : 1;
    facts.cubeFlops = saturatingMul(flops.cube, int64_t(facts.counted));
    facts.vectorFlops = saturatingMul(flops.vector, int64_t(facts.counted));
    together += !isApart;
  }
  recording.addLoss(
      "operations of the vector unit that are counted as those of "
      "the matrix unit, because flops_N.txt adds them up",
      together);
  recording.addLoss("op of flops_N.txt that is not understood", foreign);
  lines.finish("flops_N.txt", recording);
}
