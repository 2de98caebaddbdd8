//===- KernelTimes.h - The times of dispatches ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_KERNELTIMES_H
#define MLIR_PROF_LIB_MATCH_KERNELTIMES_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::match {

/// Whether the op `number` is a function that dispatches run.
bool isKernel(const module::ModuleIndex &index, uint32_t number);

/// The time of a dispatch.
struct KernelTime {
  int64_t totalPs = 0;
  /// The part that was measured for several dispatches together.
  int64_t estimatedPs = 0;
  int64_t firstBeginPs = 0;
  uint64_t count = 0;
};

/// By the number of a `dispatch.run`: the time of the ops in its kernel. Those
/// of one kernel have the parts that `profile` distinguishes, or even ones, of
/// its ops' time in `attribution`, and add up to it.
llvm::DenseMap<uint32_t, KernelTime>
getKernelTimes(const module::ModuleIndex &index,
               const attribution::Ownership &ownership,
               const attribution::Attribution &attribution,
               const profile::Profile *profile);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_KERNELTIMES_H
