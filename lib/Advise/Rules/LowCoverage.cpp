//===- LowCoverage.cpp - Gaps in the profile itself -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Share of the time of ops without an owner: above it, tables of the module
/// mislead.
static constexpr int64_t kUnownedPpm = 100000;

namespace {
struct Unowned {
  int64_t partialPs = 0;
  int64_t unmatchedPs = 0;
};
} // namespace

/// Whether no module could own it, according to Match's reasons.
static bool isOfFramework(const Match &match) {
  return match.reason == "the framework's own work around ops" ||
         match.reason == "part of the optimizer's step";
}

/// Measured ops that the module should own; ops outside of the model, and a
/// framework's work around ops, do not belong to any of its ops.
static Unowned getUnowned(const AdviseContext &context, Advice &advice) {
  Unowned sum;
  const Ownership *ownership = context.input.report.ownership;
  if (!ownership)
    return sum;
  for (const OpSummary &op : context.merged) {
    if (op.op >= ownership->matches.size() || op.getTimePs() <= 0 ||
        context.getTraits(op).isOutside)
      continue;
    const Match &match = ownership->matches[op.op];
    MatchClass found = match.matchClass;
    bool lacksOwner =
        found == MatchClass::Partial || found == MatchClass::Unmatched;
    if (!lacksOwner || isOfFramework(match))
      continue;
    int64_t &part =
        found == MatchClass::Partial ? sum.partialPs : sum.unmatchedPs;
    part = saturatingAdd(part, op.getTimePs());
    Subject subject = context.getSubject(op);
    subject.timePs = op.getTimePs();
    subject.location = match.reason;
    advice.subjects.push_back(std::move(subject));
  }
  return sum;
}

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0 || !context.input.report.ownership)
    return std::nullopt;
  // It does not say what could be faster, so it does not have a gain.
  Advice advice = context.makeAdvice(std::nullopt);
  Unowned unowned = getUnowned(context, advice);
  int64_t unownedPs = saturatingAdd(unowned.partialPs, unowned.unmatchedPs);
  std::vector<Advice> findings;
  if (!context.isShareOfOps(unownedPs, kUnownedPpm))
    return findings;
  addTime(advice, "unmatched_ps", unowned.unmatchedPs);
  addTime(advice, "partial_ps", unowned.partialPs);
  addPpm(advice, "unowned_ppm", getPpm(unownedPs, context.opTimePs));
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::LowCoverage() {
  return {
      "low-coverage",
      "much of the time does not belong to an op of the module",
      "ops with times, and a module",
      "{unowned_ppm} of the ops' time does not have a certain owner in the "
      "module ({unmatched_ps} none, {partial_ps} only a part), for the reasons "
      "next to the ops",
      "Remove the causes that the reasons name: use a module with its "
      "locations, or the one that was run. Until then, other advice is based "
      "on the rest of the time only.",
      "sum",
      "the sum of all calls, outliers included",
      "mlir-prof report {PROFILE} --by=measured-op --filter=class=unmatched",
      find};
}
