//===- RunPool.cpp - Memory of a running model ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPool.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

namespace {
/// Precedes each block, at a multiple of kLine.
struct Header {
  uint32_t state;
  uint32_t sizeClass;
  /// The next free block of the class.
  Header *next;
  uint64_t requested;
  /// Distance from the header to the user's address, for large alignments.
  uint64_t offset;
};

constexpr uint32_t kInUse = 0x700d1e55;
constexpr uint32_t kFree = 0xf4ee0000;
/// Blocks begin at cache lines, the alignment of the widest vectors.
constexpr uint64_t kLine = 64;
/// Size classes per power of two: at most an eighth of a block is idle.
constexpr unsigned kSteps = 8;
constexpr unsigned kClasses = 64 * kSteps;

struct Pool {
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  char *begin = nullptr;
  char *next = nullptr;
  /// End of the accessible memory.
  char *usable = nullptr;
  char *end = nullptr;
  Header *free[kClasses] = {};
  /// Requested bytes of all blocks in use, and the most since resetPeak.
  uint64_t used = 0;
  uint64_t peak = 0;
  void (*onFailure)(const char *) = nullptr;
};

class Guard {
public:
  explicit Guard(Pool &pool) : pool(pool) {
    while (pool.lock.test_and_set(std::memory_order_acquire))
      sched_yield();
  }
  ~Guard() { pool.lock.clear(std::memory_order_release); }

private:
  Pool &pool;
};
} // namespace

static Pool pool;

[[noreturn]] static void fail(const char *what, uint64_t value) {
  char message[128];
  snprintf(message, sizeof message, what, (unsigned long long)value);
  if (pool.onFailure)
    pool.onFailure(message);
  constexpr int kFailed = 1;
  _exit(kFailed);
}

/// The smallest class whose blocks have at least `size` bytes, and its block
/// size.
static unsigned getClass(uint64_t size, uint64_t &blockSize) {
  size = std::max(size, kLine * kSteps);
  unsigned log = 63 - unsigned(__builtin_clzll(size));
  uint64_t step = (uint64_t(1) << log) / kSteps;
  uint64_t above = (size - (uint64_t(1) << log) + step - 1) / step;
  blockSize = (uint64_t(1) << log) + above * step;
  return std::min(log * kSteps + unsigned(above), kClasses - 1);
}

