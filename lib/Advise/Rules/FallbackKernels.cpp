//===- FallbackKernels.cpp - Kernels that are not made for speed ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Of the ops' time.
static constexpr int64_t kFallbackPpm = 20000;
/// A reference kernel is one scalar operation after the other; a tuned one, in
/// vectors, takes at most this part of its time.
static constexpr int64_t kTunedPpm = 500000;
/// A loop with a call for each number has nothing in vectors; of its time
/// polynomials in vectors take this part (measured: exp 0.09, erf 0.10, log
/// 0.17, tanh 0.02).
static constexpr int64_t kVectorPpm = 125000;
/// Of an op's time that calls must have for the rest of it to be called theirs.
static constexpr int64_t kCallingPpm = 300000;

static bool isFallback(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "reference", "ref", "fallback", "naive", "emulated"};
  return hasWord(name, kWords);
}

/// libm's functions for one number that --math=polynomial replaces, by glibc's
/// names too ("__expf_fma"). sin, cos, tan, pow and exp2 stay calls.
static bool isScalarMath(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "exp",   "expf", "expm1", "expm1f", "log",   "logf",  "log2",
      "log2f", "erf",  "erff",  "tanh",   "tanhf", "log1p", "log1pf"};
  return hasWord(name, kWords);
}

/// What runs instead of a kernel for the op; empty when that is none of these.
static llvm::StringRef getFallback(const AdviseContext &context,
                                   const OpSummary &op) {
  const OpKey &key = context.getKey(op);
  switch (key.kind) {
  case OpKeyKind::Code:
    return isScalarMath(key.kernel) ? llvm::StringRef(key.kernel) : "";
  case OpKeyKind::HloInstruction: {
    HloFinder::Found found = context.findInstruction(op);
    if (!found)
      return "";
    llvm::StringRef target = found.getInstruction().customCallTarget;
    return isFallback(target) ? target : "";
  }
  case OpKeyKind::FrameworkCall:
    if (isFallback(key.op))
      return key.op;
    [[fallthrough]];
  case OpKeyKind::FrameworkNode:
  case OpKeyKind::OnnxNode:
    return isFallback(key.kernel) ? llvm::StringRef(key.kernel) : "";
  case OpKeyKind::Probe:
  case OpKeyKind::Outside:
    return "";
  }
  return "";
}

namespace {
struct Times {
  /// Of reference and fallback kernels.
  int64_t kernelsPs = 0;
  /// In libm, and in the ops that call it around these calls.
  int64_t callsPs = 0;
  int64_t aroundPs = 0;
  /// In libm, by the op that calls it.
  std::map<uint32_t, int64_t> callers;

  int64_t getSavingPs() const {
    int64_t scalarPs = saturatingAdd(callsPs, aroundPs);
    return saturatingAdd(
        kernelsPs - scale(kernelsPs, kTunedPpm, kMillionths.ps),
        scalarPs - scale(scalarPs, kVectorPpm, kMillionths.ps));
  }
};
} // namespace

static void addCalls(const AdviseContext &context, const OpSummary &op,
                     int64_t timePs, Times &times) {
  times.callsPs = saturatingAdd(times.callsPs, timePs);
  const Ownership *ownership = context.input.report.ownership;
  if (!ownership || op.op >= ownership->matches.size())
    return;
  const Match &match = ownership->matches[op.op];
  if (match.ops.size() != 1)
    return;
  int64_t &calls = times.callers[match.ops.front()];
  calls = saturatingAdd(calls, timePs);
}

/// Adds the rest of the ops that call libm in every round of their loops.
static void addAround(const AdviseContext &context, Times &times) {
  const Attribution *attribution = context.input.report.attribution;
  for (const auto &[op, callsPs] : times.callers) {
    if (!attribution || op >= attribution->ops.size())
      continue;
    int64_t wholePs = attribution->ops[op].totalPs();
    if (getPpm(callsPs, wholePs) >= kCallingPpm)
      times.aroundPs = saturatingAdd(times.aroundPs,
                                     std::max<int64_t>(wholePs - callsPs, 0));
  }
}

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0)
    return std::nullopt;
  std::vector<Advice> findings;
  Advice advice = context.makeAdvice(std::nullopt);
  Times times;
  for (const OpSummary &op : context.merged) {
    llvm::StringRef kernel = getFallback(context, op);
    if (kernel.empty() || op.getTimePs() <= 0)
      continue;
    Subject subject = context.getSubject(op);
    if (context.getKey(op).kind == OpKeyKind::Code) {
      addCalls(context, op, subject.timePs, times);
      subject.name = kernel.str() + " in " + context.getKey(op).op;
    } else {
      times.kernelsPs = saturatingAdd(times.kernelsPs, subject.timePs);
    }
    advice.subjects.push_back(std::move(subject));
  }
  int64_t timePs = saturatingAdd(times.kernelsPs, times.callsPs);
  if (!context.isShareOfOps(timePs, kFallbackPpm))
    return findings;
  addAround(context, times);
  advice.gainPs = times.getSavingPs();
  addTime(advice, "fallback_ps", timePs);
  addPpm(advice, "fallback_ppm", getPpm(timePs, context.opTimePs));
  addTime(advice, "around_ps", times.aroundPs);
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::FallbackKernels() {
  return {"fallback-kernels",
          "reference kernels, fallbacks and scalar calls of libm do work that "
          "tuned kernels could",
          "ops with times",
          "{ops} ops run in reference or fallback kernels, or call libm for "
          "one number at a time: {fallback_ps}, {fallback_ppm} of the "
          "ops' time; the loops around such calls take {around_ps} more",
          "See why the tuned kernel does not apply (type, layout, a delegate "
          "or build option that is off); in models of one's own, take "
          "--math=polynomial.",
          "habit_sum",
          "the sum of each op's calls, without what does not come back",
          "mlir-prof report {PROFILE} --by=measured-op --top=20",
          find};
}
