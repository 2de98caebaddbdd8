//===- SmallestTiles.cpp - One number at a time ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlirprof;

void codegen::chooseSmallestTiles(func::FuncOp function) {
  function.walk([](linalg::LinalgOp op) {
    if (!getChoice(op, choice::kTiles, "rows") &&
        !getChoice(op, choice::kTiles, "vectors"))
      setChoice(op, choice::kTiles, {{"rows", "1"}, {"vectors", "1"}});
  });
}
