//===- SamplerPerfRecords.cpp - Records of perf_event ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"

#include <cstring>
#include <linux/perf_event.h>

using namespace mlirprof;
using namespace mlirprof::record;

void PerfReader::read(uint32_t type, bool inKernel,
                      llvm::ArrayRef<uint8_t> bytes) {
  std::vector<uint64_t> words(bytes.size() / sizeof(uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint64_t));
  if (type == PERF_RECORD_SAMPLE)
    return addSample(inKernel, words);
  // The number of the event, and the number of lost samples.
  if (type == PERF_RECORD_LOST && words.size() >= 2)
    run->threadSamples[thread].lost.fetch_add(words[1]);
  if (words.empty())
    return;
  auto timeNs = int64_t(words[0]);
  if (type == PERF_RECORD_THROTTLE && !throttledSince)
    throttledSince = timeNs;
  if (type == PERF_RECORD_UNTHROTTLE)
    resume(timeNs);
}

void PerfReader::resume(int64_t timeNs) {
  if (throttledSince && timeNs > *throttledSince)
    run->threadSamples[thread].lost.fetch_add(
        uint64_t(timeNs - *throttledSince) / uint64_t(periodNs));
  throttledSince.reset();
}

void PerfReader::finish(int64_t timeNs) { resume(timeNs); }

/// A record is: time; ABI and, unless that is 0, registers; size of the stack
/// and, unless that is 0, its bytes and how many of them are filled.
void PerfReader::addSample(bool inKernel, llvm::ArrayRef<uint64_t> words) {
  ThreadSamples &own = run->threadSamples[thread];
  uint64_t index = own.count.load(std::memory_order_relaxed);
  constexpr size_t kStackSize = 2 + kPerfRegisterCount;
  if (words.size() <= kStackSize || words[1] == 0 ||
      index >= SharedRun::kSamplesPerThread) {
    own.lost.fetch_add(1);
    return;
  }
  ThreadRegisters registers = getRegisters(&words[2]);
  RawSample &sample = run.samplesOf(thread)[index];
  sample.timeNs = int64_t(words[0]);
  sample.address = registers.instruction;
  sample.inKernel = inKernel;
  sample.instance = kNoInstance;
  size_t stackWords = words[kStackSize] / sizeof(uint64_t);
  if (!map.text.contains(sample.address) &&
      stackWords < words.size() - kStackSize - 1) {
    uint64_t filled = words[kStackSize + 1 + stackWords] / sizeof(uint64_t);
    StackFinding finding =
        scanStack(map, registers.link, &words[kStackSize + 1],
                  std::min<uint64_t>(filled, stackWords));
    sample.caller = finding.caller;
    sample.viaRuntime = finding.viaRuntime;
  }
  own.count.store(index + 1, std::memory_order_release);
}
