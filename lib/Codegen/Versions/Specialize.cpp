//===- Specialize.cpp - Propagating argument facts through a function -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SizeCasts.h"
#include "Versions.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Replaces the uses of an argument by the constant; the unused argument stays.
static void setNumber(OpBuilder &builder, BlockArgument argument,
                      int64_t number) {
  Type type = argument.getType();
  auto shaped = dyn_cast<RankedTensorType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  TypedAttr value = builder.getIntegerAttr(element, number);
  if (shaped)
    value = DenseElementsAttr::get(shaped, Attribute(value));
  argument.replaceAllUsesWith(
      arith::ConstantOp::create(builder, argument.getLoc(), value));
}

/// Changes the type of an argument; its uses see a cast to the old type.
static void setType(OpBuilder &builder, BlockArgument argument,
                    ShapedType type) {
  Type before = argument.getType();
  argument.setType(type);
  Value cast = castSizes(builder, argument.getLoc(), before, argument);
  argument.replaceAllUsesExcept(cast, cast.getDefiningOp());
}

void codegen::specialize(func::FuncOp function, const Version &version) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  llvm::MapVector<unsigned, ShapedType> types;
  for (const VersionCondition &condition : version) {
    BlockArgument argument = function.getArgument(condition.value.argument);
    if (!condition.value.dimension) {
      setNumber(builder, argument, condition.number);
      continue;
    }
    ShapedType &type = types[argument.getArgNumber()];
    if (!type)
      type = cast<ShapedType>(argument.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[*condition.value.dimension] = condition.number;
    type = type.clone(shape);
  }
  for (auto [index, type] : types)
    setType(builder, function.getArgument(index), type);
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
}

/// Whether `type` has more static sizes than `result`.
static bool saysMore(Type type, Type result) {
  auto from = dyn_cast_or_null<ShapedType>(type);
  auto to = dyn_cast<ShapedType>(result);
  return from && to && from.hasRank() && from != to &&
         (!to.hasRank() || from.getNumDynamicDims() < to.getNumDynamicDims());
}

/// The type from which `value` is cast; null if it is not a cast.
static Type getTypeBeforeCast(Value value) {
  Operation *cast = value.getDefiningOp();
  return isa_and_nonnull<tensor::CastOp, memref::CastOp>(cast)
             ? cast->getOperand(0).getType()
             : Type();
}

namespace {

/// If all branches cast a result from one type, casts it after the branches.
template <typename BranchOp>
struct CastAfterBranches : OpRewritePattern<BranchOp> {
  using OpRewritePattern<BranchOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(BranchOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Operation *> yields;
    for (Region &region : op->getRegions()) {
      if (!region.hasOneBlock())
        return failure();
      yields.push_back(region.front().getTerminator());
    }
    bool changed = false;
    for (unsigned i = 0, e = op->getNumResults(); i < e; ++i)
      changed |= move(op, i, yields, rewriter);
    return success(changed);
  }

private:
  static bool move(Operation *op, unsigned index, ArrayRef<Operation *> yields,
                   PatternRewriter &rewriter) {
    Value result = op->getResult(index);
    Type before = result.getType();
    Type type = getTypeBeforeCast(yields.front()->getOperand(index));
    bool isCommon = llvm::all_of(yields, [&](Operation *yield) {
      return getTypeBeforeCast(yield->getOperand(index)) == type;
    });
    if (!isCommon || !saysMore(type, before))
      return false;
    for (Operation *yield : yields)
      rewriter.modifyOpInPlace(yield, [&] {
        Operation *cast = yield->getOperand(index).getDefiningOp();
        yield->setOperand(index, cast->getOperand(0));
      });
    rewriter.modifyOpInPlace(op, [&] { result.setType(type); });
    rewriter.setInsertionPointAfter(op);
    Value cast = castSizes(rewriter, op->getLoc(), before, result);
    rewriter.replaceAllUsesExcept(result, cast, cast.getDefiningOp());
    return true;
  }
};

/// Proves that a value has the sizes of a type, given assumptions about other
/// values.
class SizeProof {
public:
  explicit SizeProof(Type type) : type(type) {}

  void assume(Value value) { known.insert(value); }
  bool holds(Value value, unsigned depth = 0);

private:
  /// Deeper nests are not analyzed.
  static constexpr unsigned kMostSteps = 64;

