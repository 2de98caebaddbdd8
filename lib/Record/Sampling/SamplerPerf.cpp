//===- SamplerPerf.cpp - Sampling by perf_event ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

/// Bytes of the stack that come with each sample.
static constexpr uint32_t kStackBytes = 2048;
/// Maximum and minimum number of pages of a ring; lockable memory is limited.
static constexpr size_t kMostPages = 1024;
static constexpr size_t kLeastPages = 8;

static perf_event_attr makeAttributes(unsigned rate) {
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  // A clock, not a cycle counter, which virtual machines lack.
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

/// Maximum samples per second; 0 if unknown.
static unsigned getMostPerfSamples() {
  auto text = llvm::MemoryBuffer::getFileAsStream(
      "/proc/sys/kernel/perf_event_max_sample_rate");
  unsigned most = 0;
  if (!text || (*text)->getBuffer().trim().getAsInteger(10, most))
    return 0;
  return most;
}

llvm::Error record::checkPerfRate(unsigned rate) {
  unsigned most = getMostPerfSamples();
  if (most != 0 && rate > most)
    return inputError("--rate",
                      "perf_event takes at most " + llvm::Twine(most) +
                          " samples per second here",
                      "Raise /proc/sys/kernel/perf_event_max_sample_rate, or "
                      "use --sampler=timer.");
  return llvm::Error::success();
}

bool record::canSampleKernel(unsigned rate) {
  if (llvm::Error error = checkPerfRate(rate)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  perf_event_attr attributes = makeAttributes(rate);
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
        {PerfReader(run, map, thread, int64_t(attributes.sample_period)),
         descriptor, static_cast<char *>(memory), pages * page});
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
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (Ring &ring : rings)
    ring.reader.finish(int64_t(now.tv_sec) * 1000000000 + now.tv_nsec);
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
    ring.reader.read(header.type, mode == PERF_RECORD_MISC_KERNEL, record);
  }
  __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
}
