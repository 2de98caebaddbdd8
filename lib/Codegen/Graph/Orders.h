//===- Orders.h - Orders of the dimensions of tensors -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout stores a tensor with its dimensions in another order. An op can have
// its operands and results in such orders without any change of what it
// computes: a structured op reads them through other indexing maps, and pads,
// slices and reshapes have their sizes permuted. This file finds the orders
// that suit an op together.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GRAPH_ORDERS_H
#define MLIR_PROF_LIB_CODEGEN_GRAPH_ORDERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlirprof::codegen {

/// Dimensions of a tensor, outermost first as they are stored. Empty if they
/// are stored as they are numbered.
using Order = llvm::SmallVector<unsigned, 6>;

/// The orders of an op's tensors. Both lists are as long as the op's.
struct OpOrders {
  llvm::SmallVector<Order> operands, results;
};

/// `order`, or an empty one if it does not change anything.
Order simplifyOrder(Order order);

/// `values`, one for each dimension, in `order`.
template <typename T>
llvm::SmallVector<T> permute(llvm::ArrayRef<T> values, const Order &order) {
  if (order.empty())
    return llvm::to_vector(values);
  return llvm::map_to_vector(order, [&](unsigned dim) { return values[dim]; });
}
mlir::RankedTensorType permute(mlir::RankedTensorType type, const Order &order);
mlir::AffineMap permute(mlir::AffineMap map, const Order &order);

/// The position of each dimension in `order`, which has `rank` dimensions.
Order invert(const Order &order, unsigned rank);

/// Whether a tensor of `type` has the same elements one after another in both
/// orders: only dimensions of one element differ in their places.
bool areSameInMemory(mlir::RankedTensorType type, const Order &a,
                     const Order &b);

/// The orders of a convolution with its channels last, and its filters with
/// the channels of the result last. None if `op` is not a sum of products over
/// a window, or has these orders.
std::optional<OpOrders> getChannelsLast(mlir::linalg::LinalgOp op);

/// The orders of all tensors of `op` if the one of its operands, or results,
/// with number `index` has `order`; none if the op cannot follow.
std::optional<OpOrders> followOperand(mlir::Operation *op, unsigned index,
                                      const Order &order);
std::optional<OpOrders> followResult(mlir::Operation *op, unsigned index,
                                     const Order &order);

/// The orders of `extract`, in the body of an op with `orders`, so that it goes
/// through its tensor as that op goes through its result.
std::optional<OpOrders> followBody(mlir::tensor::ExtractOp extract,
                                   const OpOrders &orders);
/// The reverse: the orders of the op around an extract with `orders`.
std::optional<OpOrders> followExtract(mlir::tensor::ExtractOp extract,
                                      const OpOrders &orders);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GRAPH_ORDERS_H
