//===- SourceChains.h - Source calls of ops ---------------------*- C++ -*-===//
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

/// The positions of a module's ops in the user's program.
struct SourceChains {
  /// Each refers to the frame that called it (SourceFrame::parent).
  std::vector<SourceFrame> frames;
  /// The innermost frame of each of Ownership::ops: a 1-based index into
  /// `frames`, 0 for none.
  std::vector<uint32_t> frameOfOp;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SOURCECHAINS_H
