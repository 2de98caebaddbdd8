//===- GroupWeights.cpp - Constant factors in groups ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For products of bytes and bf16 with machine support, puts the constant
// weights into the form that the instructions take (Nest/DotProduct.h). The
// module does not depend on these instructions before, so this runs after all
// decisions.
//
// vpdpbusd multiplies unsigned bytes by signed bytes. If both operands are
// signed, or both unsigned, the other operand's sign bits are flipped, which
// turns each number x into x + 128 or x - 128, and makes the sum too large, or
// too small, by 128 times the sum of its weights. The result's initial value
// corrects that, so the op computes the same value in 32-bit arithmetic, in
// which sums wrap around.
//
//===----------------------------------------------------------------------===//

#include "GroupWeights.h"
#include "../Loops/GenericOps.h"
#include "../Rules/Rules.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_GROUPWEIGHTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Whether the size of loop `dim` is known without the weights: the map of
/// grouped weights does not determine it.
static bool isKnownElsewhere(LinalgOp op, unsigned weights, unsigned dim) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.getOperandNumber() == weights)
      continue;
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    std::optional<unsigned> place =
        op.getMatchingIndexingMap(&operand).getResultPosition(
            getAffineDimExpr(dim, op.getContext()));
    if (type && place && !type.isDynamicDim(*place))
      return true;
  }
  return false;
}

static std::optional<Grouping> planGrouping(LinalgOp op,
                                            const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || isForSize(op))
    return std::nullopt;
  std::optional<NestPlan> plan = rule::DotProduct().plan(op, *facts, target);
  if (!plan || plan->dot->panel != 0 ||
      !isKnownElsewhere(op, plan->dot->weights, plan->vectorDim))
    return std::nullopt;
  Grouping grouping;
  grouping.op = op;
  grouping.dot = *plan->dot;
  grouping.vectorDim = plan->vectorDim;
  grouping.lanes = plan->lanes;
  std::optional<Source> source = findSource(op, grouping.dot, plan->vectorDim);
  // Existing panels serve all versions of a function. Without vectors, a step
  // of another width would divide by that of a panel.
  int64_t columns = facts->sizes[plan->vectorDim];
  bool isInPanels = source && source->panel != 0 && hasVectors(target) &&
                    source->panel % plan->lanes == 0;
  grouping.panel = isInPanels
                       ? source->panel
                       : std::min<int64_t>(plan->lanes * plan->vectorsPerStep,
                                           llvm::alignTo(columns, plan->lanes));
  grouping.layout = getGroupedLayout(op, grouping.dot, plan->vectorDim, *facts,
                                     grouping.panel);
  grouping.source = std::move(source);
  grouping.facts = std::move(*facts);
  return grouping;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

/// The value per column that an element of the result starts from.
static AffineMap getStartMap(const Grouping &grouping) {
  LinalgOp op = grouping.op;
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> read;
  auto add = [&](unsigned dim) {
    read.push_back(getAffineDimExpr(
        *stored.getResultPosition(getAffineDimExpr(dim, context)), context));
  };
  llvm::for_each(grouping.layout.outerDims, add);
  add(grouping.vectorDim);
  return AffineMap::get(stored.getNumResults(), 0, read, context);
}

/// An elementwise op on `inputs` with the shape of `output`, which all but the
/// first have. The first is read by `read`.
static Value createElementwise(
    OpBuilder &builder, Location location, ValueRange inputs, AffineMap read,
    Value output,
    function_ref<Value(OpBuilder &, Location, ValueRange)> makeBody) {
  auto type = cast<RankedTensorType>(output.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps(inputs.size() + 1, identity);
  maps.front() = read;
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, location, TypeRange{type}, inputs, ValueRange{output},
             maps, iterators,
             [&](OpBuilder &builder, Location location, ValueRange values) {
               linalg::YieldOp::create(builder, location,
                                       makeBody(builder, location, values));
             })
      .getResult(0);
}

static Value copyFirst(OpBuilder &, Location, ValueRange values) {
  return values.front();
}

static Value addBoth(OpBuilder &builder, Location location, ValueRange values) {
  return arith::AddIOp::create(builder, location, values[0], values[1]);
}

/// The sums of two tensors of the same shape; a constant if both are.
static Value addStarts(OpBuilder &builder, Location location, Value left,
                       Value right) {
  DenseIntElementsAttr first, second;
  auto type = cast<RankedTensorType>(left.getType());
  if (!matchPattern(left, m_Constant(&first)) ||
      !matchPattern(right, m_Constant(&second))) {
    Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                          type.getElementType());
    return createElementwise(builder, location, {left, right},
                             builder.getMultiDimIdentityMap(type.getRank()),
                             empty, addBoth);
  }
  SmallVector<APInt> sums;
  for (auto [one, other] :
       llvm::zip_equal(first.getValues<APInt>(), second.getValues<APInt>()))
    sums.push_back(one + other);
  return arith::ConstantOp::create(builder, location,
                                   DenseElementsAttr::get(type, sums));
}

