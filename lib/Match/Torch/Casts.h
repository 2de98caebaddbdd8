//===- Casts.h - Casts that a framework inserts -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_CASTS_H
#define MLIR_PROF_LIB_MATCH_TORCH_CASTS_H

#include "FrameworkCalls.h"
#include "llvm/ADT/BitVector.h"

namespace mlirprof::match {

/// The calls that convert operands because mixed precision was on, and
/// everything that they called; one bit for each call. Autocast converts the
/// operands of an op and then calls the op again, within the first call; the
/// derivative of such a cast has its sequence number.
llvm::BitVector findCasts(const FrameworkCalls &calls);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_CASTS_H
