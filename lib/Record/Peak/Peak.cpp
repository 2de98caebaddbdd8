//===- Peak.cpp - Peak rates of this machine ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Peak.h"
#include "../Child/RunThreads.h"
#include "PeakKernels.h"
#include "PeakThreads.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Machine.h"

#include <cstring>
#include <sys/mman.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

/// Shorter rounds measure the clock and the latency between threads. Longer
/// ones seldom have all processors to themselves if other programs run, whose
/// slices are a few milliseconds.
static constexpr double kRoundSeconds = 3e-4;
/// Several times the last cache of most machines, and fast to touch.
static constexpr uint64_t kArrayBytes = uint64_t(128) << 20;

namespace {
/// The highest number of units per second of `work(units)`, over rounds that
/// grow until they are long enough, for `seconds`.
template <typename Work>
double findBestRate(double seconds, uint64_t units, uint64_t maxUnits,
                    Work work) {
  double best = 0;
  double begin = getMonotonicSeconds();
  do {
    double taken = std::max(work(units), 1e-9);
    best = std::max(best, double(units) / taken);
    if (taken < kRoundSeconds)
      units = std::min(units * 2, maxUnits);
  } while (getMonotonicSeconds() - begin < seconds);
  return best;
}

/// Pages from the kernel, always released.
class Pages {
public:
  explicit Pages(uint64_t bytes) : bytes(bytes) {
    void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    data = at == MAP_FAILED ? nullptr : static_cast<char *>(at);
    if (data)
      madvise(data, bytes, MADV_HUGEPAGE);
  }
  ~Pages() {
    if (data)
      munmap(data, bytes);
  }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  char *data = nullptr;
  uint64_t bytes = 0;
};
} // namespace

static uint64_t measureFlops(const PeakKernels &kernels, unsigned threads,
                             double seconds) {
  PeakThreads pool(threads);
  auto work = [&](uint64_t rounds) {
    return pool.time([&](unsigned) {
      float sink[PeakKernels::kMaxLanes];
      kernels.multiplyAdd(int64_t(rounds), sink);
    });
  };
  double rate = findBestRate(seconds, 1 << 12, uint64_t(1) << 40, work);
  return uint64_t(rate * double(kernels.flopsPerRound()) * threads);
}

static uint64_t measureBytes(const PeakKernels &kernels, Pages &pages,
                             unsigned threads, double seconds) {
  constexpr uint64_t kBlock = PeakKernels::kBlockBytes;
  uint64_t part = pages.bytes / threads / (2 * kBlock) * (2 * kBlock);
  if (part == 0)
    return 0;
  PeakThreads pool(threads);
  auto read = [&](uint64_t) {
    return pool.time([&](unsigned thread) {
      float sink[PeakKernels::kMaxLanes];
      const char *begin = pages.data + thread * part;
      kernels.read(int64_t(part / kBlock),
                   reinterpret_cast<const float *>(begin), sink);
    });
  };
  auto copy = [&](uint64_t) {
    return pool.time([&](unsigned thread) {
      char *begin = pages.data + thread * part;
      std::memcpy(begin, begin + part / 2, part / 2);
    });
  };
  // Every round covers the whole array: a part of it would stay in a cache.
  double best = std::max(findBestRate(seconds / 2, part, part, read),
                         findBestRate(seconds / 2, part, part, copy));
  return uint64_t(best * threads);
}

static void raise(uint64_t &figure, uint64_t seen) {
  figure = std::max(figure, seen);
}

/// Runs a burst for each figure of all threads.
static void raiseAllThreads(MachinePeak &peak, const PeakKernels &kernels,
                            Pages &pages, double seconds) {
  raise(peak.flopsAllThreads, measureFlops(kernels, peak.threads, seconds));
  if (pages.data)
    raise(peak.bytesAllThreads,
          measureBytes(kernels, pages, peak.threads, seconds));
}

/// Whether all threads do so little more than one thread that they hardly had a
/// processor each: threads that share a core do about half as much.
static bool isDisturbed(const MachinePeak &peak) {
  constexpr double kLeast = 0.6;
  return double(peak.flopsAllThreads) <
         kLeast * peak.threads * double(peak.flopsOneThread);
}

/// Runs one burst for each figure; those of `peak` never decrease.
static void raisePeak(MachinePeak &peak, const PeakKernels &kernels,
                      Pages &pages, double seconds) {
  raise(peak.flopsOneThread, measureFlops(kernels, 1, seconds * 0.25));
  if (pages.data)
    raise(peak.bytesOneThread, measureBytes(kernels, pages, 1, seconds * 0.25));
  raiseAllThreads(peak, kernels, pages, seconds * 0.25);
}

llvm::Expected<MachinePeak> record::measurePeak(double seconds) {
  // A short disturbance of the machine affects one burst of a figure, not all
  // of them.
  constexpr unsigned kBursts = 5;
  auto kernels = PeakKernels::create();
  if (!kernels)
    return kernels.takeError();
  MachineInfo machine = getMachineInfo();
  MachinePeak peak;
  peak.threads = std::max(1u, machine.threads);
  if (llvm::Error error = checkThreads(peak.threads - 1))
    return std::move(error);
  // An eighth of the memory is acceptable on small machines.
  uint64_t bytes = kArrayBytes;
  if (machine.memoryBytes)
    bytes = std::min(bytes, machine.memoryBytes / 8);
  Pages pages(bytes);
  // Pages that were never written all map to one page.
  if (pages.data)
    std::memset(pages.data, 1, pages.bytes);
  for (unsigned burst = 0; burst != kBursts; ++burst)
    raisePeak(peak, *kernels, pages, seconds / kBursts);
  // If other programs run, all processors are seldom free at once.
  constexpr unsigned kMoreBursts = 20;
  for (unsigned burst = 0; burst != kMoreBursts && isDisturbed(peak); ++burst)
    raiseAllThreads(peak, *kernels, pages, seconds / kMoreBursts);
  // More threads are never slower; if they seem so, other programs ran.
  peak.flopsAllThreads = std::max(peak.flopsAllThreads, peak.flopsOneThread);
  peak.bytesAllThreads = std::max(peak.bytesAllThreads, peak.bytesOneThread);
  return std::move(peak);
}

void record::setPeak(Machine &machine, const MachinePeak &peak) {
  machine.flopsOneThread = peak.flopsOneThread;
  machine.flopsAllThreads = peak.flopsAllThreads;
  machine.bytesOneThread = peak.bytesOneThread;
  machine.bytesAllThreads = peak.bytesAllThreads;
}
