//===- Cpu.cpp - The cpu dialect ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof::cpu;

#include "mlir-prof/Dialect/Cpu/CpuDialect.cpp.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Cpu/CpuOps.cpp.inc"

//===----------------------------------------------------------------------===//
// NestOp
//===----------------------------------------------------------------------===//

/// Whether `buffer` has the elements of `tensor` and may have its shape: sizes
/// may become known later.
static bool isBufferOf(Type buffer, Type tensor) {
  auto memref = dyn_cast<MemRefType>(buffer);
  auto ranked = cast<RankedTensorType>(tensor);
  return memref && memref.getElementType() == ranked.getElementType() &&
         succeeded(verifyCompatibleShape(memref, ranked));
}

LogicalResult NestOp::verify() {
  Block &body = getBody().front();
  if (getOutputs().getTypes() != getResultTypes())
    return emitOpError("must have the types of the outputs as results");
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("must have one argument of the body for each operand");
  for (auto [argument, operand] :
       llvm::zip(body.getArgumentTypes(), getOperandTypes()))
    if (!isBufferOf(argument, operand))
      return emitOpError("must have a buffer of ")
             << operand << " as argument of the body, not " << argument;
  for (int32_t position : getElementwise())
    if (position < 0 || size_t(position) >= getInputs().size())
      return emitOpError("does not have an input ") << position;
  WalkResult result = getBody().walk([&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted()
             ? emitOpError("must not use tensors in its body")
             : success();
}

/// The body runs in any place at which its operands exist, if the ops other
/// than its accesses do: these stay within the tensors.
Speculation::Speculatability NestOp::getSpeculatability() {
  WalkResult result = getBody().walk([](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp, vector::TransferReadOp,
            vector::TransferWriteOp>(op))
      return WalkResult::advance();
    auto other = dyn_cast<ConditionallySpeculatable>(op);
    return other && other.getSpeculatability() != Speculation::NotSpeculatable
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? Speculation::NotSpeculatable
                                 : Speculation::Speculatable;
}

namespace {

/// How a nest becomes its body.
struct NestBufferization
    : bufferization::DstBufferizableOpInterfaceExternalModel<NestBufferization,
                                                             NestOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    auto nest = cast<NestOp>(op);
    return nest.isDpsInput(&operand) || nest.getReadsOutputs();
  }

  /// Whether no element of these operands is read at another point than that
  /// at which it is written.
  bool bufferizesToElementwiseAccess(Operation *op,
                                     const bufferization::AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    auto nest = cast<NestOp>(op);
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return nest.isDpsInit(operand) ||
             llvm::is_contained(nest.getElementwise(),
                                int32_t(operand->getOperandNumber()));
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto nest = cast<NestOp>(op);
    SmallVector<Value> buffers;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    Block &body = nest.getBody().front();
    rewriter.inlineBlockBefore(&body, op, buffers);
    bufferization::replaceOpWithBufferizedValues(
        rewriter, op, ArrayRef(buffers).take_back(nest.getOutputs().size()));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Winograd's transforms
//===----------------------------------------------------------------------===//

/// Checks that `tiles`, with one row for each tile at each place of the
/// transform, are those of `image`, which has `margin` pixels more than outputs
/// a side.
static LogicalResult verifyTransform(Operation *op, uint64_t outputs,
                                     RankedTensorType image, int64_t margin,
                                     RankedTensorType tiles) {
  if (outputs != 2 && outputs != 4)
    return op->emitOpError("must have 2 or 4 outputs a side");
  if (!image.hasStaticShape() || !tiles.hasStaticShape())
    return op->emitOpError("must have tensors of known sizes");
  int64_t side = int64_t(outputs), height = image.getDimSize(1) - margin,
          width = image.getDimSize(2) - margin;
  if (height <= 0 || width <= 0)
    return op->emitOpError("must have an image with outputs, not ") << image;
  if (margin != 0 && (height % side != 0 || width % side != 0))
    return op->emitOpError("must have tiles that cover ") << image;
  std::optional<int64_t> count =
      llvm::checkedMul(llvm::divideCeilSigned(height, side),
                       llvm::divideCeilSigned(width, side));
  if (count)
    count = llvm::checkedMul(*count, image.getDimSize(0));
  int64_t places = (side + 2) * (side + 2);
  if (!count || tiles.getShape() !=
                    ArrayRef<int64_t>({places, *count, image.getDimSize(3)}))
    return op->emitOpError("must have the tiles of ")
           << image << ", not " << tiles;
  return success();
}

LogicalResult WinogradInputOp::verify() {
  return verifyTransform(
      *this, getOutputs(), cast<RankedTensorType>(getSource().getType()),
      /*margin=*/2, cast<RankedTensorType>(getInit().getType()));
}

LogicalResult WinogradOutputOp::verify() {
  return verifyTransform(
      *this, getOutputs(), cast<RankedTensorType>(getInit().getType()),
      /*margin=*/0, cast<RankedTensorType>(getSource().getType()));
}

void CpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mlir-prof/Dialect/Cpu/CpuOps.cpp.inc"
      >();
  NestOp::attachInterface<NestBufferization>(*getContext());
}