/// The initial value of the result, including `starts`. If the result was
/// initialized with zeros, or with a value per column, it is a value per
/// column, which the nest reads directly.
static Value createStart(OpBuilder &builder, const Grouping &grouping,
                         Value starts) {
  Location location = grouping.getOp().getLoc();
  AffineMap read = getStartMap(grouping);
  Value init = grouping.getOp().getDpsInits()[0];
  auto spread = [&](Value values, Value output) {
    return createElementwise(builder, location, values, read, output,
                             copyFirst);
  };
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (fill && matchPattern(fill.getInputs()[0], m_Zero()))
    return spread(starts, fill.getOutputs()[0]);
  LinalgOp columns = getSpread(init);
  if (columns && columns.getIndexingMapsArray().front() == read)
    return spread(
        addStarts(builder, location, columns.getDpsInputs()[0], starts),
        columns.getDpsInits()[0]);
  return createElementwise(builder, location, {starts, init}, read, init,
                           addBoth);
}

/// Flips the sign bit of the body's argument `index` and reinterprets it with
/// the other signedness, so that its value changes by +128 or -128.
static void flipSign(OpBuilder &builder, Block &body, unsigned index,
                     Location location) {
  builder.setInsertionPointToStart(&body);
  BlockArgument argument = body.getArgument(index);
  Value sign = arith::ConstantOp::create(
      builder, location,
      builder.getIntegerAttr(argument.getType(), APInt::getSignMask(8)));
  auto flipped = arith::XOrIOp::create(builder, location, argument, sign);
  argument.replaceAllUsesExcept(flipped, flipped);
  for (Operation *user : llvm::make_early_inc_range(flipped->getUsers())) {
    Type wide = user->getResult(0).getType();
    builder.setInsertionPoint(user);
    Value other;
    if (isa<arith::ExtSIOp>(user))
      other = arith::ExtUIOp::create(builder, location, wide, flipped);
    else if (isa<arith::ExtUIOp>(user))
      other = arith::ExtSIOp::create(builder, location, wide, flipped);
    else
      continue;
    user->getResult(0).replaceAllUsesWith(other);
    user->erase();
  }
}

namespace {

/// Grouped weights, and the result's initial value if signs are flipped.
struct Grouped {
  Value weights;
  Value starts;
};

} // namespace

/// Null weights if they cannot be grouped.
static Grouped makeGrouped(RewriterBase &rewriter, const Grouping &grouping,
                           GroupedConstants &constants) {
  Grouped grouped;
  if (!grouping.source) {
    grouped.weights = emitGroups(rewriter, grouping);
    if (grouping.dot.needsFlip())
      grouped.starts = emitStarts(rewriter, grouping);
    return grouped;
  }
  GroupedConstant constant = constants.get(grouping);
  if (!constant.weights)
    return grouped;
  grouped.weights = arith::ConstantOp::create(
      rewriter, grouping.source->weights.constant->getLoc(),
      constant.weights.getType(), constant.weights);
  if (constant.starts)
    grouped.starts = arith::ConstantOp::create(
        rewriter, grouping.getOp()->getLoc(), constant.starts);
  return grouped;
}

/// Adds an operand that is not read, whose shape tells the size of the loop
/// over groups.
static void addSize(OpBuilder &builder, const Grouping &grouping,
                    SmallVectorImpl<Value> &inputs,
                    SmallVectorImpl<AffineMap> &maps) {
  LinalgOp op = grouping.op;
  unsigned dim = grouping.dot.groupDim;
  maps.insert(
      maps.begin() + inputs.size(),
      AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(dim)));
  inputs.push_back(tensor::EmptyOp::create(
      builder, op.getLoc(), {grouping.facts.sizes[dim]}, builder.getI8Type()));
}

static void group(RewriterBase &rewriter, const Grouping &grouping,
                  const Grouped &grouped) {
  LinalgOp op = grouping.op;
  const DotProduct &dot = grouping.dot;
  SmallVector<Value> inputs = op.getDpsInputs();
  inputs[dot.weights] = grouped.weights;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[dot.weights] = grouping.layout.map;
  bool needsSize = !isKnownElsewhere(op, dot.weights, dot.groupDim);
  if (needsSize)
    addSize(rewriter, grouping, inputs, maps);
  Value init = dot.needsFlip() ? createStart(rewriter, grouping, grouped.starts)
                               : op.getDpsInits()[0];
  linalg::GenericOp generic =
      takeBody(rewriter, op, inputs, init, maps, op.getIteratorTypesArray());
  if (needsSize)
    generic.getBody()->insertArgument(inputs.size() - 1, rewriter.getI8Type(),
                                      op.getLoc());
  if (dot.needsFlip()) {
    OpBuilder::InsertionGuard guard(rewriter);
    flipSign(rewriter, *generic.getBody(), dot.broadcast, op.getLoc());
  }
  rewriter.replaceOp(op, generic);
}

namespace {

struct GroupWeightsPass
    : mlirprof::codegen::impl::GroupWeightsPassBase<GroupWeightsPass> {
  using GroupWeightsPassBase::GroupWeightsPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    // Plans refer to constants, which are freed while only dead ops use them.
    eraseDeadOps(rewriter, getOperation());
    std::vector<Grouping> groupings;
    getOperation()->walk([&](LinalgOp op) {
      if (std::optional<Grouping> grouping = planGrouping(op, *target))
        groupings.push_back(std::move(*grouping));
    });
    if (groupings.empty())
      return;
    GroupedConstants constants;
    for (const Grouping &grouping : groupings) {
      choices.setSource(grouping.op);
      rewriter.setInsertionPoint(grouping.op);
      Grouped grouped = makeGrouped(rewriter, grouping, constants);
      if (grouped.weights)
        group(rewriter, grouping, grouped);
      freeUnusedConstants(getOperation());
    }
    // The original weights would otherwise be written to the object too.
    eraseDeadOps(rewriter, getOperation());
  }
};

} // namespace
