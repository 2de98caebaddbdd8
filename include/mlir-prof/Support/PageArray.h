//===- PageArray.h - An array that grows by pages ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PAGEARRAY_H
#define MLIR_PROF_SUPPORT_PAGEARRAY_H

#include "llvm/Support/Compiler.h"

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace mlirprof {

/// Memory that grows in place, or moves without a copy. A large block consists
/// of pages of its own (mapPages).
class PageBlock {
public:
  PageBlock() = default;
  PageBlock(PageBlock &&other) { swap(other); }
  PageBlock &operator=(PageBlock &&other) {
    swap(other);
    return *this;
  }
  ~PageBlock() { release(); }

  void *data() const { return bytes; }
  /// Grows to `newSize` bytes, which must be more than before. If memory is
  /// exhausted, ends the process as LLVM's containers do.
  void grow(size_t newSize);
  void release();

private:
  void swap(PageBlock &other) {
    std::swap(bytes, other.bytes);
    std::swap(size, other.size);
  }

  void *bytes = nullptr;
  size_t size = 0;
};

/// An array of plain data, possibly a gigabyte.
template <typename T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  PageArray() = default;
  PageArray(PageArray &&other) { *this = std::move(other); }
  PageArray(std::initializer_list<T> values) {
    for (const T &value : values)
      push_back(value);
  }
  PageArray &operator=(PageArray &&other) {
    std::swap(block, other.block);
    std::swap(count, other.count);
    std::swap(capacity, other.capacity);
    return *this;
  }

  T *begin() { return static_cast<T *>(block.data()); }
  T *end() { return begin() + count; }
  T *data() { return begin(); }
  const T *begin() const { return static_cast<const T *>(block.data()); }
  const T *end() const { return begin() + count; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T &operator[](size_t index) { return begin()[index]; }
  const T &operator[](size_t index) const { return begin()[index]; }
  T &front() { return *begin(); }
  T &back() { return end()[-1]; }

  void push_back(T value) {
    if (LLVM_UNLIKELY(count == capacity))
      grow();
    begin()[count++] = value;
  }
  size_t getCapacity() const { return capacity; }
  /// Reserves memory for `wanted` elements in total.
  void reserve(size_t wanted) {
    if (wanted <= capacity)
      return;
    block.grow(wanted * sizeof(T));
    capacity = wanted;
  }
  /// Keeps the first `newSize` elements, or includes those written past the
  /// end.
  void setSize(size_t newSize) {
    assert(newSize <= capacity);
    count = newSize;
  }
  void clear() { count = 0; }

private:
  void grow() { reserve(capacity ? 2 * capacity : 64); }

  PageBlock block;
  size_t count = 0;
  size_t capacity = 0;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PAGEARRAY_H
