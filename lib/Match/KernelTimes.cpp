//===- KernelTimes.cpp - The times of dispatches --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTimes.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Trace/Time.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

bool match::isKernel(const ModuleIndex &index, uint32_t number) {
  return index.getTraits(number).isFunction &&
         index[number].op->hasAttr(
             dispatch::DispatchDialect::getKernelAttrName());
}

namespace {

/// A kernel, and the dispatches that run it.
struct Kernel {
  KernelTime time;
  /// Numbers of ops, and the instances that they name.
  std::vector<uint32_t> runs;
  std::vector<uint32_t> instances;
  /// By position in `runs`: the time that only this one took, and the part that
  /// it has of other time.
  std::vector<uint64_t> certainPs, splitPs;
};

class KernelTimes {
public:
  KernelTimes(const ModuleIndex &index, const Ownership &ownership,
              const Attribution &attribution)
      : index(index), ownership(ownership), attribution(attribution) {}

  llvm::DenseMap<uint32_t, KernelTime> compute(const Profile *profile) {
    addKernels();
    addRuns();
    if (profile)
      addMeasured(*profile);
    llvm::DenseMap<uint32_t, KernelTime> times;
    for (auto &[op, kernel] : kernels)
      split(kernel, times);
    return times;
  }

private:
  void addKernels();
  void addRuns();
  void addMeasured(const Profile &profile);
  static void split(const Kernel &kernel,
                    llvm::DenseMap<uint32_t, KernelTime> &times);

  const ModuleIndex &index;
  const Ownership &ownership;
  const Attribution &attribution;
  /// By the number of the function.
  std::map<uint32_t, Kernel> kernels;
};

} // namespace

void KernelTimes::addKernels() {
  for (const IndexedFunction &function : index.getFunctions()) {
    if (!isKernel(index, function.op))
      continue;
    KernelTime &time = kernels[function.op].time;
    for (uint32_t op = function.op; op < index[function.op].end; ++op) {
      if (op >= attribution.ops.size() || attribution.ops[op].count == 0)
        continue;
      const OpTime &part = attribution.ops[op];
      time.firstBeginPs = time.count
                              ? std::min(time.firstBeginPs, part.firstBeginPs)
                              : part.firstBeginPs;
      time.count += part.count;
      time.totalPs = saturatingAdd(time.totalPs, part.totalPs());
    }
  }
}

void KernelTimes::addRuns() {
  llvm::DenseMap<mlir::Operation *, uint32_t> numbers;
  for (const auto &[op, kernel] : kernels)
    numbers[index[op].op] = op;
  mlir::SymbolTableCollection symbols;
  for (uint32_t op = 0; op < index.size(); ++op) {
    auto run = llvm::dyn_cast<dispatch::RunOp>(index[op].op);
    if (!run)
      continue;
    auto found =
        numbers.find(symbols.lookupNearestSymbolFrom(run, run.getKernelAttr()));
    if (found == numbers.end())
      continue;
    Kernel &kernel = kernels[found->second];
    kernel.runs.push_back(op);
    kernel.instances.push_back(run.getInstance().value_or(kNone));
    kernel.certainPs.push_back(0);
    kernel.splitPs.push_back(0);
  }
}

/// Adds what the profile distinguishes.
void KernelTimes::addMeasured(const Profile &profile) {
  ProfileInstances programs(profile);
  if (programs.empty())
    return;
  for (const OpSummary &summary : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[summary.op];
    uint32_t program = programs.findProgram(key);
    if (summary.op >= ownership.matches.size() || program == kNone)
      continue;
    std::vector<InstancePart> parts =
        programs.of(program).split(key, summary.getTimePs());
    llvm::SmallVector<uint32_t> seen;
    for (uint32_t op : ownership.matches[summary.op].ops) {
      if (op >= index.size())
        continue;
      // The begin of a kernel's code belongs to the function itself.
      uint32_t function =
          kernels.count(op) ? op : index.getFunctions()[index[op].function].op;
      auto kernel = kernels.find(function);
      if (kernel == kernels.end() || llvm::is_contained(seen, function))
        continue;
      seen.push_back(function);
      for (const InstancePart &part : parts) {
        auto run = llvm::find(kernel->second.instances, part.instance);
        if (run == kernel->second.instances.end() || part.timePs <= 0)
          continue;
        auto &sums = parts.size() == 1 ? kernel->second.certainPs
                                       : kernel->second.splitPs;
        sums[size_t(run - kernel->second.instances.begin())] +=
            uint64_t(part.timePs);
      }
    }
  }
}

void KernelTimes::split(const Kernel &kernel,
                        llvm::DenseMap<uint32_t, KernelTime> &times) {
  size_t count = kernel.runs.size();
  if (count == 0)
    return;
  // The certain parts of all runs, then the others.
  std::vector<uint64_t> weights(kernel.certainPs);
  llvm::append_range(weights, kernel.splitPs);
  bool isKnown =
      llvm::any_of(weights, [](uint64_t weight) { return weight != 0; });
  if (!isKnown)
    std::fill_n(weights.begin() + ptrdiff_t(count > 1 ? count : 0), count, 1);
  std::vector<int64_t> parts = splitExactly(kernel.time.totalPs, weights);
  for (size_t run = 0; run < count; ++run) {
    KernelTime time = kernel.time;
    time.totalPs = saturatingAdd(parts[run], parts[count + run]);
    time.estimatedPs = parts[count + run];
    if (isKnown && time.totalPs == 0)
      time.count = 0;
    times[kernel.runs[run]] = time;
  }
}

llvm::DenseMap<uint32_t, KernelTime>
match::getKernelTimes(const ModuleIndex &index, const Ownership &ownership,
                      const Attribution &attribution, const Profile *profile) {
  return KernelTimes(index, ownership, attribution).compute(profile);
}
