//===- GzipInput.h - Inflating a file while it is read ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_GZIPINPUT_H
#define MLIR_PROF_SUPPORT_GZIPINPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace mlirprof {

class GzipMembers;

/// How many times its size a gzipped file may hold, unless a caller says
/// otherwise. Traces hold 10 to 30 times, bombs 1,000 times their size.
inline constexpr uint64_t kMostInflation = 128;

/// The most bytes that a gzipped file of `size` bytes may hold: `ratio` times
/// its size, and 512 MiB in any case.
uint64_t getInflationLimit(uint64_t size, uint64_t ratio = kMostInflation);

/// A gzipped file that is inflated while it is read from front to back. Each
/// byte has the address that it would have if all of them were in memory, so
/// that offsets and pointers mean the same; but memory is only where bytes were
/// inflated and not released.
class GzipInput {
public:
  /// `bytes`, which must stay, came from `path`. More than `limit` inflated
  /// bytes are an error. Null when the system does not give as many addresses
  /// as there may be bytes; gunzip() needs no more than there are.
  static std::unique_ptr<GzipInput> open(llvm::StringRef bytes,
                                         llvm::StringRef path,
                                         uint64_t limit = uint64_t(16) << 30);
  ~GzipInput();

  const char *begin() const { return first; }
  /// Behind what is inflated so far.
  const char *end() const { return last; }
  llvm::StringRef getBytes() const {
    return llvm::StringRef(first, size_t(last - first));
  }
  /// Whether there is no more: all is inflated, or the rest is broken, which
  /// finish() tells.
  bool isComplete() const { return complete; }

  /// Inflates until there are `count` bytes from `at` on, or no more.
  void require(const char *at, size_t count) {
    if (!complete && size_t(last - at) < count)
      inflate(at, count);
  }
  /// Gives memory back: bytes before `at` must not be read any more.
  void release(const char *at) {
    if (at - released >= kStep)
      releaseSteps(at);
  }

  /// Inflates and releases all that is left, to see whether it is sound.
  llvm::Error finish();

private:
  /// The size of a huge page.
  static constexpr ptrdiff_t kStep = ptrdiff_t(2) << 20;

  GzipInput(std::unique_ptr<GzipMembers> members, char *first, size_t room);
  void inflate(const char *at, size_t count);
  void releaseSteps(const char *at);

  std::unique_ptr<GzipMembers> members;
  char *first;
  char *last;
  char *released;
  size_t room;
  bool complete = false;
  llvm::Error error = llvm::Error::success();
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_GZIPINPUT_H
