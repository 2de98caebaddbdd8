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
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

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

/// Of the time of page faults: memory that comes back is given back, which
/// takes about a sixth of it; a program that starts does not.
static constexpr int64_t kGivenBackPpm = 50000;
/// Less often is no habit.
static constexpr uint64_t kRepeated = 3;

static bool hasPart(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringLiteral> parts) {
  return llvm::any_of(
      parts, [&](llvm::StringRef part) { return name.contains(part); });
}

/// Whether a symbol of the kernel or of libc gives memory back to the system.
static bool isGivingBack(llvm::StringRef name) {
  return hasPart(name, {"zap_pte", "unmap_vmas", "free_unref_page",
                        "unmap_region", "munmap", "madvise"});
}

/// Whether a symbol of the kernel or of libc serves, or causes, page faults.
static bool isFaultSymbol(llvm::StringRef name) {
  return isGivingBack(name) ||
         hasPart(name, {"page_fault", "clear_page", "clear_huge_page",
                        "handle_mm_fault", "do_anonymous", "do_fault",
                        "user_addr_fault", "get_page_from_free"});
}

/// Whether a program ends, or another one begins, in the symbol.
static bool isEnding(llvm::StringRef name) {
  return hasPart(name, {"exit_mm", "do_exit", "mmput", "exec_mmap"});
}

/// Whether the key names a symbol of the system that `isOf`, or one that was
/// called by such: locks, lists and accounting are part of a fault.
static bool isBelow(const OpKey &key,
                    llvm::function_ref<bool(llvm::StringRef)> isOf) {
  KeyTraits traits = getKeyTraits(key);
  return traits.mayBeSymbol &&
         (isOf(key.op) || llvm::any_of(traits.scope, isOf));
}

static bool isFault(const OpKey &key) {
  return isBelow(key, isFaultSymbol) && !isBelow(key, isEnding);
}

/// Whether the key is code of a model that we recorded, and gives memory back.
static bool isGivingBack(const OpKey &key) {
  return isGivingBack(getKeyTraits(key).libraryFunction);
}

namespace {
/// Of our own recordings, in all iterations but the first, which faults in what
/// it is the first to use.
struct Faults {
  uint64_t faults = 0;
  uint64_t iterations = 0;
  /// Of the faults, by what one of them cost where they were counted.
  int64_t costPs = 0;
  /// Seen in the kernel in all iterations, or giving memory back; where samples
  /// do not tell the kernel apart, what the faults cost.
  int64_t kernelPs = 0;
};
} // namespace

static llvm::StringRef getFact(const Run &run, llvm::StringRef name) {
  for (const auto &[key, value] : run.facts)
    if (key == name)
      return value;
  return "";
}

/// The fact `name` of a run as a number, where it is one.
static std::optional<uint64_t> getNumber(const Run &run, llvm::StringRef name) {
  uint64_t number = 0;
  if (getFact(run, name).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// A fact may be any number that 64 bits hold.
static int64_t toSigned(uint64_t number) {
  return int64_t(std::min<uint64_t>(number, INT64_MAX));
}

/// What the samples of a run saw in the kernel; none of those of a timer, which
/// stand where the kernel returns to.
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
  // Older recordings do not tell the first iteration apart.
  if (auto first = getNumber(run, "page faults of the first iteration")) {
    faults -= std::min(faults, *first);
    iterations -= 1;
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
    if (isGivingBack(context.getKey(op)))
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
    if (isBelow(key, [](llvm::StringRef name) { return isGivingBack(name); })) {
      givenBackPs = saturatingAdd(givenBackPs, timePs);
      timesGivenBack += op.getCount();
    }
  }
  if (timesGivenBack < kRepeated ||
      getPpm(givenBackPs, symbolsPs) < kGivenBackPpm)
    symbolsPs = 0;
  Faults counted = countFaults(context);
  if (advice.subjects.empty() && counted.iterations == 0)
    return std::nullopt;
  // Without symbols, what the faults must have cost, of the kernel's time.
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
      "memory is given back to the system and faulted in again",
      "symbols of the system, or two iterations of mlir-prof record",
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
