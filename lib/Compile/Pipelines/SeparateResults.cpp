//===- SeparateResults.cpp - A buffer for each result ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callers free the buffer of each result. Upstream's deallocation copies what a
// function does not own, but returns one buffer for two results: a value that
// is returned twice, or two views of one.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// A copy of `buffer` at `builder`; null if a new buffer cannot have its type.
static Value copyBuffer(OpBuilder &builder, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getLayout().isIdentity())
    return {};
  Location location = buffer.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, location, buffer, dim));
  Value copy = memref::AllocOp::create(builder, location, type, sizes,
                                       builder.getI64IntegerAttr(64));
  memref::CopyOp::create(builder, location, buffer, copy);
  return copy;
}

/// Whether `function` returns several buffers.
static bool returnsBuffers(func::FuncOp function) {
  return !function.isExternal() && !dispatch::isKernel(function) &&
         llvm::count_if(function.getResultTypes(), [](Type type) {
           return isa<BaseMemRefType>(type);
         }) > 1;
}

static void separateResults(func::FuncOp function) {
  BufferViewFlowAnalysis flow(function);
  Block *entry = &function.getBody().front();
  function.walk([&](func::ReturnOp op) {
    OpBuilder builder(op);
    DenseSet<Value> taken;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isa<BaseMemRefType>(value.getType()))
        continue;
      // Arguments are copied anyway.
      auto sources = llvm::make_filter_range(
          flow.resolveReverse(value), [&](Value source) {
            auto argument = dyn_cast<BlockArgument>(source);
            return !argument || argument.getOwner() != entry;
          });
      bool isShared = false;
      for (Value source : sources)
        isShared |= !taken.insert(source).second;
      if (isShared)
        if (Value copy = copyBuffer(builder, value))
          operand.set(copy);
    }
  });
}

namespace {
class SeparateResultsPass
    : public PassWrapper<SeparateResultsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeparateResultsPass)

  StringRef getArgument() const final { return "separate-results"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<memref::MemRefDialect>();
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (returnsBuffers(function))
        separateResults(function);
  }
};
} // namespace

std::unique_ptr<Pass> compile::createSeparateResultsPass() {
  return std::make_unique<SeparateResultsPass>();
}
