//===- LowerCopies.cpp - Copies of strided buffers ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Marks.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERCOPIESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Whether the copy lowers to memcpy rather than to a library call.
static bool isPlain(memref::CopyOp copy) {
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  return source && target && source.getLayout().isIdentity() &&
         target.getLayout().isIdentity();
}

namespace {

struct LowerCopiesPass
    : mlirprof::codegen::impl::LowerCopiesPassBase<LowerCopiesPass> {
  using LowerCopiesPassBase::LowerCopiesPassBase;

  void runOnOperation() override {
    // A mark that came with the model does not say anything.
    getOperation()->walk(
        [](linalg::LinalgOp op) { op->removeDiscardableAttr(kCopy); });
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) {
      if (isa<MemRefType>(copy.getSource().getType()) &&
          isa<MemRefType>(copy.getTarget().getType()) && !isPlain(copy))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      linalg::GenericOp loops = linalg::makeMemRefCopyOp(
          builder, copy.getLoc(), copy.getSource(), copy.getTarget());
      loops->setDiscardableAttr(kCopy, builder.getUnitAttr());
      copy.erase();
    }
  }
};

} // namespace
