//===- PageFaults.cpp - Memory that is mapped repeatedly ------------------===//
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
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Share of the ops' time.
static constexpr int64_t kFaultPpm = 20000;
/// Minimum time of the kernel to map and clear a page of 4 KiB: for recordings
/// that did not measure it.
static constexpr int64_t kPerFaultPs = 500 * 1000;
/// An iteration with fewer faults reuses its memory.
static constexpr uint64_t kFaultsPerIteration = 16;

/// Share of the time of page faults: programs that map memory repeatedly also
/// release it, which takes about a sixth of that time; a starting program does
/// not.
static constexpr int64_t kGivenBackPpm = 50000;
/// Fewer times are not a habit.
static constexpr uint64_t kRepeated = 3;

static bool hasPart(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringLiteral> parts) {
  return llvm::any_of(
      parts, [&](llvm::StringRef part) { return name.contains(part); });
}

/// Whether a symbol of the kernel or of libc releases memory to the system.
static bool releasesMemory(llvm::StringRef name) {
  return hasPart(name, {"zap_pte", "unmap_vmas", "free_unref_page",
                        "unmap_region", "munmap", "madvise"});
}

/// Whether a symbol of the kernel or of libc serves, or causes, page faults.
static bool isFaultSymbol(llvm::StringRef name) {
  return releasesMemory(name) ||
         hasPart(name, {"page_fault", "clear_page", "clear_huge_page",
                        "handle_mm_fault", "do_anonymous", "do_fault",
                        "user_addr_fault", "get_page_from_free"});
}

/// Whether the symbol ends a program or starts another one.
static bool isEnding(llvm::StringRef name) {
  return hasPart(name, {"exit_mm", "do_exit", "mmput", "exec_mmap"});
}

/// Whether the key names a symbol of the system for which `isOf` holds, or a
/// symbol called by one: locks, lists and accounting are part of a fault.
static bool isBelow(const OpKey &key,
                    llvm::function_ref<bool(llvm::StringRef)> isOf) {
  KeyTraits traits = getKeyTraits(key);
  return traits.mayBeSymbol &&
         (isOf(key.op) || llvm::any_of(traits.scope, isOf));
}

static bool isFault(const OpKey &key) {
  return isBelow(key, isFaultSymbol) && !isBelow(key, isEnding);
}

/// Whether the key is code of a model recorded by `mlir-prof record`, and
/// releases memory.
static bool callsRelease(const OpKey &key) {
  return releasesMemory(getKeyTraits(key).libraryFunction);
}

namespace {
/// Faults in recordings by `mlir-prof record`, in all iterations but the first,
/// which touches its memory for the first time.
struct Faults {
  uint64_t faults = 0;
  uint64_t iterations = 0;
  /// Time of the faults, by the measured cost of one.
  int64_t costPs = 0;
  /// Time seen in the kernel in all iterations, or releasing memory; if samples
  /// do not identify the kernel, the cost of the faults.
  int64_t kernelPs = 0;
};
} // namespace

static llvm::StringRef getFact(const Run &run, llvm::StringRef name) {
  for (const auto &[key, value] : run.facts)
    if (key == name)
      return value;
  return "";
}

/// The fact `name` of a run as a number, if it is one.
static std::optional<uint64_t> getNumber(const Run &run, llvm::StringRef name) {
  uint64_t number = 0;
  if (getFact(run, name).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// A fact may be any number of 64 bits.
static int64_t toSigned(uint64_t number) {
  return int64_t(std::min<uint64_t>(number, INT64_MAX));
}

/// Time of a run's samples in the kernel; none for those of a timer, which are
/// placed where the kernel returns.
static std::optional<int64_t> getKernelPs(const Profile &profile,
                                          const Run &run) {
  llvm::StringRef sampler = getFact(run, "sampler");
  if (sampler == "timer" || sampler == "none")
    return std::nullopt;
  int64_t kernelPs = 0;
  for (const EventSummary &event : run.events)
    if (event.name < profile.strings.size() &&
        profile.strings[event.name] == "kernel")
      kernelPs = saturatingAdd(kernelPs, getHabitPs(event.total));
  return kernelPs;
}

static void addFaults(const Profile &profile, const Run &run, uint64_t faults,
                      Faults &sum) {
  uint64_t iterations = run.iterations.count;
  // Older recordings do not separate the first iteration.
  if (auto first = getNumber(run, "page faults of the first iteration")) {
    faults -= std::min(faults, *first);
    iterations -= std::min<uint64_t>(iterations, 1);
  }
  int64_t eachPs = toSigned(
      getNumber(run, "picoseconds a page fault").value_or(kPerFaultPs));
  int64_t costPs = scale(eachPs, toSigned(faults), 1);
  sum.faults = llvm::SaturatingAdd(sum.faults, faults);
  sum.iterations = llvm::SaturatingAdd(sum.iterations, iterations);
  sum.costPs = saturatingAdd(sum.costPs, costPs);
  sum.kernelPs =
      saturatingAdd(sum.kernelPs, getKernelPs(profile, run).value_or(costPs));
}

static Faults countFaults(const AdviseContext &context) {
  Faults sum;
  for (const Run &run : context.profile.runs)
    if (std::optional<uint64_t> faults = getNumber(run, "page faults");
        faults && isOwnRecording(run))
      addFaults(context.profile, run, *faults, sum);
  for (const OpSummary &op : context.merged)
    if (callsRelease(context.getKey(op)))
      sum.kernelPs = saturatingAdd(sum.kernelPs, context.getTimePs(op));
  return sum;
}

static Findings find(const AdviseContext &context) {
  Advice advice = context.makeAdvice(std::nullopt);
  int64_t symbolsPs = 0, givenBackPs = 0;
  uint64_t timesGivenBack = 0;
  for (const OpSummary &op : context.merged) {
    const OpKey &key = context.getKey(op);
    if (!isFault(key))
      continue;
    int64_t timePs = context.getTimePs(op);
    symbolsPs = saturatingAdd(symbolsPs, timePs);
    advice.subjects.push_back(context.getSubject(op));
    if (isBelow(key, releasesMemory)) {
      givenBackPs = saturatingAdd(givenBackPs, timePs);
      timesGivenBack = llvm::SaturatingAdd(timesGivenBack, op.getCount());
    }
  }
  Faults counted = countFaults(context);
  if (advice.subjects.empty() && counted.iterations == 0)
    return std::nullopt;
  if (timesGivenBack < kRepeated ||
      getPpm(givenBackPs, symbolsPs) < kGivenBackPpm) {
    symbolsPs = 0;
    advice.subjects.clear();
  }
  // Without symbols, the least cost of the faults, limited to the kernel's
  // time.
  bool isMany = counted.iterations != 0 &&
                counted.faults / counted.iterations >= kFaultsPerIteration;
  int64_t countedPs =
      isMany ? std::min({counted.kernelPs, counted.costPs, context.opTimePs})
             : 0;
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
      "memory is released to the system and faulted in again",
      "symbols of the system, or two iterations of mlir-prof record",
      "page faults take about {fault_ps}, {fault_ppm} of the ops' time "
      "({symbols_ps} in the code that serves them; {faults} faults in "
      "{iterations} iterations, {kernel_ps} in the kernel)",
      "Reuse buffers from call to call, or keep freed memory: "
      "MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ of glibc, "
      "jemalloc or tcmalloc, huge pages.",
      "habit_sum",
      "the sum of each symbol's calls or samples, without time that does not "
      "recur; of counted faults, the mean of all iterations",
      "mlir-prof report {PROFILE} --by=measured-op --top=20",
      find};
}
