//===- SmallCode.cpp - Passes for code that shapes share ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/SmallCode.h"
#include "Stages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Marks all functions, or removes the marks.
class MarkSmallCodePass
    : public PassWrapper<MarkSmallCodePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkSmallCodePass)

  explicit MarkSmallCodePass(bool isMarked) : isMarked(isMarked) {}

  StringRef getArgument() const final { return "mark-small-code"; }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isMarked)
        function->setAttr(codegen::kSmallCode, UnitAttr::get(&getContext()));
      else
        function->removeAttr(codegen::kSmallCode);
  }

private:
  bool isMarked;
};

/// Chooses tiles.
class SmallTilesPass
    : public PassWrapper<SmallTilesPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SmallTilesPass)

  StringRef getArgument() const final { return "small-tiles"; }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      codegen::chooseSmallestTiles(function);
  }
};
} // namespace

std::unique_ptr<Pass> compile::createMarkSmallCodePass(bool isMarked) {
  return std::make_unique<MarkSmallCodePass>(isMarked);
}

std::unique_ptr<Pass> compile::createSmallTilesPass() {
  return std::make_unique<SmallTilesPass>();
}
