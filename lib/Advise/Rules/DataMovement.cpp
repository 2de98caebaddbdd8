//===- DataMovement.cpp - Layout changes and copies -----------------------===//
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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Share of the ops' time; nearly every model moves some data.
static constexpr int64_t kMovedPpm = 50000;

/// Whether an op type or kernel only moves data.
static bool isMovement(llvm::StringRef type) {
  static constexpr llvm::StringLiteral kMoves[] = {
      "transpose",  "copy",    "memcpy", "reorder", "pad",   "clone",
      "contiguous", "permute", "pack",   "unpack",  "layout"};
  // A transposed convolution or product computes.
  static constexpr llvm::StringLiteral kComputes[] = {
      "conv", "convolution", "conv2", "conv3", "gemm",  "matmul",
      "mm",   "mat",         "dot",   "pool",  "sparse"};
  return hasWord(type, kMoves) && !hasWord(type, kComputes);
}

static bool isHloMovement(llvm::StringRef opcode) {
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"copy", "transpose", "pad", "reshape", "slice"}, true)
      .Default(false);
}

/// Whether the measured op only moves data.
static bool isMovement(const AdviseContext &context, const OpSummary &op) {
  auto [index, instruction] = context.findInstruction(op);
  if (index) {
    const HloModule &module = index->getModule();
    llvm::SmallVector<uint32_t> members = index->getMembers(instruction);
    return !members.empty() && llvm::all_of(members, [&](uint32_t member) {
      return isHloMovement(module.instructions[member].opcode);
    });
  }
  return isMovement(context.getTraits(op).opType);
}

/// Adds the ops of the module whose code was measured; returns the number of
/// measurements.
static uint64_t addModuleOps(const ReportInput &input, Advice &advice) {
  uint64_t measured = 0;
  for (auto [op, time] :
       llvm::zip_equal(input.ownership->ops, input.attribution->ops))
    if (time.totalPs() > 0 && isMovement(op.op)) {
      advice.subjects.push_back({op.op, getPlace(op).str(), time.totalPs()});
      measured += time.count;
    }
  return measured;
}

static Findings find(const AdviseContext &context) {
  const ReportInput &input = context.input.report;
  Advice advice = context.makeAdvice(std::nullopt);
  uint64_t measured = 0;
  if (!context.profile.programs.empty()) {
    if (!input.ownership || !input.attribution)
      return std::nullopt;
    measured = addModuleOps(input, advice);
  }
  int64_t measuredPs = 0;
  for (const OpSummary &op : context.merged)
    if (isMovement(context, op) && op.getTimePs() > 0) {
      advice.subjects.push_back(context.getSubject(op));
      measured += op.getCount();
      measuredPs = saturatingAdd(measuredPs, op.getTimePs());
    }
  if (context.opTimePs <= 0)
    return std::nullopt;
  std::vector<Advice> findings;
  int64_t movedPs = 0;
  for (const Subject &subject : advice.subjects)
    movedPs = saturatingAdd(movedPs, subject.timePs);
  if (!context.isShareOfOps(movedPs, kMovedPpm))
    return findings;
  advice.gainPs = movedPs;
  addTime(advice, "moved_ps", movedPs);
  addPpm(advice, "moved_ppm", getPpm(movedPs, context.opTimePs));
  addCount(advice, "measurements", measured);
  addTime(advice, "stalls_ps", std::max<int64_t>(measuredPs - movedPs, 0));
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::DataMovement() {
  return {
      "layout-changes-and-copies",
      "transposes, copies, reorders and paddings take much of the time",
      "ops whose type or kernel is known",
      "{ops} ops that only move data take {moved_ps}, {moved_ppm} of "
      "the ops' time, measured {measurements} times; outliers of {stalls_ps} "
      "are left out",
      "Let neighbors agree on one layout, store weights in the layout that "
      "their kernel reads, and pad or copy once outside of the loop.",
      "habit_sum",
      "the sum of each op's calls, without time that does not recur",
      "mlir-prof report {PROFILE} --by=measured-op-type",
      find};
}
