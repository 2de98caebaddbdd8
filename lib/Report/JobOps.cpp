//===- JobOps.cpp - Measured ops of training jobs -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobOps.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

int64_t JobRun::getRank() const {
  return job->rank != kNone     ? job->rank
         : job->device != kNone ? job->device
                                : number;
}

std::vector<JobRun> report::getJobRuns(const Profile &profile) {
  std::vector<JobRun> runs;
  for (auto [i, run] : llvm::enumerate(profile.runs))
    if (run.job)
      runs.push_back({uint32_t(i), &run, run.job.get()});
  return runs;
}

void report::addJobColumns(std::vector<Column> &columns,
                           const Profile &profile) {
  columns.push_back({"device", "device", ColumnKind::Number});
  columns.push_back(
      {"run", "run", ColumnKind::Number,
       profile.runs.size() > 1 ? ColumnUse::Data : ColumnUse::DataOnly});
}

void report::addJobCells(llvm::SmallVectorImpl<Cell> &cells,
                         const JobRun &where) {
  uint32_t device = where.job->device;
  cells.push_back(device == kNone ? Cell() : Cell(device));
  cells.push_back(where.number);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static OpSide getSide(Processor processor) {
  switch (processor) {
  case Processor::Gpu:
    return OpSide::Gpu;
  case Processor::Host:
    return OpSide::Host;
  case Processor::Unknown:
  case Processor::AiCore:
  case Processor::AiCpu:
  case Processor::Aiv:
  case Processor::Hccl:
  case Processor::Runtime:
    return OpSide::AiCore;
  }
  return OpSide::AiCore;
}

std::vector<JobOp> report::getJobOps(const Profile &profile, OpSide side) {
  std::vector<JobOp> ops;
  for (const JobRun &where : getJobRuns(profile)) {
    llvm::StringMap<const OpFacts *> facts;
    for (const OpFacts &op : where.job->ops)
      facts.try_emplace(where.job->getName(op.op), &op);
    for (const OpSummary &times : where.run->ops) {
      JobOp op{where, &profile.opKeys[times.op], &times, nullptr};
      op.facts = facts.lookup(op.key->op);
      // Other recordings may have a record of memory only.
      if (op.facts && getSide(op.getProcessor()) == side)
        ops.push_back(op);
    }
  }
  return ops;
}

Cell report::getProcessorCell(Processor processor) {
  switch (processor) {
  case Processor::Unknown:
    return std::nullopt;
  case Processor::AiCore:
    return "AI Core";
  case Processor::AiCpu:
    return "AI CPU";
  case Processor::Aiv:
    return "AIV";
  case Processor::Hccl:
    return "HCCL";
  case Processor::Runtime:
    return "runtime";
  case Processor::Gpu:
    return "GPU";
  case Processor::Host:
    return "host";
  }
  return std::nullopt;
}

llvm::StringRef report::getLastName(llvm::StringRef path) {
  size_t slash = path.rfind('/');
  return slash == llvm::StringRef::npos ? path : path.drop_front(slash + 1);
}

Cell report::getSubgraphCell(llvm::StringRef path) {
  llvm::StringRef first = path.split('/').first;
  return first == "Default" || first == "Gradients" ? Cell(first) : Cell();
}

std::string report::describeTensors(const JobRecord &job, const OpFacts &op) {
  if (op.tensors.empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    for (const TensorFacts &tensor : op.tensors)
      json.attributeObject(
          (tensor.isOutput ? "output_" : "input_") +
              std::to_string(tensor.index),
          [&] {
            writeText(json, "format", job.getName(tensor.format));
            writeText(json, "data_type", job.getName(tensor.type));
            json.attributeArray("shape", [&] {
              for (int64_t size : tensor.dimensions)
                json.value(size);
            });
          });
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Amounts
//===----------------------------------------------------------------------===//

int64_t report::toPpm(int64_t part, int64_t whole) {
  return whole > 0 ? int64_t((__int128(part) * 2000000 + whole) /
                             (__int128(whole) * 2))
                   : 0;
}

Cell report::getAverage(int64_t sum, uint64_t count) {
  if (count == 0)
    return std::nullopt;
  return int64_t((__int128(sum) * 2 + count) / (__int128(count) * 2));
}

Cell report::getRate(int64_t amount, int64_t timePs) {
  constexpr __int128 kPsPerSecond = 1000000000000;
  if (timePs <= 0)
    return std::nullopt;
  __int128 rate = (amount * kPsPerSecond * 2 + timePs) / (__int128(timePs) * 2);
  return int64_t(std::min<__int128>(rate, INT64_MAX));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// The ops of one type in one run.
struct TypeSum {
  JobRun where;
  uint64_t ops = 0;
  uint64_t count = 0;
  int64_t totalPs = 0;
};
} // namespace

Table report::makeTypeTable(const Profile &profile, llvm::ArrayRef<JobOp> ops) {
  std::map<std::pair<uint32_t, llvm::StringRef>, TypeSum> sums;
  std::map<uint32_t, int64_t> wholePs;
  for (const JobOp &op : ops) {
    TypeSum &sum = sums[{op.where.number, op.key->kernel}];
    sum.where = op.where;
    ++sum.ops;
    addSaturating(sum.count, op.getCount());
    addSaturating(sum.totalPs, op.getTotalPs());
    addSaturating(wholePs[op.where.number], op.getTotalPs());
  }
  std::vector<Column> columns = {
      {"op_type", "type", ColumnKind::Text},
      {"total_time_ps", "total", ColumnKind::Time},
      {"execution_frequency", "executions", ColumnKind::Count},
      {"total_percent_ppm", "share", ColumnKind::Share, ColumnUse::DataOnly},
      {"avg_time_ps", "average", ColumnKind::Time, ColumnUse::Data,
       Total::None},
      {"ops", "ops", ColumnKind::Count},
      {"execution_time_ps", "per step", ColumnKind::Time}};
  addJobColumns(columns, profile);
  Table table(columns);
  table.defaultOrder = {{1, true}, {0, false}, {8, false}};
  table.weightColumn = 1;
  for (const auto &[key, sum] : sums) {
    llvm::SmallVector<Cell> cells = {
        key.second,
        sum.totalPs,
        sum.count,
        toPpm(sum.totalPs, wholePs[key.first]),
        getAverage(sum.totalPs, sum.count),
        sum.ops,
        getAverage(sum.totalPs, sum.where.job->steps.size())};
    addJobCells(cells, sum.where);
    table.addRow(cells);
    addSaturating(table.weightTotal, sum.totalPs);
  }
  return table;
}
