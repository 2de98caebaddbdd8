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
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;

/// Of the ops' time.
static constexpr int64_t kFallbackPermille = 20;
/// A reference kernel is one scalar operation after the other; a tuned one, in
/// vectors, takes at most this part of its time.
static constexpr int64_t kTunedPermille = 500;

static bool isFallback(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "reference", "ref", "fallback", "naive", "emulated"};
  return hasWord(name, kWords);
}

/// libm's functions for one number, by glibc's names too ("__expf_fma").
static bool isScalarMath(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "exp",  "expf",  "exp2", "exp2f", "expm1", "expm1f", "log", "logf",
      "log2", "log2f", "erf",  "erff",  "tanh",  "tanhf",  "sin", "sinf",
      "cos",  "cosf",  "pow",  "powf",  "log1p", "log1pf", "tan", "tanf"};
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

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0)
    return std::nullopt;
  std::vector<Advice> findings;
  Advice advice = context.makeAdvice(std::nullopt);
  int64_t timePs = 0;
  for (const OpSummary &op : context.merged) {
    llvm::StringRef kernel = getFallback(context, op);
    if (kernel.empty() || op.getTimePs() <= 0)
      continue;
    timePs = saturatingAdd(timePs, context.getTimePs(op));
    Subject subject = context.getSubject(op);
    if (context.getKey(op).kind == OpKeyKind::Code)
      subject.name = kernel.str() + " in " + context.getKey(op).op;
    advice.subjects.push_back(std::move(subject));
  }
  if (!context.isShareOfOps(timePs, kFallbackPermille))
    return findings;
  advice.gainPs = timePs - scale(timePs, kTunedPermille, 1000);
  addTime(advice, "fallback_ps", timePs);
  addPermille(advice, "fallback_permille",
              getPermille(timePs, context.opTimePs));
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
          "one number at a time: {fallback_ps}, {fallback_permille} of the "
          "ops' time",
          "See why the tuned kernel does not apply (type, layout, a delegate "
          "or build option that is off); in models of one's own, take "
          "--math=polynomial.",
          "habit_sum",
          "the sum of each op's calls, without what does not come back",
          "mlir-prof report {PROFILE} --by=op --top=20",
          find};
}
