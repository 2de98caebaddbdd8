//===- JoinedGroups.h - Grouped convolutions with one loop ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped convolution whose loops over groups and over the filters of a group
// are one loop over all filters (cpu-join-groups). Filter v reads the channels
// of its group: (v floordiv filters) * channels + c.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_JOINEDGROUPS_H
#define MLIR_PROF_LIB_CODEGEN_NEST_JOINEDGROUPS_H

#include "Plan.h"

namespace mlirprof::codegen {

/// The groups of `op`, if it is a convolution with joined groups.
std::optional<JoinedGroups> findJoinedGroups(mlir::linalg::LinalgOp op);

/// Whether `op` is a convolution or pooling, or a convolution with joined
/// groups.
bool isConvolution(mlir::linalg::LinalgOp op);

/// How the vectors along the loop over all filters lie.
struct GroupVectors {
  int64_t lanes = 1;
  /// Whether a vector covers several whole groups; otherwise, each group has
  /// vectors of its own, the last of which may be masked.
  bool coversGroups = false;
};

/// Vectors of `op`, with `groups` and of `elementBits`, on `target`. Several
/// groups share a vector if more than two fill it exactly and their channels,
/// which are loaded at once and spread over the lanes, are few vectors.
GroupVectors getGroupVectors(mlir::linalg::LinalgOp op,
                             const JoinedGroups &groups, unsigned elementBits,
                             const TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_JOINEDGROUPS_H
