//===- Transforms.cpp - The ops of Winograd's transforms ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms.h"
#include "../Nest/Body.h"
#include "../Nest/Plan.h"
#include "Emit.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// An epilogue is repeated for each output of a tile, so it has few
/// instructions: those of a function belong into a loop of their own.
static constexpr unsigned kMostEpilogueCost = 16;
/// The dimension of the channels in an image.
static constexpr unsigned kChannelDim = 3;

bool codegen::isTransform(Operation *op) {
  return isa<cpu::WinogradInputOp, cpu::WinogradOutputOp>(op);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Whether vectors of `operand` of `op` are loads, or the same in all lanes.
static bool hasSimpleVectors(LinalgOp op, OpOperand &operand) {
  Access access = getAccess(op.getMatchingIndexingMap(&operand), kChannelDim);
  return access.kind == AccessKind::Invariant ||
         (access.kind == AccessKind::Contiguous && access.panel == 0);
}

LinalgOp codegen::getEpilogue(cpu::WinogradOutputOp op) {
  Value value = op.getResult();
  if (!value.hasOneUse() || getChoice(op, choice::kFusion, "with") == "none")
    return {};
  OpOperand &use = *value.use_begin();
  auto next = dyn_cast<LinalgOp>(use.getOwner());
  if (!next || next->getBlock() != op->getBlock() ||
      !next.hasPureTensorSemantics() || next.getNumDpsInits() != 1 ||
      !next.isDpsInput(&use) || next.getNumLoops() != kChannelDim + 1 ||
      next.getNumParallelLoops() != next.getNumLoops() ||
      next.hasIndexSemantics() || isForSize(next))
    return {};
  OpOperand *init = next.getDpsInitOperand(0);
  if (!next.getMatchingIndexingMap(&use).isIdentity() ||
      !next.getMatchingIndexingMap(init).isIdentity() ||
      next.payloadUsesValueFromOperand(init))
    return {};
  std::optional<NestFacts> facts = getNestFacts(next);
  bool isSimple =
      facts && !facts->hasExtracts && facts->bodyCost <= kMostEpilogueCost &&
      llvm::all_of(next.getDpsInputOperands(), [&](OpOperand *input) {
        return hasSimpleVectors(next, *input);
      });
  return isSimple ? next : LinalgOp();
}

namespace {
/// Computes the epilogue on vectors.
class EpilogueEmitter {
public:
  EpilogueEmitter(LinalgOp epilogue, Value given)
      : epilogue(epilogue), given(given) {
    for (OpOperand *input : epilogue.getDpsInputOperands())
      if (input->get() != given && isa<ShapedType>(input->get().getType()))
        tensors.insert(input->get());
  }

  /// The tensors that it reads, other than the given one.
  ArrayRef<Value> getTensors() const { return tensors.getArrayRef(); }
  /// The positions of those that are read where the result is written only.
  SmallVector<int32_t> getElementwise();
  /// `buffers` are those of the tensors.
  Value emit(OpBuilder &builder, Value value, ArrayRef<OpFoldResult> indices,
             ValueRange buffers);

private:
  Value load(OpBuilder &builder, OpOperand &input, VectorType type,
             ArrayRef<OpFoldResult> indices, ValueRange buffers);

  LinalgOp epilogue;
  Value given;
  llvm::SmallSetVector<Value, 4> tensors;
};
} // namespace

SmallVector<int32_t> EpilogueEmitter::getElementwise() {
  SmallVector<int32_t> positions;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (llvm::all_of(epilogue.getDpsInputOperands(), [&](OpOperand *input) {
          return input->get() != tensors[i] ||
                 epilogue.getMatchingIndexingMap(input).isIdentity();
        }))
      positions.push_back(int32_t(i));
  return positions;
}

Value EpilogueEmitter::load(OpBuilder &builder, OpOperand &input,
                            VectorType type, ArrayRef<OpFoldResult> indices,
                            ValueRange buffers) {
  Location location = epilogue.getLoc();
  Value tensor = input.get();
  auto found = llvm::find(tensors, tensor);
  if (found == tensors.end())
    return tensor;
  Value buffer = buffers[found - tensors.begin()];
  AffineMap map = epilogue.getMatchingIndexingMap(&input);
  SmallVector<Value> places;
  for (unsigned result = 0; result < map.getNumResults(); ++result)
    places.push_back(getValueOrCreateConstantIndexOp(
        builder, location,
        affine::makeComposedFoldedAffineApply(
            builder, location, map.getSubMap({result}), indices)));
  if (getAccess(map, kChannelDim).kind == AccessKind::Invariant)
    return memref::LoadOp::create(builder, location, buffer, places);
  Type element = getElementTypeOrSelf(tensor.getType());
  Value zero = arith::ConstantOp::create(builder, location,
                                         builder.getZeroAttr(element));
  return vector::TransferReadOp::create(builder, location, type.clone(element),
                                        buffer, places, zero,
                                        ArrayRef<bool>{true});
}

Value EpilogueEmitter::emit(OpBuilder &builder, Value value,
                            ArrayRef<OpFoldResult> indices,
                            ValueRange buffers) {
  auto type = cast<VectorType>(value.getType());
  SmallVector<Value> arguments;
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    bool isRead = epilogue.payloadUsesValueFromOperand(input);
    arguments.push_back(!isRead ? Value()
                        : input->get() == given
                            ? value
                            : load(builder, *input, type, indices, buffers));
  }
  Value result =
      cloneBody(builder, *epilogue.getBlock(), arguments, type.getDimSize(0),
                /*mask=*/{}, [](unsigned) { return Value(); }, /*extract=*/{})
          .front();
  return toVector(builder, epilogue.getLoc(), result, type.getDimSize(0));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The tiles of `image`, which has `margin` pixels more than outputs a side.
static WinogradShape getShape(Value image, int64_t outputs, int64_t margin,
                              unsigned vectorBits) {
  auto type = cast<RankedTensorType>(image.getType());
  return {type.getDimSize(0),
          llvm::divideCeilSigned(type.getDimSize(1) - margin, outputs),
          llvm::divideCeilSigned(type.getDimSize(2) - margin, outputs),
          type.getDimSize(3), std::max(1u, vectorBits / 32)};
}

static Value leaveAsItIs(Value value, ArrayRef<OpFoldResult>) { return value; }

/// Opens an op that computes `target` from `inputs` by loops on buffers, which
/// are the arguments of its body.
static cpu::NestOp openNest(OpBuilder &builder, Location location,
                            ArrayRef<Value> inputs, Value target,
                            ArrayRef<int32_t> elementwise) {
  auto nest = cpu::NestOp::create(builder, location, target.getType(), inputs,
                                  target, elementwise, /*reads_outputs=*/false);
  SmallVector<Type> types;
  for (Type type : nest->getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
  }
  builder.createBlock(&nest.getBody(), {}, types,
                      SmallVector<Location>(types.size(), location));
  return nest;
}

static void expandInput(RewriterBase &rewriter, cpu::WinogradInputOp op,
                        unsigned vectorBits) {
  cpu::NestOp nest = openNest(rewriter, op.getLoc(), {op.getSource()},
                              op.getInit(), /*elementwise=*/{});
  Block &body = nest.getBody().front();
  emitInputTransform(
      rewriter, op.getLoc(), getCookToom(op.getOutputs()),
      getShape(op.getSource(), op.getOutputs(), /*margin=*/2, vectorBits),
      body.getArgument(0), body.getArgument(1));
  rewriter.replaceOp(op, nest.getResults());
}

static void expandOutput(RewriterBase &rewriter, cpu::WinogradOutputOp op,
                         unsigned vectorBits) {
  LinalgOp epilogue = getEpilogue(op);
  std::optional<EpilogueEmitter> emitter;
  SmallVector<Value> inputs;
  SmallVector<int32_t> elementwise;
  if (epilogue) {
    emitter.emplace(epilogue, op.getResult());
    llvm::append_range(inputs, emitter->getTensors());
    elementwise = emitter->getElementwise();
    rewriter.setInsertionPoint(epilogue);
  }
  inputs.push_back(op.getSource());
  cpu::NestOp nest = openNest(
      rewriter, op.getLoc(), inputs,
      epilogue ? epilogue.getDpsInits()[0] : op.getInit(), elementwise);
  ValueRange buffers = nest.getBody().getArguments();
  emitOutputTransform(
      rewriter, op.getLoc(), getCookToom(op.getOutputs()),
      getShape(op.getInit(), op.getOutputs(), /*margin=*/0, vectorBits),
      buffers[inputs.size() - 1], buffers.back(),
      [&](Value value, ArrayRef<OpFoldResult> indices) {
        return emitter ? emitter->emit(rewriter, value, indices,
                                       buffers.take_front(inputs.size() - 1))
                       : value;
      });
  rewriter.replaceOp(epilogue ? epilogue.getOperation() : op,
                     nest.getResults());
  if (epilogue)
    rewriter.eraseOp(op);
}

void codegen::expandOnBuffers(RewriterBase &rewriter, Operation *op,
                              unsigned vectorBits) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto input = dyn_cast<cpu::WinogradInputOp>(op))
    expandInput(rewriter, input, vectorBits);
  else
    expandOutput(rewriter, cast<cpu::WinogradOutputOp>(op), vectorBits);
}

