//===- GzipInput.h - Inflating a file while reading it ----------*- C++ -*-===//
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

/// Default limit on the inflation factor of a gzipped file. Traces inflate to
/// 10 to 30 times, bombs to 1,000 times their size.
inline constexpr uint64_t kMostInflation = 128;

/// Limit on the inflated size of a gzipped file of `size` bytes: `ratio` times
/// its size, but at least 512 MiB.
uint64_t getInflationLimit(uint64_t size, uint64_t ratio = kMostInflation);

/// A gzipped file that is inflated while being read from front to back. Each
/// byte has the address that it would have if all of them were in memory, so
/// that offsets and pointers are stable; but only inflated bytes that were not
/// released occupy memory.
class GzipInput {
public:
  /// `bytes`, which must remain valid, came from `path`. More than `limit`
  /// inflated bytes are an error. Null if the system does not provide enough
  /// addresses for the limit; gunzip() needs only as many as there are bytes.
  static std::unique_ptr<GzipInput> open(llvm::StringRef bytes,
                                         llvm::StringRef path,
                                         uint64_t limit = uint64_t(16) << 30);
  ~GzipInput();

  const char *begin() const { return first; }
  /// The end of the bytes inflated so far.
  const char *end() const { return last; }
  llvm::StringRef getBytes() const {
    return llvm::StringRef(first, size_t(last - first));
  }
  /// Whether there are no more bytes: everything is inflated, or the rest is
  /// broken, which finish() reports.
  bool isComplete() const { return complete; }

  /// Inflates until `count` bytes from `at` on are available, or no more exist.
  void require(const char *at, size_t count) {
    if (!complete && size_t(last - at) < count)
      inflate(at, count);
  }
  /// Releases memory: bytes before `at` must not be read anymore.
  void release(const char *at) {
    if (at - released >= kStep)
      releaseSteps(at);
  }

  /// Inflates and releases the rest, to check that it is valid.
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
