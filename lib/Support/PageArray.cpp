//===- PageArray.cpp - An array that grows by pages -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/PageArray.h"
#include "llvm/Support/MemAlloc.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace mlirprof;

/// Larger blocks are mapped: a huge page.
static constexpr size_t kMapped = size_t(2) << 20;

static size_t roundUp(size_t size) {
  return (size + kMapped - 1) / kMapped * kMapped;
}

/// Null if memory is exhausted.
static void *mapBytes(void *old, size_t oldSize, size_t newSize) {
  void *bytes =
      oldSize < kMapped
          ? mmap(nullptr, roundUp(newSize), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          : mremap(old, roundUp(oldSize), roundUp(newSize), MREMAP_MAYMOVE);
  if (bytes == MAP_FAILED)
    return nullptr;
  madvise(bytes, roundUp(newSize), MADV_HUGEPAGE);
  if (oldSize != 0 && oldSize < kMapped) {
    std::memcpy(bytes, old, oldSize);
    std::free(old);
  }
  return bytes;
}

void PageBlock::grow(size_t newSize) {
  void *grown = newSize < kMapped ? std::realloc(bytes, newSize)
                                  : mapBytes(bytes, size, newSize);
  if (!grown)
    llvm::report_bad_alloc_error("no memory for the contents of a trace");
  bytes = grown;
  size = newSize;
}

void PageBlock::release() {
  if (size < kMapped)
    std::free(bytes);
  else
    munmap(bytes, roundUp(size));
  bytes = nullptr;
  size = 0;
}
