//===- PageFaultCost.cpp - The cost of a page fault here ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageFaultCost.h"
#include "mlir-prof/Support/Statistics.h"

#include <algorithm>
#include <array>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

/// Limit of a batch: more pages take long without costing more each, as none of
/// them stays in a cache.
static constexpr uint64_t kMaxPages = 4096;
/// An odd number, for a median that interruptions do not change.
static constexpr size_t kBatches = 3;

static int64_t countFaults() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

/// Time of this thread, in the kernel too: time of other threads is not a cost.
static int64_t getThreadNs() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

/// Picoseconds per fault of one batch; 0 if no fault was counted.
static int64_t measureBatch(uint64_t pages, size_t pageBytes) {
  int64_t faults = countFaults();
  int64_t beginNs = getThreadNs();
  size_t bytes = size_t(pages) * pageBytes;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 0;
  for (size_t page = 0; page < pages; ++page)
    static_cast<volatile char *>(memory)[page * pageBytes] = 1;
  munmap(memory, bytes);
  int64_t ns = getThreadNs() - beginNs;
  faults = countFaults() - faults;
  return faults > 0 ? ns * 1000 / faults : 0;
}

int64_t record::measurePageFaultPs(uint64_t pages) {
  size_t pageBytes = size_t(sysconf(_SC_PAGESIZE));
  std::array<int64_t, kBatches> batches;
  for (int64_t &batch : batches)
    batch = measureBatch(std::clamp<uint64_t>(pages, 1, kMaxPages), pageBytes);
  return getMedian(llvm::ArrayRef<int64_t>(batches));
}