  Type type;
  DenseSet<Value> known;
};

/// A loop-carried value keeps its initial size if the loop's body does.
/// Upstream assumes that without proof (see addLoopPatterns), and only for
/// loops whose result has a single use.
struct CastAroundLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    for (unsigned i = 0, e = loop.getNumResults(); i < e; ++i) {
      Type type = getTypeBeforeCast(loop.getInitArgs()[i]);
      if (!saysMore(type, loop.getResult(i).getType()))
        continue;
      SizeProof proof(type);
      proof.assume(loop.getRegionIterArg(i));
      if (!proof.holds(loop.getYieldedValues()[i]))
        continue;
      move(loop, i, type, rewriter);
      return success();
    }
    return failure();
  }

private:
  static void move(scf::ForOp loop, unsigned index, Type type,
                   PatternRewriter &rewriter) {
    Location location = loop.getLoc();
    Value result = loop.getResult(index);
    BlockArgument carried = loop.getRegionIterArg(index);
    Type before = result.getType();
    Operation *yield = loop.getBody()->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value next = castSizes(rewriter, location, type, yield->getOperand(index));
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(index, next); });
    rewriter.modifyOpInPlace(loop, [&] {
      OpOperand &init = loop.getInitArgsMutable()[index];
      init.set(init.get().getDefiningOp()->getOperand(0));
      carried.setType(type);
      result.setType(type);
    });
    rewriter.setInsertionPointToStart(loop.getBody());
    Value inside = castSizes(rewriter, location, before, carried);
    rewriter.replaceAllUsesExcept(carried, inside, inside.getDefiningOp());
    rewriter.setInsertionPointAfter(loop);
    Value after = castSizes(rewriter, location, before, result);
    rewriter.replaceAllUsesExcept(result, after, after.getDefiningOp());
  }
};

} // namespace

bool SizeProof::holds(Value value, unsigned depth) {
  if (known.contains(value) || value.getType() == type ||
      getTypeBeforeCast(value) == type)
    return true;
  auto result = dyn_cast<OpResult>(value);
  if (!result || depth > kMostSteps)
    return false;
  unsigned index = result.getResultNumber();
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!holds(loop.getInitArgs()[index], depth + 1))
      return false;
    assume(loop.getRegionIterArg(index));
    return holds(loop.getYieldedValues()[index], depth + 1);
  }
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return llvm::all_of(op->getRegions(), [&](Region &region) {
      return holds(region.front().getTerminator()->getOperand(index),
                   depth + 1);
    });
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return holds(cast.getSource(), depth + 1);
  auto written = dyn_cast<DestinationStyleOpInterface>(op);
  return written && written.getTiedOpOperand(result) &&
         holds(written.getTiedOpOperand(result)->get(), depth + 1);
}

/// The canonicalization of scf.for without the fold of casts that assumes that
/// loop-carried values keep their size: CastAroundLoop proves it.
static void addLoopPatterns(RewritePatternSet &patterns) {
  RewritePatternSet loops(patterns.getContext());
  scf::ForOp::getCanonicalizationPatterns(loops, patterns.getContext());
  auto &native = loops.getNativePatterns();
  auto isCastFold = [](const std::unique_ptr<RewritePattern> &pattern) {
    return pattern->getDebugName().contains("TensorCast");
  };
  // If the fold is not found by name, any pattern may be it.
  if (llvm::none_of(native, isCastFold))
    return;
  llvm::erase_if(native, isCastFold);
  for (std::unique_ptr<RewritePattern> &pattern : native)
    patterns.add(std::move(pattern));
}

/// Whether passes that assume that loop-carried values keep their size would
/// miscompile `function`. None makes this assumption for scf.while.
static bool hasUnprovenLoop(func::FuncOp function, bool isRefined) {
  WalkResult result = function.walk([&](scf::ForOp loop) {
    for (OpOperand &init : loop.getInitArgsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      bool isUnproven =
          type && (isRefined ? saysMore(getTypeBeforeCast(init.get()), type)
                             : !type.hasStaticShape());
      if (isUnproven)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

LogicalResult codegen::refine(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef() != scf::ForOp::getOperationName())
      name.getCanonicalizationPatterns(patterns, context);
  addLoopPatterns(patterns);
  // Derives sizes of results from those of operands, also for ops that
  // canonicalization does not look through.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  patterns.add<CastAroundLoop, CastAfterBranches<scf::IfOp>,
               CastAfterBranches<scf::IndexSwitchOp>>(context);
  // Versions need not converge within some rounds, but casts may then still be
  // on their way to loops.
  RebuildKeeper keeper;
  GreedyRewriteConfig config;
  config.setListener(&keeper);
  bool isRefined =
      succeeded(applyPatternsGreedily(function, std::move(patterns), config));
  return failure(hasUnprovenLoop(function, isRefined));
}
