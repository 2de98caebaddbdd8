//===- Clusters.cpp - The report of ranks ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSums.h"
#include "../MemoryUse.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
/// The steps of a rank, added up.
struct Rank {
  uint32_t run = 0;
  /// None if the recording is not of a rank.
  std::optional<int64_t> number;
  uint64_t steps = 0;
  int64_t totalPs = 0;
  int64_t intervalPs = 0;
  int64_t passesPs = 0;
  int64_t tailPs = 0;
  bool hasPhases = false;
  LinkSum links;
  bool hasLinks = false;
  uint64_t peakBytes = 0;
  int64_t flops = 0;
};
} // namespace

static void addSteps(const Run &run, Rank &rank) {
  rank.hasPhases = run.job && !run.job->steps.empty();
  if (!rank.hasPhases) {
    rank.steps = run.steps.size();
    for (const Step &step : run.steps)
      addSaturating(rank.totalPs, step.durationPs);
    return;
  }
  rank.steps = run.job->steps.size();
  for (const StepPoints &step : run.job->steps) {
    addSaturating(rank.totalPs, step.endPs - step.beginPs);
    addSaturating(rank.intervalPs, step.firstPs - step.beginPs);
    addSaturating(rank.passesPs, step.lastPs - step.firstPs);
    addSaturating(rank.tailPs, step.endPs - step.lastPs);
  }
}

/// The rank of a run, if its recording is of one: of a training job, or of
/// several processes that PyTorch's distributedInfo tells apart.
static std::optional<int64_t> findRank(uint32_t number, const Run &run) {
  if (run.job && run.job->isOfTrainingJob())
    return JobRun{number, &run, run.job.get()}.getRank();
  for (const auto &[key, text] : run.facts) {
    if (key != "distributedInfo")
      continue;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (!value)
      llvm::consumeError(value.takeError());
    else if (const llvm::json::Object *object = value->getAsObject())
      return object->getInteger("rank");
  }
  return std::nullopt;
}

static void addJob(const Run &run, Rank &rank) {
  for (const LinkTransfer &transfer : run.job->transfers) {
    rank.links.add(transfer);
    rank.hasLinks = true;
  }
  for (const MemoryPlan &plan : run.job->memory) {
    std::vector<NodeMemory> use = getMemoryUse(plan);
    uint32_t peak = findPeak(use);
    if (peak != kNone)
      rank.peakBytes = std::max(rank.peakBytes, use[peak].liveBytes);
  }
}

/// The ranks: one for each run with steps.
static std::vector<Rank> getRanks(const Profile &profile) {
  std::vector<Rank> ranks;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    const Run &run = profile.runs[i];
    Rank rank;
    rank.run = i;
    rank.number = findRank(i, run);
    addSteps(run, rank);
    if (run.job)
      addJob(run, rank);
    for (const OpSummary &op : run.ops)
      addSaturating(rank.flops, op.getSum(Quantity::Flops));
    if (rank.steps)
      ranks.push_back(rank);
  }
  return ranks;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table(
      {{"rank", "rank", ColumnKind::Number},
       {"steps", "steps", ColumnKind::Count},
       {"step_ps", "step", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"mean_ppm", "of mean", ColumnKind::Ratio},
       {"interval_ps", "interval", ColumnKind::Time, ColumnUse::Data,
        Total::None},
       {"passes_ps", "passes", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"tail_ps", "tail", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"communication_ps", "transfer", ColumnKind::Time, ColumnUse::Data,
        Total::None},
       {"wait_ps", "wait", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"peak_bytes", "peak bytes", ColumnKind::Count, ColumnUse::Data,
        Total::Most},
       {"flops", "flops", ColumnKind::Count, ColumnUse::Data, Total::None},
       {"source", "recording", ColumnKind::Text},
       {"run", "run", ColumnKind::Number, ColumnUse::DataOnly}});
  table.defaultOrder = {{0, false}, {12, false}};
  std::vector<Rank> ranks = getRanks(input.profile);
  __int128 meansPs = 0;
  for (const Rank &rank : ranks)
    meansPs += rank.totalPs / int64_t(rank.steps);
  for (const Rank &rank : ranks) {
    auto perStep = [&](int64_t sum, bool isKnown) {
      return isKnown ? getAverage(sum, rank.steps) : Cell();
    };
    int64_t stepPs = rank.totalPs / int64_t(rank.steps);
    table.addRow({rank.number ? Cell(*rank.number) : Cell(), rank.steps,
                  perStep(rank.totalPs, true),
                  meansPs > 0 ? Cell(int64_t(__int128(stepPs) * 1000000 *
                                             __int128(ranks.size()) / meansPs))
                              : Cell(),
                  perStep(rank.intervalPs, rank.hasPhases),
                  perStep(rank.passesPs, rank.hasPhases),
                  perStep(rank.tailPs, rank.hasPhases),
                  perStep(rank.links.timePs, rank.hasLinks),
                  perStep(rank.links.waitPs, rank.hasLinks),
                  rank.peakBytes ? Cell(rank.peakBytes) : Cell(),
                  perStep(rank.flops, rank.flops != 0),
                  input.profile.runs[rank.run].source, rank.run});
  }
  return table;
}

ReportKind report::Clusters() {
  return {"cluster",
          "ranks, or recordings with steps: means of a step, against the mean "
          "of all",
          Needs::Profile, build};
}
