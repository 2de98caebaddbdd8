//===- Counterparts.h - Ops with the same surroundings ----------*- C++ -*-===//
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_IREE_COUNTERPARTS_H
#define MLIR_PROF_LIB_MATCH_IREE_COUNTERPARTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlirprof::match {

/// Walks from `here` and `there` at the same time, over operands and uses, as
/// long as both ends have ops of one name, and at most a few ops away from
/// `members`. Returns the op at the other end for each of `members` that was
/// reached.
llvm::DenseMap<mlir::Operation *, mlir::Operation *>
findCounterparts(mlir::Operation *here, mlir::Operation *there,
                 const llvm::DenseSet<mlir::Operation *> &members);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_IREE_COUNTERPARTS_H
