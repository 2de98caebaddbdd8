//===- SourceChains.h - Calls that ops come from ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_SOURCECHAINS_H
#define MLIR_PROF_PROFILE_SOURCECHAINS_H

#include "mlir-prof/Profile/HloModule.h"

namespace mlirprof::profile {

/// From where in the user's program the ops of a module come.
struct SourceChains {
  /// Each names the frame that called it (SourceFrame::parent).
  std::vector<SourceFrame> frames;
  /// For each of Ownership::ops its innermost frame: a 1-based index into
  /// `frames`, 0 for none.
  std::vector<uint32_t> frameOfOp;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SOURCECHAINS_H
