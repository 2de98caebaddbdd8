//===- SamplerPerf.cpp - Sampling by perf_event ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "mlir-prof/Support/Error.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlirprof;

/// Bytes of the stack that come with each sample.
static constexpr uint32_t kStackBytes = 2048;
/// Pages of a ring at most and at least; what one may lock is limited.
static constexpr size_t kMostPages = 1024;
static constexpr size_t kLeastPages = 8;

static perf_event_attr makeAttributes(unsigned rate) {
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  // A clock, not a counter of cycles: virtual machines have none.
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = 1000000000 / std::max(rate, 1u);
  attributes.sample_type =
      PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attributes.sample_regs_user = kPerfRegisters;
  attributes.sample_stack_user = kStackBytes;
  attributes.exclude_hv = 1;
  attributes.disabled = 1;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  return attributes;
}

static int openEvent(perf_event_attr &attributes, pid_t thread) {
  return int(syscall(SYS_perf_event_open, &attributes, thread, /*cpu=*/-1,
                     /*group=*/-1, PERF_FLAG_FD_CLOEXEC));
}

bool mlirprof::canSampleKernel() {
  perf_event_attr attributes = makeAttributes(/*rate=*/1000);
  int descriptor = openEvent(attributes, /*thread=*/0);
  if (descriptor < 0)
    return false;
  close(descriptor);
  return true;
}

llvm::Error PerfSampler::open(uint32_t thread, pid_t tid, unsigned rate) {
  perf_event_attr attributes = makeAttributes(rate);
  int descriptor = openEvent(attributes, tid);
  if (descriptor < 0)
    return inputError("perf_event_open", std::strerror(errno),
                      "Sampling the kernel needs CAP_PERFMON, or 1 or less in "
                      "/proc/sys/kernel/perf_event_paranoid; or use "
                      "--sampler=timer.");
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  for (size_t pages = kMostPages; pages >= kLeastPages; pages /= 2) {
    void *memory = mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE,
                        MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
      continue;
    rings.push_back(
        {thread, descriptor, static_cast<char *>(memory), pages * page});
    return llvm::Error::success();
  }
  int error = errno;
  close(descriptor);
  return inputError("buffers of perf_event", std::strerror(error),
                    "Raise /proc/sys/kernel/perf_event_mlock_kb, or use "
                    "--sampler=timer.");
}

llvm::Expected<std::unique_ptr<PerfSampler>>
PerfSampler::create(const SharedRunMapping &run, const CodeMap &map,
                    llvm::ArrayRef<pid_t> threads, unsigned rate) {
  std::unique_ptr<PerfSampler> sampler(new PerfSampler(run, map));
  for (uint32_t i = 0; i != threads.size() && i != run.getMaxThreads(); ++i)
    if (llvm::Error error = sampler->open(i, threads[i], rate))
      return std::move(error);
  return std::move(sampler);
}

PerfSampler::~PerfSampler() {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  for (const Ring &ring : rings) {
    munmap(ring.memory, ring.bytes + page);
    close(ring.descriptor);
  }
}

void PerfSampler::start() {
  for (const Ring &ring : rings)
    ioctl(ring.descriptor, PERF_EVENT_IOC_ENABLE, 0);
}

void PerfSampler::stop() {
  for (const Ring &ring : rings)
    ioctl(ring.descriptor, PERF_EVENT_IOC_DISABLE, 0);
  drain();
}

void PerfSampler::drain() {
  for (Ring &ring : rings)
    drain(ring);
}

void PerfSampler::drain(Ring &ring) {
  auto *control = reinterpret_cast<perf_event_mmap_page *>(ring.memory);
  const char *data = ring.memory + sysconf(_SC_PAGESIZE);
  uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = control->data_tail;
  auto copy = [&](uint64_t from, size_t size, void *to) {
    size_t begin = from % ring.bytes;
    size_t first = std::min(size, ring.bytes - begin);
    std::memcpy(to, data + begin, first);
    std::memcpy(static_cast<char *>(to) + first, data, size - first);
  };
  while (tail < head) {
    perf_event_header header;
    copy(tail, sizeof header, &header);
    if (header.size < sizeof header)
      break;
    record.resize(header.size - sizeof header);
    copy(tail + sizeof header, record.size(), record.data());
    tail += header.size;
    unsigned mode = header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
    if (header.type == PERF_RECORD_SAMPLE) {
      addSample(ring, record.data(), record.size(),
                mode == PERF_RECORD_MISC_KERNEL);
    } else if (header.type == PERF_RECORD_LOST &&
               record.size() >= 2 * sizeof(uint64_t)) {
      uint64_t lost;
      std::memcpy(&lost, record.data() + sizeof lost, sizeof lost);
      run->threadSamples[ring.thread].lost.fetch_add(lost);
    }
  }
  __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
}

/// A record is: time; ABI and, unless that is 0, registers; size of the stack
/// and, unless that is 0, its bytes and how many of them are filled.
void PerfSampler::addSample(const Ring &ring, const uint8_t *bytes, size_t size,
                            bool inKernel) {
  std::vector<uint64_t> words(size / sizeof(uint64_t));
  std::memcpy(words.data(), bytes, words.size() * sizeof(uint64_t));
  ThreadSamples &own = run->threadSamples[ring.thread];
  uint64_t index = own.count.load(std::memory_order_relaxed);
  constexpr size_t kStackSize = 2 + kPerfRegisterCount;
  if (words.size() <= kStackSize || words[1] == 0 ||
      index >= SharedRun::kSamplesPerThread) {
    own.lost.fetch_add(1);
    return;
  }
  ThreadRegisters registers = getRegisters(&words[2]);
  RawSample &sample = run.samplesOf(ring.thread)[index];
  sample.timeNs = int64_t(words[0]);
  sample.address = registers.instruction;
  sample.inKernel = inKernel;
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
