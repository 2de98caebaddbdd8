//===- PageArray.cpp - An array that grows by pages -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/PageArray.h"
#include "mlir-prof/Support/Pages.h"
#include "llvm/Support/MemAlloc.h"

#include <cstdlib>
#include <cstring>

using namespace mlirprof;

/// Null if memory is exhausted.
static void *mapBytes(void *old, size_t oldSize, size_t newSize) {
  if (oldSize >= kHugePage)
    return growPages(old, oldSize, newSize);
  void *bytes = mapPages(newSize);
  if (bytes && oldSize != 0) {
    std::memcpy(bytes, old, oldSize);
    std::free(old);
  }
  return bytes;
}

void PageBlock::grow(size_t newSize) {
  void *grown = newSize < kHugePage ? std::realloc(bytes, newSize)
                                    : mapBytes(bytes, size, newSize);
  if (!grown)
    llvm::report_bad_alloc_error("no memory for the contents of a trace");
  bytes = grown;
  size = newSize;
}

void PageBlock::release() {
  if (size < kHugePage)
    std::free(bytes);
  else
    unmapPages(bytes, size);
  bytes = nullptr;
  size = 0;
}
