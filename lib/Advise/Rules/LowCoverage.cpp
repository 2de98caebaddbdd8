//===- LowCoverage.cpp - What the profile itself does not tell ------------===//
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

/// Time of ops without an owner, of all: then tables of the module mislead.
static constexpr int64_t kUnownedPermille = 100;
/// Time that losses carried, to that of all ops.
static constexpr int64_t kLostPermille = 50;

namespace {
struct Unowned {
  int64_t partialPs = 0;
  int64_t nonePs = 0;
};
} // namespace

/// Measured ops that the module should own; what ran outside of the model
/// belongs to none of its ops.
static Unowned getUnowned(const AdviseContext &context, Advice &advice) {
  Unowned sum;
  const Ownership *ownership = context.input.report.ownership;
  if (!ownership)
    return sum;
  for (const OpSummary &op : context.merged) {
    if (op.op >= ownership->matches.size() || op.getTimePs() <= 0 ||
        context.getKey(op).kind == OpKeyKind::Outside)
      continue;
    MatchClass found = ownership->matches[op.op].matchClass;
    if (found != MatchClass::Partial && found != MatchClass::None)
      continue;
    int64_t &part = found == MatchClass::Partial ? sum.partialPs : sum.nonePs;
    part = saturatingAdd(part, op.getTimePs());
    Subject subject = context.getSubject(op);
    subject.location = ownership->matches[op.op].reason;
    advice.subjects.push_back(std::move(subject));
  }
  return sum;
}

static int64_t getLostPs(const Profile &profile, Advice &advice) {
  int64_t lostPs = 0;
  for (const Run &run : profile.runs)
    for (const Loss &loss : run.losses)
      if (loss.timePs > 0) {
        lostPs = saturatingAdd(lostPs, loss.timePs);
        advice.subjects.push_back({loss.name, "", loss.timePs});
      }
  return lostPs;
}

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0)
    return std::nullopt;
  // It does not say what could be faster, so there is no gain.
  Advice advice = context.makeAdvice(std::nullopt);
  Unowned unowned = getUnowned(context, advice);
  int64_t lostPs = getLostPs(context.profile, advice);
  int64_t unownedPs = saturatingAdd(unowned.partialPs, unowned.nonePs);
  std::vector<Advice> findings;
  if (!context.isShareOfOps(unownedPs, kUnownedPermille) &&
      !context.isShareOfOps(lostPs, kLostPermille))
    return findings;
  addTime(advice, "none_ps", unowned.nonePs);
  addTime(advice, "partial_ps", unowned.partialPs);
  addPermille(advice, "unowned_permille",
              getPermille(unownedPs, context.opTimePs));
  addTime(advice, "lost_ps", lostPs);
  addPermille(advice, "lost_permille", getPermille(lostPs, context.opTimePs));
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::LowCoverage() {
  return {"low-coverage",
          "much of the time is of no op of the module, or was lost",
          "ops with times",
          "{unowned_permille} of the ops' time have no certain owner in the "
          "module ({none_ps} none, {partial_ps} only a part); losses carried "
          "{lost_ps}, {lost_permille} of it",
          "Give the module that was run, with its locations; record again on a "
          "quiet machine and without what was lost. Other advice rests on the "
          "rest only.",
          "mlir-prof report {PROFILE} --by=op --filter=class=none",
          find};
}
