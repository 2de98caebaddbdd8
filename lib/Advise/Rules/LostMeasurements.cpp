//===- LostMeasurements.cpp - Time that no op received --------------------===//
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
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Ratio of the losses' time to that of all ops.
static constexpr int64_t kLostPpm = 50000;

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0)
    return std::nullopt;
  // It does not say what could be faster, so it does not have a gain.
  Advice advice = context.makeAdvice(std::nullopt);
  int64_t lostPs = 0;
  uint64_t count = 0;
  for (const Run &run : context.profile.runs)
    for (const Loss &loss : run.losses)
      if (loss.timePs > 0) {
        lostPs = saturatingAdd(lostPs, loss.timePs);
        count += loss.count;
        advice.subjects.push_back({loss.name, "", loss.timePs});
      }
  std::vector<Advice> findings;
  if (!context.isShareOfOps(lostPs, kLostPpm))
    return findings;
  addTime(advice, "lost_ps", lostPs);
  addPpm(advice, "lost_ppm", getPpm(lostPs, context.opTimePs));
  addCount(advice, "lost", count);
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::LostMeasurements() {
  return {"lost-measurements",
          "many measurements could not be kept or placed",
          "ops with times",
          "{lost} measurements with {lost_ps}, as much as {lost_ppm} of the "
          "ops' time, are lost",
          "Follow the hints of the losses, or record again on a quiet machine "
          "without the causes that they name. Other advice is based on the "
          "rest of the time only.",
          "sum",
          "the sum of all losses",
          "mlir-prof report {PROFILE} --by=measured-op",
          find};
}
