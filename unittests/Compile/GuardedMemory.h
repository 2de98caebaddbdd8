//===- GuardedMemory.h - Memory between pages without access ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_COMPILE_GUARDEDMEMORY_H
#define MLIR_PROF_UNITTESTS_COMPILE_GUARDEDMEMORY_H

#include <cstddef>
#include <map>

namespace mlirprof::test {

/// Where a block lies as close to a page without access as its alignment
/// allows: accesses to what is there end the process.
enum class GuardSide { Behind, Before };

/// Blocks of memory between pages without access. Writes to the bytes of a
/// block's pages that are not the block's fail the test when it is released, or
/// with the memory.
class GuardedMemory {
public:
  explicit GuardedMemory(GuardSide side) : side(side) {}
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;
  ~GuardedMemory();

  /// The block's content is a pattern that is not a number in any type.
  void *allocate(size_t bytes, size_t alignment);
  void release(void *block);
  size_t getCount() const { return blocks.size(); }

private:
  struct Block {
    char *pages;
    size_t bytes;
    /// The bytes of the pages with access.
    size_t size;
  };
  void checkAndUnmap(char *begin, const Block &block);

  GuardSide side;
  std::map<void *, Block> blocks;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_COMPILE_GUARDEDMEMORY_H
