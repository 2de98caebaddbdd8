//===- StepPhases.cpp - Phases of the steps of a profile ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepPhases.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

StepPhases advise::getStepPhases(const AdviseContext &context) {
  const Table &table = context.getReport("step-trace");
  std::map<llvm::StringRef, int64_t> firsts;
  for (uint32_t row = 0; row != table.size(); ++row) {
    int64_t step = getNumber(table, row, "step").value_or(0);
    auto [it, isNew] = firsts.try_emplace(getText(table, row, "source"), step);
    if (!isNew)
      it->second = std::min(it->second, step);
  }
  StepPhases phases;
  for (uint32_t row = 0; row != table.size(); ++row) {
    if (getNumber(table, row, "step") == firsts[getText(table, row, "source")])
      continue;
    ++phases.steps;
    addSaturating(phases.totalPs, getNumber(table, row, "total").value_or(0));
    addSaturating(phases.intervalPs,
                  getNumber(table, row, "interval").value_or(0));
    addSaturating(phases.tailPs, getNumber(table, row, "tail").value_or(0));
  }
  return phases;
}
