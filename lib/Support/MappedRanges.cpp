//===- MappedRanges.cpp - Mapped files that may shrink --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MappedRanges.h"
#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace mlirprof;

namespace {
struct Slot {
  /// 0 if free. Written last when the slot is taken, first when it is freed.
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};
  std::atomic<bool> isBroken{false};
};
} // namespace

/// The usual limit on a process's open files.
static constexpr unsigned kSlots = 1024;
static Slot slots[kSlots];
static std::mutex slotsMutex;
static uintptr_t pageSize = 4096;
static struct sigaction previous;
static_assert(std::atomic<uintptr_t>::is_always_lock_free);

//===----------------------------------------------------------------------===//
// The signal handler
//===----------------------------------------------------------------------===//
//
// It reads atomics and calls mmap, which is a plain system call in the C
// libraries here, and does not take locks. The pages from the missing one on
// are replaced by zeros, so that the repeated instruction succeeds.

static Slot *findSlot(uintptr_t address) {
  for (Slot &slot : slots) {
    uintptr_t begin = slot.begin.load(std::memory_order_acquire);
    if (begin != 0 && address >= begin &&
        address < slot.end.load(std::memory_order_relaxed))
      return &slot;
  }
  return nullptr;
}

bool mlirprof::coverMissingPages(const siginfo_t &info) {
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  Slot *slot = info.si_code > 0 ? findSlot(address) : nullptr;
  if (!slot)
    return false;
  int savedErrno = errno;
  uintptr_t page = address / pageSize * pageSize;
  void *mapped =
      mmap(reinterpret_cast<void *>(page), slot->end.load() - page, PROT_READ,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  slot->isBroken = true;
  errno = savedErrno;
  return mapped != MAP_FAILED;
}

bool mlirprof::isInMappedRange(llvm::StringRef bytes) {
  const Slot *slot = findSlot(reinterpret_cast<uintptr_t>(bytes.begin()));
  return slot && reinterpret_cast<uintptr_t>(bytes.end()) <= slot->end.load();
}

void mlirprof::releaseWithin(llvm::StringRef bytes) {
  static const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  uintptr_t first = llvm::alignTo(uintptr_t(bytes.begin()), page);
  uintptr_t last = llvm::alignDown(uintptr_t(bytes.end()), page);
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
}

static void onBusError(int signal, siginfo_t *info, void *) {
  if (coverMissingPages(*info))
    return;
  // Behaves as if this handler were not installed: the access, or the signal,
  // is repeated.
  sigaction(signal, &previous, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

/// Other handlers installed since then may remove themselves: signals for
/// others are passed to the first one.
static void installHandler() {
  struct sigaction now;
  if (sigaction(SIGBUS, nullptr, &now) != 0 ||
      ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == onBusError))
    return;
  pageSize = uintptr_t(sysconf(_SC_PAGESIZE));
  static bool hasPrevious = false;
  if (!std::exchange(hasPrevious, true))
    previous = now;
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

//===----------------------------------------------------------------------===//
// MappedRange
//===----------------------------------------------------------------------===//

MappedRange::MappedRange(llvm::StringRef bytes) {
  std::lock_guard<std::mutex> lock(slotsMutex);
  installHandler();
  auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  for (unsigned i = 0; i != kSlots && !isGuarded(); ++i) {
    if (slots[i].begin.load() != 0)
      continue;
    slot = i;
    slots[i].isBroken = false;
    // A mapping consists of whole pages.
    slots[i].end = (begin + bytes.size() + pageSize - 1) / pageSize * pageSize;
    slots[i].begin.store(begin / pageSize * pageSize,
                         std::memory_order_release);
  }
}

MappedRange::~MappedRange() {
  std::lock_guard<std::mutex> lock(slotsMutex);
  if (isGuarded())
    slots[slot].begin = 0;
}

bool MappedRange::isBroken() const {
  return isGuarded() && slots[slot].isBroken;
}
