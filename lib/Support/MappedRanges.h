//===- MappedRanges.h - Mapped files that may shrink ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SUPPORT_MAPPEDRANGES_H
#define MLIR_PROF_LIB_SUPPORT_MAPPEDRANGES_H

#include "llvm/ADT/StringRef.h"

#include <csignal>

namespace mlirprof {

/// During its lifetime, `bytes`, a mapped file, can be read to its end even if
/// the file has become shorter or its disk fails: such pages read as zeros
/// instead of ending the process by SIGBUS.
class MappedRange {
public:
  explicit MappedRange(llvm::StringRef bytes);
  ~MappedRange();
  MappedRange(const MappedRange &) = delete;
  MappedRange &operator=(const MappedRange &) = delete;

  /// Whether a slot was free; otherwise nothing is guarded.
  bool isGuarded() const { return slot != kNoSlot; }
  /// Whether a missing page was read so far.
  bool isBroken() const;

private:
  static constexpr unsigned kNoSlot = ~0u;

  unsigned slot = kNoSlot;
};

/// For handlers of SIGBUS: whether `info` is an access to a missing page of
/// such a file. If so, the page is now zeros, and the access can be repeated.
bool coverMissingPages(const siginfo_t &info);

/// Whether all of `bytes` is within one such file.
bool isInMappedRange(llvm::StringRef bytes);

/// Releases the pages that are completely within `bytes`, which are in a mapped
/// file: other memory would lose its content.
void releaseWithin(llvm::StringRef bytes);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_SUPPORT_MAPPEDRANGES_H
