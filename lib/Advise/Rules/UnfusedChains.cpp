//===- UnfusedChains.cpp - Memory-bound chains that are not fused ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Flow.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::trace;

/// Minimum share of a chain in the time of the ops.
static constexpr int64_t kHotPpm = 20000;
/// Minimum gain of a chain, as a share.
static constexpr int64_t kGainPpm = 5000;

/// The only op that uses the result of `op` in `flow`; kNone without one, or if
/// others use the result too, so that it must be stored anyway.
static uint32_t getNext(const Flow &flow, uint32_t op) {
  llvm::ArrayRef<uint32_t> users = flow.ops[op].users;
  if (users.size() != 1 || users.front() == kNone)
    return kNone;
  const FlowOp &next = flow.ops[users.front()];
  return next.isMemoryBound && !flow.isFused(op, users.front()) ? users.front()
                                                                : kNone;
}

/// The longest chains, each as positions in `flow`; an op is in only one.
static std::vector<std::vector<uint32_t>> findChains(const Flow &flow) {
  std::vector<uint32_t> next(flow.ops.size(), kNone);
  std::vector<bool> hasPrevious(flow.ops.size());
  for (uint32_t op = 0; op < flow.ops.size(); ++op) {
    if (!flow.ops[op].isMemoryBound)
      continue;
    uint32_t after = getNext(flow, op);
    if (after == kNone || after == op || hasPrevious[after])
      continue;
    next[op] = after;
    hasPrevious[after] = true;
  }
  std::vector<std::vector<uint32_t>> chains;
  for (uint32_t op = 0; op < flow.ops.size(); ++op) {
    // Rings, which only a broken module has, do not have a begin.
    if (hasPrevious[op] || next[op] == kNone)
      continue;
    std::vector<uint32_t> &chain = chains.emplace_back();
    for (uint32_t at = op; at != kNone; at = next[at])
      chain.push_back(at);
  }
  return chains;
}

static Findings find(const AdviseContext &context) {
  std::optional<Flow> flow = getFlow(context);
  if (!flow)
    return std::nullopt;
  std::vector<Advice> findings;
  for (const std::vector<uint32_t> &chain : findChains(*flow)) {
    int64_t sumPs = 0, longestPs = 0;
    Advice advice = context.makeAdvice(std::nullopt);
    for (uint32_t op : chain) {
      const Subject &subject = flow->ops[op].subject;
      sumPs = saturatingAdd(sumPs, subject.timePs);
      longestPs = std::max(longestPs, subject.timePs);
      advice.subjects.push_back(subject);
      if (flow->ops[op].position != kNone)
        advice.ops.push_back(flow->ops[op].position);
    }
    advice.gainPs = saturatingSub(sumPs, longestPs);
    if (!context.isShareOfOps(sumPs, kHotPpm) ||
        !context.isShareOfOps(*advice.gainPs, kGainPpm))
      continue;
    addTime(advice, "time_ps", sumPs);
    addPpm(advice, "share_ppm", getPpm(sumPs, context.opTimePs));
    addTime(advice, "longest_ps", longestPs);
    keepHottest(advice);
    findings.push_back(std::move(advice));
  }
  return findings;
}

AdviceRule rule::UnfusedChains() {
  return {"memory-bound-chain-not-fused",
          "memory-bound ops pass their results on through memory",
          "the HLO modules in a recording of XLA; or a recording of mlir-prof "
          "record with the machine's peak, and its module",
          "{ops} memory-bound ops, each the only user of the one before, run "
          "separately: {time_ps} ({share_ppm} of the ops' time); the longest "
          "alone takes {longest_ps}",
          "Fuse them, so that intermediate results stay in registers; remove "
          "ops that only change layout or precision.",
          "habit_sum",
          "the sum of each op's calls, without time that does not recur; in "
          "recordings of mlir-prof record, the sum of all iterations",
          "mlir-prof optimize {MODEL} --profile={PROFILE} --technique=fusion "
          "-o fused.mlir",
          find,
          {"fusion with=all"},
          "mlir-prof report {PROFILE} --by=measured-op --top=20"};
}
