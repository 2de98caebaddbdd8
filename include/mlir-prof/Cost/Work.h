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

/// What the ops of `input`, the program's first level, do in one execution of
/// the entry function on arguments of these shapes (one for each argument;
/// empty for scalars). An op belongs to the node of its position. Ops of which
/// this is not known have no entry: of dialects other than linalg, tosa, tensor
/// and memref, with shapes that depend on data, or in branches and in loops
/// whose trips are not known.
///
/// flops: of a structured op the iterations of its loops times the floating
/// point operations of its body (arithmetic and mathematical functions count
/// one, a fused multiply-add two, comparisons, selections and conversions
/// nothing; operations on integers are no flops); of tosa the same for what the
/// op is defined as. bytes: each operand that is read and each result once, so
/// less than what moves when data does not fit into the caches; views and
/// reshapes move nothing and have no entry.
std::vector<profile::NodeWork>
computeWork(mlir::ModuleOp input, const profile::Program &program,
            llvm::ArrayRef<llvm::ArrayRef<int64_t>> argumentShapes);

/// The same of all ops of `entry` together, without those that have no entry;
/// zeros where nothing is known.
profile::NodeWork
computeTotalWork(mlir::FunctionOpInterface entry,
                 llvm::ArrayRef<llvm::ArrayRef<int64_t>> argumentShapes);

/// Adds to the runs of `profile` that lack it what the ops of `input` do, for
/// the programs whose first level it is: the work of the ops whose shapes are
/// static.
void completeWork(mlir::ModuleOp input, profile::Profile &profile);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_WORK_H
