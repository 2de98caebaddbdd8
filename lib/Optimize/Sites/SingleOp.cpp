//===- SingleOp.cpp - One op as a model of its own ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/SingleOp.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

/// Whether `op` is computed again rather than passed: it costs nothing, and the
/// compiler looks through it.
static bool isRecomputed(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<linalg::FillOp, tensor::EmptyOp, tensor::PadOp>(op));
}

static bool canPass(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  return type.isIntOrIndexOrFloat();
}

namespace {

/// An op and the ops that it needs, operands before their users.
struct Slice {
  SetVector<Value> arguments;
  SetVector<Operation *> ops;
};

} // namespace

static LogicalResult addToSlice(Operation *op, Slice &slice, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used) {
    Operation *producer = value.getDefiningOp();
    if (isRecomputed(producer) && depth < kMaxDepth) {
      if (failed(addToSlice(producer, slice, depth + 1)))
        return failure();
    } else if (canPass(value.getType())) {
      slice.arguments.insert(value);
    } else {
      return failure();
    }
  }
  slice.ops.insert(op);
  return success();
}

OwningOpRef<ModuleOp> optimize::isolateOp(Operation *op) {
  Slice slice;
  if (!llvm::all_of(op->getResultTypes(), canPass) ||
      op->getNumResults() == 0 || failed(addToSlice(op, slice, 0)))
    return nullptr;
  OpBuilder builder(op->getContext());
  Location location = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, location);
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Type> arguments =
      llvm::map_to_vector(slice.arguments, [](Value v) { return v.getType(); });
  auto function = func::FuncOp::create(
      builder, location, "main",
      builder.getFunctionType(arguments, op->getResultTypes()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip_equal(slice.arguments, body->getArguments()))
    mapping.map(value, argument);
  builder.setInsertionPointToStart(body);
  Operation *last = nullptr;
  for (Operation *part : slice.ops)
    last = builder.clone(*part, mapping);
  func::ReturnOp::create(builder, location, last->getResults());
  codegen::stripChoices(*module);
  return module;
}
