//===- EmptyQueues.cpp - Queues that the device finds empty ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// MindSpore's threshold: share of the samples.
static constexpr int64_t kEmptyPpm = 300000;
/// Fewer samples are chance.
static constexpr int64_t kLeastSamples = 4;

/// The stage that an analysis of the pipeline holds responsible; "" if none.
static std::string findSource(const Table &table) {
  for (uint32_t row = 0; row != table.size(); ++row)
    if (getNumber(table, row, "op_id") &&
        !getText(table, row, "obstacle").empty())
      return getText(table, row, "op_type").str();
  return "";
}

static Findings find(const AdviseContext &context) {
  const Table &table = context.getReport("pipeline");
  std::vector<Advice> findings;
  bool hasQueue = false;
  for (uint32_t row = 0; row != table.size(); ++row) {
    int64_t samples = getNumber(table, row, "samples").value_or(0);
    // Those with a number are between stages.
    if (samples < kLeastSamples || getNumber(table, row, "op_id"))
      continue;
    hasQueue = true;
    int64_t empty = getNumber(table, row, "empty").value_or(0);
    if (getPpm(empty, samples) < kEmptyPpm)
      continue;
    std::optional<int64_t> waitPs = getNumber(table, row, "wait");
    Advice advice = context.makeAdvice(std::nullopt);
    std::string name = getText(table, row, "op_type").str();
    addText(advice, "queue", name);
    addCount(advice, "empty", uint64_t(empty));
    addCount(advice, "samples", uint64_t(samples));
    addPpm(advice, "empty_ppm", getPpm(empty, samples));
    if (waitPs)
      addTime(advice, "wait_ps", *waitPs);
    advice.subjects.push_back({name, findSource(table), waitPs.value_or(0)});
    advice.evidence.push_back({"pipeline", {makeFilter("op_type", name)}});
    advice.evidence.push_back(
        {"queue", {makeFilter("op_type", name), "size=0"}});
    findings.push_back(std::move(advice));
  }
  if (!hasQueue)
    return std::nullopt;
  return findings;
}

AdviceRule rule::EmptyQueues() {
  return {"empty-queue",
          "the queue from which the device takes its input is often empty",
          "at least four samples of a queue into the device",
          "the queue '{queue}' is empty in {empty} of {samples} samples "
          "({empty_ppm})",
          "Speed up the stage that holds the pipeline up: more workers, "
          "batches that are prepared in advance, a faster store.",
          "samples",
          "the number of samples",
          "mlir-prof report {PROFILE} --by=pipeline",
          find};
}
