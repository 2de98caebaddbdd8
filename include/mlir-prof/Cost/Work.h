//===- Work.h - Operations and bytes of the ops of a model ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_WORK_H
#define MLIR_PROF_COST_WORK_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlirprof::cost {

/// The work of the ops of `input`, the program's first level, in one execution
/// of the entry function on arguments of these shapes (one per argument; empty
/// for scalars). An op belongs to the node at its position. Ops whose work is
/// unknown do not have an entry: ops of dialects other than linalg, tosa,
/// tensor and memref, ops with data-dependent shapes, and ops in branches or in
/// loops with unknown trip counts.
///
/// flops: for a structured op, the iterations of its loops times the floating
/// point operations of its body (arithmetic and mathematical functions count
/// one, a fused multiply-add two, comparisons, selections and conversions zero;
/// integer operations are not flops); for tosa, the same based on the
/// definition of the op. bytes: each operand that is read and each result
/// counts once, so this is less than the actual traffic when data does not fit
/// into the caches; views and reshapes do not move data and do not have an
/// entry.
std::vector<profile::NodeWork>
computeWork(mlir::ModuleOp input, const profile::Program &program,
            llvm::ArrayRef<llvm::ArrayRef<int64_t>> argumentShapes);

/// The total work of all ops of `entry`, without those that do not have an
/// entry; zeros if nothing is known.
profile::NodeWork
computeTotalWork(mlir::FunctionOpInterface entry,
                 llvm::ArrayRef<llvm::ArrayRef<int64_t>> argumentShapes);

/// Adds the work of the ops of `input` to the runs of `profile` that lack it,
/// for the programs whose first level is `input`. Covers only ops with static
/// shapes.
void completeWork(mlir::ModuleOp input, profile::Profile &profile);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_WORK_H
