//===- Pages.cpp - Memory of whole pages ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Pages.h"
#include "MappedRanges.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof;

static size_t roundUp(size_t bytes) {
  static const size_t page = size_t(sysconf(_SC_PAGESIZE));
  return llvm::alignTo(bytes, bytes < kHugePage ? page : kHugePage);
}

static char *map(size_t bytes) {
  void *begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return begin == MAP_FAILED ? nullptr : static_cast<char *>(begin);
}

/// Maps `bytes`, a number of huge pages, where such a page may begin.
static char *mapAligned(size_t bytes) {
  char *begin = map(bytes + kHugePage);
  if (!begin)
    return nullptr;
  uintptr_t place = reinterpret_cast<uintptr_t>(begin);
  size_t before = size_t(llvm::alignTo(place, kHugePage) - place);
  if (before != 0)
    munmap(begin, before);
  munmap(begin + before + bytes, kHugePage - before);
  return begin + before;
}

void *mlirprof::mapPages(size_t bytes) {
  size_t whole = roundUp(bytes);
  if (whole < kHugePage)
    return map(whole);
  char *begin = mapAligned(whole);
  if (begin)
    (void)madvise(begin, whole, MADV_HUGEPAGE);
  return begin;
}

void *mlirprof::growPages(void *old, size_t oldBytes, size_t newBytes) {
  size_t whole = roundUp(newBytes);
  void *begin = mremap(old, roundUp(oldBytes), whole, MREMAP_MAYMOVE);
  if (begin == MAP_FAILED)
    return nullptr;
  if (whole >= kHugePage)
    (void)madvise(begin, whole, MADV_HUGEPAGE);
  return begin;
}

void mlirprof::unmapPages(void *begin, size_t bytes) {
  munmap(begin, roundUp(bytes));
}

void mlirprof::releaseRead(llvm::StringRef bytes) {
  if (isInMappedRange(bytes))
    releaseWithin(bytes);
}
