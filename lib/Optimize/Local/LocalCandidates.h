//===- LocalCandidates.h - Choices within kernels ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALCANDIDATES_H
#define MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALCANDIDATES_H

#include "../Search/SearchSpace.h"
#include "KernelOrigins.h"

namespace mlirprof::optimize {

/// A choice for one op of a kernel, by a technique that acts within kernels.
struct LocalCandidate {
  const Technique *technique = nullptr;
  KernelOp op;
  /// The sites that the op comes from: all get the choice.
  std::vector<size_t> sites;
  tuning::Choice choice;
  /// The higher, the earlier it is tried: the kernel's part of the time, less
  /// for each choice of the technique for the op that promises more.
  double priority = 0;
};

/// The choices of `space` that act within the kernels of `model`, the most
/// promising first. `seconds` are the times of the kernels in one run; kernels
/// with less than `leastSeconds` are left out. `context` has loaded the
/// dialects of kernels.
std::vector<LocalCandidate>
proposeLocally(const compile::CompiledModel &model, const ModelSites &sites,
               const SearchSpace &space, llvm::ArrayRef<double> seconds,
               double leastSeconds, mlir::MLIRContext &context);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALCANDIDATES_H
