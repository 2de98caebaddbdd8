//===- PageFaults.cpp - Memory that is mapped again and again -------------===//
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
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Of the ops' time.
static constexpr int64_t kFaultPpm = 20000;
/// What the kernel needs to map and clear a page of 4 KiB, at least: of
/// recordings that did not measure it.
static constexpr int64_t kPerFaultPs = 500 * 1000;
/// An iteration with fewer reuses its memory.
static constexpr uint64_t kFaultsPerIteration = 16;

/// Whether a symbol of the kernel or of libc serves, or causes, page faults.
static bool isFaultSymbol(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kParts[] = {
      "page_fault",      "clear_page",   "clear_huge_page",
      "handle_mm_fault", "do_anonymous", "do_fault",
      "user_addr_fault", "zap_pte",      "unmap_vmas",
      "free_unref_page", "unmap_region", "get_page_from_free",
      "munmap",          "madvise"};
  return llvm::any_of(
      kParts, [&](llvm::StringRef part) { return name.contains(part); });
}

/// Whether the key names a symbol of the system that serves page faults, or one
/// that was called by such: locks, lists and accounting are part of a fault.
static bool isFault(const OpKey &key) {
  bool isSystem = key.kind == OpKeyKind::Outside ||
                  key.kind == OpKeyKind::FrameworkNode ||
                  key.kind == OpKeyKind::FrameworkCall;
  return isSystem &&
         (isFaultSymbol(key.op) || llvm::any_of(key.call.scope, isFaultSymbol));
}

namespace {
struct Faults {
  uint64_t faults = 0;
  uint64_t iterations = 0;
  /// Of the faults, by what one of them cost where they were counted.
  int64_t costPs = 0;
  /// Time in the kernel, of our own recordings.
  int64_t kernelPs = 0;
};
} // namespace

/// The fact `name` of a run as a number, where it is one.
static std::optional<uint64_t> getNumber(const Run &run, llvm::StringRef name) {
  uint64_t number = 0;
  for (const auto &[key, value] : run.facts)
    if (key == name && !llvm::StringRef(value).getAsInteger(10, number))
      return number;
  return std::nullopt;
}

/// A fact may be any number that 64 bits hold.
static int64_t toSigned(uint64_t number) {
  return int64_t(std::min<uint64_t>(number, INT64_MAX));
}

static Faults countFaults(const Profile &profile) {
  Faults sum;
  for (const Run &run : profile.runs) {
    auto faults = getNumber(run, "page faults");
    if (isOwnRecording(run) && faults) {
      int64_t costPs = toSigned(
          getNumber(run, "picoseconds a page fault").value_or(kPerFaultPs));
      sum.faults = llvm::SaturatingAdd(sum.faults, *faults);
      sum.iterations += run.iterations.count;
      sum.costPs =
          saturatingAdd(sum.costPs, scale(costPs, toSigned(*faults), 1));
    }
    for (const EventSummary &event : run.events)
      if (isOwnRecording(run) && event.name < profile.strings.size() &&
          profile.strings[event.name] == "kernel")
        sum.kernelPs = saturatingAdd(sum.kernelPs, getHabitPs(event.total));
  }
  return sum;
}

static Findings find(const AdviseContext &context) {
  Advice advice = context.makeAdvice(std::nullopt);
  int64_t symbolsPs = 0;
  for (const OpSummary &op : context.merged)
    if (isFault(context.getKey(op))) {
      symbolsPs = saturatingAdd(symbolsPs, context.getTimePs(op));
      advice.subjects.push_back(context.getSubject(op));
    }
  Faults counted = countFaults(context.profile);
  if (advice.subjects.empty() && counted.iterations == 0)
    return std::nullopt;
  // Without symbols, what the faults must have cost, of the kernel's time.
  bool isMany = counted.iterations != 0 &&
                counted.faults / counted.iterations >= kFaultsPerIteration;
  int64_t countedPs = isMany ? std::min(counted.kernelPs, counted.costPs) : 0;
  std::vector<Advice> findings;
  int64_t faultPs = std::max(symbolsPs, countedPs);
  if (!context.isShareOfOps(faultPs, kFaultPpm))
    return findings;
  advice.gainPs = faultPs;
  addTime(advice, "fault_ps", faultPs);
  addPpm(advice, "fault_ppm", getPpm(faultPs, context.opTimePs));
  addTime(advice, "symbols_ps", symbolsPs);
  addTime(advice, "kernel_ps", counted.kernelPs);
  addCount(advice, "faults", counted.faults);
  addCount(advice, "iterations", counted.iterations);
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::PageFaults() {
  return {
      "page-fault-churn",
      "memory is given back to the system and faulted in again",
      "symbols of the system, or a recording of mlir-prof record",
      "page faults take about {fault_ps}, {fault_ppm} of the ops' "
      "time ({symbols_ps} in what serves them; {faults} faults in "
      "{iterations} iterations, {kernel_ps} in the kernel)",
      "Reuse buffers from call to call, or keep freed memory: "
      "MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ of glibc, "
      "jemalloc or tcmalloc, huge pages.",
      "habit_sum",
      "the sum of each symbol's calls or samples, without what does not come "
      "back; of counted faults, the mean of all iterations",
      "mlir-prof report {PROFILE} --by=measured-op --top=20",
      find};
}
