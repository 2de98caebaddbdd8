//===- ReorderOps.h - Storing tensors in other orders -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GRAPH_REORDEROPS_H
#define MLIR_PROF_LIB_CODEGEN_GRAPH_REORDEROPS_H

#include "Orders.h"
#include "llvm/ADT/MapVector.h"

namespace mlirprof::codegen {

/// Ops, each after those whose results it uses, and the orders that they get.
using OrderedOps = llvm::MapVector<mlir::Operation *, OpOrders>;

/// Whether another order of `value` is free: its content is known or does not
/// matter.
bool isReorderedForFree(mlir::Value value);

/// Whether `use` does not read elements, and so does not depend on their order.
bool readsShapeOnly(mlir::OpOperand &use);

/// Whether `op` only copies its input, so that it disappears if both are stored
/// in the same order.
bool isTranspose(mlir::Operation *op);

/// Replaces each op of `ops` by one on tensors in its orders. Where other ops
/// use a tensor in another order, it is transposed once, after its definition.
void reorderOps(const OrderedOps &ops);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GRAPH_REORDEROPS_H
