//===- FreeKnownBuffers.cpp - Ends of buffers of known lifetimes ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For host sides that are kept as a list of steps, which do not free memory.
// The plan of buffers needs to know how long those live that are freed in any
// case; whether another one would be freed, which steps would ask, does not
// matter.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

static void freeKnown(bufferization::DeallocOp op) {
  OpBuilder builder(op);
  for (auto [buffer, condition] :
       llvm::zip_equal(op.getMemrefs(), op.getConditions()))
    if (op.getRetained().empty() && matchPattern(condition, m_One()) &&
        buffer.getDefiningOp<memref::AllocOp>())
      memref::DeallocOp::create(builder, op.getLoc(), buffer);
  for (Value isOwned : op.getUpdatedConditions()) {
    Value isNot = arith::ConstantIntOp::create(builder, op.getLoc(), 0, 1);
    isOwned.replaceAllUsesWith(isNot);
  }
  op.erase();
}

namespace {
class FreeKnownBuffersPass
    : public PassWrapper<FreeKnownBuffersPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FreeKnownBuffersPass)

  StringRef getArgument() const final { return "free-known-buffers"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, memref::MemRefDialect>();
  }

  void runOnOperation() final {
    SmallVector<bufferization::DeallocOp> ops;
    getOperation().walk(
        [&](bufferization::DeallocOp op) { ops.push_back(op); });
    for (bufferization::DeallocOp op : ops)
      freeKnown(op);
  }
};
} // namespace

std::unique_ptr<Pass> compile::createFreeKnownBuffersPass() {
  return std::make_unique<FreeKnownBuffersPass>();
}
