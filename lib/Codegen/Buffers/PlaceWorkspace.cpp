//===- PlaceWorkspace.cpp - Buffers in memory of the caller ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For targets without a heap. After cpu-plan-buffers few allocations are left:
// that of a block, and those of branches. Each gets a place of its own.
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PLACEWORKSPACEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct PlaceWorkspacePass
    : mlirprof::codegen::impl::PlaceWorkspacePassBase<PlaceWorkspacePass> {
  using PlaceWorkspacePassBase::PlaceWorkspacePassBase;

  void runOnOperation() override;

private:
  LogicalResult place(memref::AllocOp alloc);

  int64_t bytes = 0;
};

} // namespace

LogicalResult PlaceWorkspacePass::place(memref::AllocOp alloc) {
  func::FuncOp function = getOperation();
  MemRefType type = alloc.getType();
  int64_t size = getBufferBytes(type);
  if (size == 0 && !(type.hasStaticShape() && type.getNumElements() == 0))
    return alloc.emitOpError()
           << "needs memory that cannot be planned: its size is not known, or "
              "its elements are not whole bytes";
  Builder builder(&getContext());
  unsigned index = function.getNumArguments();
  if (failed(function.insertArgument(
          index, MemRefType::get(type.getShape(), type.getElementType()),
          builder.getDictionaryAttr(builder.getNamedAttr(
              kWorkspace, builder.getI64IntegerAttr(bytes))),
          alloc.getLoc())))
    return alloc.emitOpError("does not get a place in the workspace");
  // Sizes are small enough for sums of them.
  bytes += int64_t(llvm::alignTo(size, kBufferAlignment));
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  alloc.replaceAllUsesWith(function.getArgument(index));
  alloc.erase();
  return success();
}

void PlaceWorkspacePass::runOnOperation() {
  func::FuncOp function = getOperation();
  bool isCalled = dispatch::isKernel(function) || function.isPublic();
  if (!isCalled || function.isExternal())
    return;
  bytes = 0;
  SmallVector<memref::AllocOp> allocs;
  function.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs)
    if (failed(place(alloc)))
      return signalPassFailure();
  if (bytes != 0)
    function->setAttr(kWorkspace,
                      Builder(&getContext()).getI64IntegerAttr(bytes));
}
