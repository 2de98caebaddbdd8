//===- Bufferization.cpp - Bufferization of dispatches --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bufferization.h"

#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::dispatch;
using namespace mlir::bufferization;

/// The type of the buffer that `kernel` takes for its argument `index`, a
/// tensor of type `tensor` or already a buffer.
static MemRefType getArgumentType(func::FuncOp kernel, unsigned index,
                                  RankedTensorType tensor,
                                  const BufferizationOptions &options) {
  if (kernel) {
    Type type = kernel.getArgumentTypes()[index];
    if (auto memref = dyn_cast<MemRefType>(type))
      return memref;
    if (options.bufferizeFunctionBoundaries &&
        options.functionArgTypeConverterFn)
      return cast<MemRefType>(options.functionArgTypeConverterFn(
          cast<TensorLikeType>(type), Attribute(), kernel, options));
  }
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

namespace {

struct RunBufferization
    : DstBufferizableOpInterfaceExternalModel<RunBufferization, RunOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto run = cast<RunOp>(op);
    if (!run.isDpsInit(&operand))
      return true;
    return run.isUpdated(operand.getOperandNumber() - run.getInputs().size());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const;
};

/// A destination whose buffer the kernel cannot take: the kernel writes to
/// `copy`, which is copied to `buffer` afterward.
struct CopiedDestination {
  Value copy, buffer;
};

} // namespace

LogicalResult RunBufferization::bufferize(Operation *op, RewriterBase &rewriter,
                                          const BufferizationOptions &options,
                                          BufferizationState &state) const {
  auto run = cast<RunOp>(op);
  if (run.hasPureBufferSemantics())
    return success();
  auto kernel = state.getSymbolTables().lookupNearestSymbolFrom<func::FuncOp>(
      op, run.getKernelAttr());
  SmallVector<Value> operands, results;
  SmallVector<CopiedDestination> copied;
  for (OpOperand &operand : op->getOpOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!tensor) {
      operands.push_back(operand.get());
      continue;
    }
    FailureOr<Value> buffer =
        getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    MemRefType type =
        getArgumentType(kernel, operand.getOperandNumber(), tensor, options);
    FailureOr<Value> passed = buffer;
    // Reads the buffer, which does no harm to a destination that is written.
    if (buffer->getType() != type)
      passed = castOrReallocMemRefValue(rewriter, *buffer, type, options);
    if (failed(passed))
      return failure();
    operands.push_back(*passed);
    if (!run.isDpsInit(&operand))
      continue;
    results.push_back(*buffer);
    if (*passed != *buffer && !passed->getDefiningOp<memref::CastOp>())
      copied.push_back({*passed, *buffer});
  }
  size_t inputs = run.getInputs().size();
  RunOp::create(rewriter, op->getLoc(), TypeRange(), run.getKernelAttr(),
                ArrayRef(operands).take_front(inputs),
                ArrayRef(operands).drop_front(inputs), run.getUpdatesAttr(),
                run.getInstanceAttr(), run.getOriginsAttr(),
                run.getDeviceAttr());
  for (CopiedDestination destination : copied)
    if (failed(options.createMemCpy(rewriter, op->getLoc(), destination.copy,
                                    destination.buffer)))
      return failure();
  replaceOpWithBufferizedValues(rewriter, op, results);
  return success();
}

void dispatch::registerBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DispatchDialect *) {
    RunOp::attachInterface<RunBufferization>(*context);
    // Casts and copies of buffers whose layout a kernel does not take.
    context->loadDialect<memref::MemRefDialect>();
  });
}
