//===- PassState.cpp - Variables in memory of the caller ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PASSSTATEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The accesses of `function` to the buffer of all variables.
static SmallVector<memref::GetGlobalOp> findAccesses(func::FuncOp function) {
  SmallVector<memref::GetGlobalOp> accesses;
  function.walk([&](memref::GetGlobalOp op) {
    if (op.getName() == kStateSymbol)
      accesses.push_back(op);
  });
  return accesses;
}

static LogicalResult takeFromCaller(func::FuncOp function) {
  SmallVector<memref::GetGlobalOp> accesses = findAccesses(function);
  if (accesses.empty())
    return success();
  if (!function.isPublic())
    return accesses.front().emitOpError(
        "is in a function that callers of the model do not call");
  Builder builder(function.getContext());
  unsigned index = function.getNumArguments();
  DictionaryAttr mark = builder.getDictionaryAttr(
      builder.getNamedAttr(kState, builder.getUnitAttr()));
  if (failed(function.insertArgument(index, accesses.front().getType(), mark,
                                     function.getLoc())))
    return failure();
  for (memref::GetGlobalOp access : accesses) {
    access.replaceAllUsesWith(function.getArgument(index));
    access.erase();
  }
  return success();
}

namespace {
struct PassStatePass
    : mlirprof::codegen::impl::PassStatePassBase<PassStatePass> {
  using PassStatePassBase::PassStatePassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(takeFromCaller(function)))
        return signalPassFailure();
    SymbolTable symbols(getOperation());
    if (Operation *state = symbols.lookup(kStateSymbol))
      symbols.erase(state);
  }
};
} // namespace
