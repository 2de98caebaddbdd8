//===- LowerTosa.cpp - Lowering tosa to linalg ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Quantized/QuantizedOps.h"
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
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
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

/// In the locations of ops whose lowering by upstream is mended, and thus in
/// those of the ops created from them.
static constexpr StringLiteral kResize = "mlirprof.resize";
static constexpr StringLiteral kAverage = "mlirprof.average";

/// Whether `op` reads integers before its input.
static bool beginsBeforeInput(tosa::ResizeOp op) {
  SmallVector<int64_t> offset;
  return op.getMode() == tosa::ResizeMode::BILINEAR &&
         op.getInput().getType().getElementType().isInteger() &&
         tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) &&
         llvm::any_of(offset, [](int64_t value) { return value < 0; });
}

/// Whether `op` averages integers in windows of at most 2^16 elements.
static bool hasShortDivisions(tosa::AvgPool2dOp op) {
  ArrayRef<int64_t> kernel = op.getKernel();
  return op.getInput().getType().getElementType().isInteger() &&
         kernel[0] <= (1 << 16) / kernel[1];
}

static void markOps(ModuleOp module) {
  auto mark = [](Operation *op, StringRef text) {
    MLIRContext *context = op->getContext();
    op->setLoc(
        FusedLoc::get(context, {op->getLoc()}, StringAttr::get(context, text)));
  };
  module.walk([&](tosa::ResizeOp op) {
    if (beginsBeforeInput(op))
      mark(op, kResize);
  });
  module.walk([&](tosa::AvgPool2dOp op) {
    if (hasShortDivisions(op))
      mark(op, kAverage);
  });
}

/// The text by which markOps marked `location`, if it did.
static StringRef getMark(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto text =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  bool isMark =
      text && (text.getValue() == kResize || text.getValue() == kAverage);
  return isMark ? text.getValue() : StringRef();
}

/// Corrects upstream's computation of the pixel to the left, which rounds a
/// division toward zero. The standard requires floor, which differs before the
/// first pixel.
static void mendResize(arith::DivSIOp division) {
  OpBuilder builder(division);
  division.replaceAllUsesWith(
      arith::FloorDivSIOp::create(builder, division.getLoc(), division.getLhs(),
                                  division.getRhs())
          .getResult());
  division.erase();
}

/// Computes (a << k) / n, which upstream divides in 64 bits, in 32 bits, as
///
///   ((a / n) << k) + ((a % n) << k) / n
///
/// k is the width of n - 1, so that (a % n) << k is less than 2^2k, and k at
/// most 16. For 64 bits, small processors call a function.
static void mendAverage(arith::DivUIOp division) {
  auto shift = division.getLhs().getDefiningOp<arith::ShLIOp>();
  auto count = division.getRhs().getDefiningOp<arith::ExtUIOp>();
  auto power = shift ? shift.getRhs().getDefiningOp<arith::ExtUIOp>() : nullptr;
  APInt number;
  if (!count || !power || !matchPattern(shift.getLhs(), m_ConstantInt(&number)))
    return;
  ImplicitLocOpBuilder builder(division.getLoc(), division);
  Value k = power.getIn(), n = count.getIn();
  if (number.getActiveBits() > 31 || !n.getType().isInteger(32) ||
      !k.getType().isInteger(32))
    return;
  Value a =
      arith::ConstantIntOp::create(builder, n.getType(), number.getSExtValue());
  Value whole =
      arith::ShLIOp::create(builder, arith::DivUIOp::create(builder, a, n), k);
  Value rest =
      arith::ShLIOp::create(builder, arith::RemUIOp::create(builder, a, n), k);
  Value sum = arith::AddIOp::create(builder, whole,
                                    arith::DivUIOp::create(builder, rest, n));
  division.replaceAllUsesWith(
      arith::ExtUIOp::create(builder, division.getType(), sum).getResult());
  division.erase();
}

static void mendOps(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (!getMark(op->getLoc()).empty())
      found.push_back(op);
  });
  for (Operation *op : found) {
    StringRef mark = getMark(op->getLoc());
    op->setLoc(cast<FusedLoc>(op->getLoc()).getLocations().front());
    auto fromResize = dyn_cast<arith::DivSIOp>(op);
    auto fromAverage = dyn_cast<arith::DivUIOp>(op);
    if (fromResize && mark == kResize)
      mendResize(fromResize);
    else if (fromAverage && mark == kAverage)
      mendAverage(fromAverage);
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
    lowerQuantizedResizes(getOperation());
    mergeSumScales(getOperation());
    markOps(getOperation());
    padFilters(getOperation());
    OpPassManager first(ModuleOp::getOperationName());
    addStructure(first);
    // The verifier of tosa.mul does not compare shapes, and canonicalization
    // may not end on the casts that become of it.
    if (failed(runPipeline(first, getOperation())) ||
        failed(verify(getOperation())))
      return signalPassFailure();
    mendOps(getOperation());
    OpPassManager rest(ModuleOp::getOperationName());
    addArithmetic(rest);
    if (failed(runPipeline(rest, getOperation())))
      signalPassFailure();
  }
};

} // namespace