/// `tensor`, or the part of it that `type` has.
static Value cut(OpBuilder &builder, Location location, Value tensor,
                 RankedTensorType type) {
  if (tensor.getType() == type)
    return tensor;
  SmallVector<OpFoldResult> zeros(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, location, type, tensor, zeros,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()), ones);
}

void codegen::expandOnTensors(RewriterBase &rewriter, Operation *op,
                              unsigned vectorBits) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location location = op->getLoc();
  if (auto input = dyn_cast<cpu::WinogradInputOp>(op)) {
    WinogradShape shape =
        getShape(input.getSource(), input.getOutputs(), 2, vectorBits);
    rewriter.replaceOp(op, emitInputTransform(rewriter, location,
                                              getCookToom(input.getOutputs()),
                                              shape, input.getSource(),
                                              input.getInit()));
    return;
  }
  auto output = cast<cpu::WinogradOutputOp>(op);
  int64_t outputs = output.getOutputs();
  auto type = cast<RankedTensorType>(output.getType());
  WinogradShape shape = getShape(output.getInit(), outputs, 0, vectorBits);
  SmallVector<int64_t> sizes = {shape.batch, shape.tilesDown * outputs,
                                shape.tilesAcross * outputs, shape.channels};
  Value target = output.getInit();
  if (type.getShape() != ArrayRef(sizes))
    target = tensor::EmptyOp::create(rewriter, location, sizes,
                                     type.getElementType());
  Value whole =
      emitOutputTransform(rewriter, location, getCookToom(outputs), shape,
                          output.getSource(), target, leaveAsItIs);
  rewriter.replaceOp(op, cut(rewriter, location, whole, type));
}
