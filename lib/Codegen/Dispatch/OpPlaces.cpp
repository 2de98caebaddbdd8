//===- OpPlaces.cpp - Host side or kernel ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Winograd/Transforms.h"
#include "Groups.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Larger constants with one value for all elements are operands, since a
/// kernel would have to store them.
static constexpr int64_t kMostSplatElements = 64;

/// Whether kernels have a copy of the constant `op`.
static bool isSmallConstant(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() != 1)
    return false;
  auto tensor = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!tensor)
    return !isa<TensorType, BaseMemRefType>(op->getResult(0).getType());
  SplatElementsAttr splat;
  return tensor.getNumElements() <= kMostSplatElements &&
         matchPattern(op->getResult(0), m_Constant(&splat));
}

/// Whether all results of `op` are ranked tensors; it has one at least.
static bool makesTensors(Operation *op) {
  return op->getNumResults() != 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

static bool keepsSizes(scf::ForOp loop);

/// The tensor that `value` is a new state of, and has the size of; null if that
/// is not known.
static Value getFormerState(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  auto result = cast<OpResult>(value);
  if (auto inner = dyn_cast<scf::ForOp>(op))
    return keepsSizes(inner) ? inner.getInitArgs()[result.getResultNumber()]
                             : Value();
  if (auto insertion = dyn_cast<tensor::InsertOp>(op))
    return insertion.getDest();
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return insertion.getDest();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.getTiedOpOperand(result)->get();
  return {};
}

/// Whether all that `loop` carries has the same size after each iteration: a
/// kernel writes its result to a buffer of that size.
static bool keepsSizes(scf::ForOp loop) {
  for (auto [carried, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto type = dyn_cast<ShapedType>(carried.getType());
    if (!type || type.hasStaticShape())
      continue;
    Value value = yielded;
    while (value && value != carried)
      value = getFormerState(value);
    if (!value)
      return false;
  }
  return true;
}

/// Whether `loop` computes on elements and vectors, as the loops of Winograd's
/// algorithm do. Loops around structured ops or calls are control flow.
static bool isKernelLoop(scf::ForOp loop) {
  if (!makesTensors(loop) || !isMemoryEffectFree(loop) || !keepsSizes(loop))
    return false;
  return !loop.walk([](Operation *op) {
                bool isHost = isa<linalg::LinalgOp, CallOpInterface,
                                  scf::WhileOp, dispatch::RunOp>(op) ||
                              !op->isRegistered();
                return isHost ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

static OpPlace getStructuredPlace(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !makesTensors(op))
    return OpPlace::Host;
  auto fill = dyn_cast<linalg::FillOp>(op.getOperation());
  bool fillsNew = fill && fill.output().getDefiningOp<tensor::EmptyOp>();
  return fillsNew ? OpPlace::EachKernel : OpPlace::Kernel;
}

OpPlace codegen::getPlace(Operation *op) {
  if (isSmallConstant(op))
    return OpPlace::EachKernel;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return getStructuredPlace(structured);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isKernelLoop(loop) ? OpPlace::Kernel : OpPlace::Host;
  if (!makesTensors(op))
    return OpPlace::Host;
  if (isa<tensor::EmptyOp, tensor::ExtractSliceOp>(op))
    return OpPlace::EachKernel;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op))
    return OpPlace::View;
  if (isTransform(op))
    return OpPlace::Kernel;
  if (isa<tensor::ConcatOp, tensor::GatherOp, tensor::GenerateOp,
          tensor::InsertSliceOp, tensor::PadOp, tensor::ScatterOp,
          tensor::SplatOp>(op) &&
      isMemoryEffectFree(op))
    return OpPlace::Kernel;
  return OpPlace::Host;
}

bool codegen::isMadeInKernel(Value value,
                             llvm::function_ref<bool(Value)> isKnown) {
  while (!isKnown(value)) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    OpPlace place = getPlace(op);
    if (place != OpPlace::View)
      return place == OpPlace::EachKernel;
    value = op->getOperand(0);
  }
  return true;
}
