//===- FullQueues.cpp - Queues that the next stage leaves full ------------===//
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

/// MindSpore's threshold: mean share of the queue that is in use.
static constexpr int64_t kUsePpm = 800000;
static constexpr int64_t kLeastSamples = 4;

/// The name of the stage with this number.
static std::string findStage(const Table &table, int64_t number) {
  for (uint32_t row = 0; row != table.size(); ++row)
    if (getNumber(table, row, "op_id") == number)
      return getText(table, row, "op_type").str();
  return "stage " + std::to_string(number);
}

static Findings find(const AdviseContext &context) {
  const Table &table = context.getReport("pipeline");
  std::vector<Advice> findings;
  bool hasQueue = false;
  for (uint32_t row = 0; row != table.size(); ++row) {
    std::optional<int64_t> number = getNumber(table, row, "op_id");
    std::optional<int64_t> parent = getNumber(table, row, "parent");
    std::optional<int64_t> use = getNumber(table, row, "use_ppm");
    if (!number || !parent || !use ||
        getNumber(table, row, "samples").value_or(0) < kLeastSamples)
      continue;
    hasQueue = true;
    if (*use <= kUsePpm)
      continue;
    Advice advice = context.makeAdvice(std::nullopt);
    std::string name = getText(table, row, "op_type").str();
    std::string next = findStage(table, *parent);
    addText(advice, "stage", name);
    addText(advice, "next", next);
    addPpm(advice, "use_ppm", *use);
    advice.subjects.push_back({next, "", 0});
    advice.evidence.push_back(
        {"pipeline",
         {"op_id=" + std::to_string(*number) + "|" + std::to_string(*parent)}});
    findings.push_back(std::move(advice));
  }
  if (!hasQueue)
    return std::nullopt;
  return findings;
}

AdviceRule rule::FullQueues() {
  return {"full-queue",
          "a queue between stages of the input is full: the next stage is slow",
          "at least four samples of a queue between stages of the input",
          "the queue of '{stage}' is filled to {use_ppm} on average: '{next}' "
          "takes its elements too slowly",
          "Give the next stage more workers, or take some from this one.",
          "samples",
          "the mean of all samples",
          "mlir-prof report {PROFILE} --by=pipeline",
          find};
}
