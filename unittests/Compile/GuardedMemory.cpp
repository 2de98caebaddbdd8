//===- GuardedMemory.cpp - Memory between pages without access ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof::test;

/// In all floats a NaN, and no small integer.
static constexpr unsigned char kPattern = 0xFF;

void *GuardedMemory::allocate(size_t bytes, size_t alignment) {
  auto page = size_t(sysconf(_SC_PAGESIZE));
  // Room for the alignment, if that is more than a page.
  size_t size = (bytes + alignment + page - 1) / page * page;
  void *mapped = mmap(nullptr, size + 2 * page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  char *pages = static_cast<char *>(mapped);
  char *usable = pages + page;
  mprotect(usable, size, PROT_READ | PROT_WRITE);
  std::memset(usable, kPattern, size);
  auto address = reinterpret_cast<uintptr_t>(usable);
  uintptr_t block = side == GuardSide::Behind
                        ? (address + size - bytes) / alignment * alignment
                        : (address + alignment - 1) / alignment * alignment;
  char *begin = usable + (block - address);
  blocks[begin] = {pages, bytes, size};
  return begin;
}

void GuardedMemory::checkAndUnmap(char *begin, const Block &block) {
  auto page = size_t(sysconf(_SC_PAGESIZE));
  char *usable = block.pages + page, *end = usable + block.size;
  auto isPattern = [](char c) { return c == char(kPattern); };
  EXPECT_TRUE(std::all_of(usable, begin, isPattern))
      << "bytes before a block of " << block.bytes << " were written";
  EXPECT_TRUE(std::all_of(begin + block.bytes, end, isPattern))
      << "bytes behind a block of " << block.bytes << " were written";
  munmap(block.pages, block.size + 2 * page);
}

void GuardedMemory::release(void *block) {
  if (!block)
    return;
  auto found = blocks.find(block);
  ASSERT_NE(found, blocks.end()) << "not a block";
  checkAndUnmap(static_cast<char *>(block), found->second);
  blocks.erase(found);
}

GuardedMemory::~GuardedMemory() {
  for (const auto &[begin, block] : blocks)
    checkAndUnmap(static_cast<char *>(begin), block);
}
