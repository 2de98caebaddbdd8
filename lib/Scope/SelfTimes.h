//===- SelfTimes.h - Times of scopes without those inside -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_SELFTIMES_H
#define MLIR_PROF_LIB_SCOPE_SELFTIMES_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// Computes the self times of all scopes, and what recording took of each time.
/// `around` is, for each event, the one whose self time lacks it, or kNoScope.
void computeSelfTimes(Recording &recording,
                      const std::vector<uint32_t> &around);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_SELFTIMES_H