bool runpool::initialize(uint64_t bytes) {
  constexpr uint64_t kLeast = 16 << 20;
  bytes -= bytes % uint64_t(sysconf(_SC_PAGESIZE));
  for (; bytes >= kLeast; bytes /= 2) {
    void *memory = mmap(nullptr, bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    pool.begin = pool.next = pool.usable = static_cast<char *>(memory);
    pool.end = pool.begin + bytes;
    // Reduces TLB misses and faults.
    madvise(memory, bytes, MADV_HUGEPAGE);
    return true;
  }
  return false;
}

/// Takes `size` bytes of memory that was never allocated, or null. Memory
/// beyond that in use is inaccessible: a model that writes past its blocks, for
/// example after a size has wrapped, crashes soon instead of exhausting the
/// machine's memory.
static Header *extend(uint64_t size) {
  // A huge page, so that calls are rare and none is split.
  constexpr uint64_t kStep = 2 << 20;
  if (uint64_t(pool.end - pool.next) < size)
    return nullptr;
  if (pool.next + size > pool.usable) {
    uint64_t missing = uint64_t(pool.next + size - pool.usable);
    uint64_t more = std::min((missing + kStep - 1) / kStep * kStep,
                             uint64_t(pool.end - pool.usable));
    if (mprotect(pool.usable, more, PROT_READ | PROT_WRITE) != 0)
      return nullptr;
    pool.usable += more;
  }
  auto *header = reinterpret_cast<Header *>(pool.next);
  pool.next += size;
  return header;
}

void runpool::setFailureHandler(void (*handler)(const char *)) {
  pool.onFailure = handler;
}

void *runpool::allocate(size_t size, size_t alignment) {
  constexpr uint64_t kMost = uint64_t(1) << 47;
  alignment = std::max<uint64_t>(alignment, kLine);
  if (size > kMost || alignment > kMost)
    fail("the model asked for %llu bytes of memory", size);
  uint64_t extra = alignment > kLine ? alignment : 0;
  uint64_t blockSize = 0;
  unsigned sizeClass = getClass(size + kLine + extra, blockSize);
  Header *header = nullptr;
  {
    Guard guard(pool);
    header = pool.free[sizeClass];
    if (header)
      pool.free[sizeClass] = header->next;
    else
      header = extend(blockSize);
    pool.used += size;
    pool.peak = std::max(pool.peak, pool.used);
  }
  if (!header)
    fail("no memory is left: the model asked for %llu more bytes", size);
  uintptr_t user = reinterpret_cast<uintptr_t>(header) + kLine;
  user = (user + alignment - 1) / alignment * alignment;
  // The last line before the user's bytes records the begin of the block.
  Header *near = reinterpret_cast<Header *>(user - kLine);
  *header = {kInUse, sizeClass, nullptr, size, 0};
  if (near != header)
    *near = {kInUse, sizeClass, nullptr, size,
             user - kLine - reinterpret_cast<uintptr_t>(header)};
  return reinterpret_cast<void *>(user);
}

uint64_t runpool::resetPeak() {
  Guard guard(pool);
  pool.peak = pool.used;
  return pool.used;
}

uint64_t runpool::getPeak() {
  Guard guard(pool);
  return pool.peak;
}

bool runpool::owns(const void *pointer) {
  const char *address = static_cast<const char *>(pointer);
  if (address < pool.begin + kLine || address >= pool.next ||
      reinterpret_cast<uintptr_t>(address) % kLine != 0)
    return false;
  return reinterpret_cast<const Header *>(address - kLine)->state == kInUse;
}

void runpool::release(void *pointer) {
  if (!pointer)
    return;
  if (!owns(pointer))
    fail("the model freed %#llx, which it had not allocated or had freed "
         "before",
         reinterpret_cast<uintptr_t>(pointer));
  auto *near = reinterpret_cast<Header *>(static_cast<char *>(pointer) - kLine);
  near->state = kFree;
  auto *header =
      reinterpret_cast<Header *>(reinterpret_cast<char *>(near) - near->offset);
  header->state = kFree;
  Guard guard(pool);
  pool.used -= header->requested;
  header->next = pool.free[header->sizeClass];
  pool.free[header->sizeClass] = header;
}

//===----------------------------------------------------------------------===//
// The C library's names
//===----------------------------------------------------------------------===//

static void *poolMalloc(size_t size) { return runpool::allocate(size, kLine); }

static void *poolCalloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    fail("the model asked for %llu times as many bytes as fit", count);
  void *pointer = runpool::allocate(bytes, kLine);
  return std::memset(pointer, 0, bytes);
}

static void *poolAlignedAlloc(size_t alignment, size_t size) {
  return runpool::allocate(size, alignment);
}

static int poolPosixMemalign(void **pointer, size_t alignment, size_t size) {
  *pointer = runpool::allocate(size, alignment);
  return 0;
}

static void *poolRealloc(void *pointer, size_t size) {
  void *moved = runpool::allocate(size, kLine);
  if (!pointer)
    return moved;
  if (!runpool::owns(pointer))
    fail("the model grew %#llx, which it had not allocated",
         reinterpret_cast<uintptr_t>(pointer));
  auto *header =
      reinterpret_cast<Header *>(static_cast<char *>(pointer) - kLine);
  std::memcpy(moved, pointer, std::min<uint64_t>(size, header->requested));
  runpool::release(pointer);
  return moved;
}

void runpool::forEachFunction(
    llvm::function_ref<void(llvm::StringRef, void *)> bind) {
  bind("malloc", reinterpret_cast<void *>(&poolMalloc));
  bind("calloc", reinterpret_cast<void *>(&poolCalloc));
  bind("realloc", reinterpret_cast<void *>(&poolRealloc));
  bind("aligned_alloc", reinterpret_cast<void *>(&poolAlignedAlloc));
  bind("posix_memalign", reinterpret_cast<void *>(&poolPosixMemalign));
  bind("free", reinterpret_cast<void *>(&release));
  // Alternatives that upstream's lowering may call.
  bind("_mlir_memref_to_llvm_alloc", reinterpret_cast<void *>(&poolMalloc));
  bind("_mlir_memref_to_llvm_aligned_alloc",
       reinterpret_cast<void *>(&poolAlignedAlloc));
  bind("_mlir_memref_to_llvm_free", reinterpret_cast<void *>(&release));
}
