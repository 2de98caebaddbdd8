//===- LowerTosa.cpp - Lowering tosa to linalg ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERTOSAPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// In the location of an integer tosa.resize that begins before its input, and
/// thus in the locations of the ops created from it.
static constexpr StringLiteral kResize = "mlirprof.resize";

static bool beginsBeforeInput(tosa::ResizeOp op) {
  SmallVector<int64_t> offset;
  return op.getMode() == tosa::ResizeMode::BILINEAR &&
         op.getInput().getType().getElementType().isInteger() &&
         tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) &&
         llvm::any_of(offset, [](int64_t value) { return value < 0; });
}

static void markResizes(ModuleOp module) {
  module.walk([](tosa::ResizeOp op) {
    if (beginsBeforeInput(op))
      op->setLoc(FusedLoc::get(op.getContext(), {op.getLoc()},
                               StringAttr::get(op.getContext(), kResize)));
  });
}

/// The location that markResizes found; null for ops that do not belong to a
/// resize.
static LocationAttr getUnmarked(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto mark =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return mark && mark.getValue() == kResize
             ? LocationAttr(fused.getLocations().front())
             : LocationAttr();
}

/// Corrects upstream's computation of the pixel to the left, which rounds a
/// division toward zero. The standard requires floor, which differs before the
/// first pixel.
static void mendResizes(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (getUnmarked(op->getLoc()))
      found.push_back(op);
  });
  for (Operation *op : found) {
    op->setLoc(getUnmarked(op->getLoc()));
    auto division = dyn_cast<arith::DivSIOp>(op);
    if (!division)
      continue;
    OpBuilder builder(op);
    division.replaceAllUsesWith(
        arith::FloorDivSIOp::create(builder, op->getLoc(), division.getLhs(),
                                    division.getRhs())
            .getResult());
    division.erase();
  }
}

/// Pads the filters of transposed convolutions to multiples of their strides.
/// Upstream would do it with zeros of the input's type, which may differ from
/// the filter's type. The extra results that the zeros add at the end are
/// sliced off.
static void padFilters(ModuleOp module) {
  module.walk([](tosa::TransposeConv2DOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getWeight().getType());
    if (!type ||
        type.getElementType() == op.getInput().getType().getElementType())
      return;
    // Height and width in a filter of shape (out, height, width, in).
    SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
    SmallVector<int64_t> padding(2 * shape.size(), 0);
    SmallVector<int64_t> outPad = llvm::to_vector(op.getOutPad());
    for (unsigned space : {0, 1}) {
      int64_t &size = shape[1 + space];
      if (ShapedType::isDynamic(size))
        return;
      int64_t more = llvm::alignTo(size, op.getStride()[space]) - size;
      size += more;
      padding[2 * (1 + space) + 1] = more;
      outPad[2 * space + 1] -= more;
    }
    if (type.getShape() == ArrayRef<int64_t>(shape))
      return;
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value padded = tosa::PadOp::create(
        builder, type.clone(shape), op.getWeight(),
        tosa::getTosaConstShape(builder, padding), op.getWeightZp());
    op.getWeightMutable().assign(padded);
    op.setOutPad(outPad);
  });
}

/// Lowers tosa ops to structured ops.
static void addStructure(OpPassManager &manager) {
  // Before linalg, which rejects ops that only these lowerings can express:
  // variables, and a scatter.
  manager.addPass(createTosaToMLProgram());
  manager.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  // These passes nest into functions themselves. Validation is off: ops beyond
  // a profile or level of the standard are supported here too.
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
}

/// Lowers the rest: views, constants, and scales in the bodies of linalg ops.
static void addArithmetic(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToTensorPass());
  // Products with a shift, and thus every rescale, leave tosa.apply_scale,
  // which upstream lowers only on demand.
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arith));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

namespace {

struct LowerTosaPass
    : mlirprof::codegen::impl::LowerTosaPassBase<LowerTosaPass> {
  using LowerTosaPassBase::LowerTosaPassBase;

  void runOnOperation() override {
    bool found = false;
    getOperation()->walk([&](Operation *op) {
      found |= isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
    });
    if (!found)
      return;
    getOperation()->removeAttr(tosa::TargetEnvAttr::name);
    markResizes(getOperation());
    padFilters(getOperation());
    OpPassManager first(ModuleOp::getOperationName());
    addStructure(first);
    // The verifier of tosa.mul does not compare shapes, and canonicalization
    // may not end on the casts that become of it.
    if (failed(runPipeline(first, getOperation())) ||
        failed(verify(getOperation())))
      return signalPassFailure();
    mendResizes(getOperation());
    OpPassManager rest(ModuleOp::getOperationName());
    addArithmetic(rest);
    if (failed(runPipeline(rest, getOperation())))
      signalPassFailure();
  }
};

} // namespace
