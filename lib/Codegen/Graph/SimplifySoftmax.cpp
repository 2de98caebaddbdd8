//===- SimplifySoftmax.cpp - Softmaxes with fewer passes over rows --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attention that PyTorch exports goes through its scores five times: for the
// maximum, the exponentials, their sum, whether all scores are -inf, and the
// quotient. Two of these are not needed:
//
//   - all elements of a row are -inf if and only if its maximum is, also where
//     an element is no number: then maximumf gives that;
//   - a product with the quotients is the quotient of a product, which has
//     fewer elements. Only exponentials of differences from the maximum of
//     their row are taken there undivided: they are at most 1, and one of them
//     is 1. (A row of -inf is 0 then, whatever it is multiplied by.)
//
//===----------------------------------------------------------------------===//

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SIMPLIFYSOFTMAXPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Rows of -inf
//===----------------------------------------------------------------------===//

static bool isLowest(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isInfinity() &&
         number.isNegative();
}

/// The value of all elements that `tensor` is filled with; null if it is not.
static Value getFilled(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill ? fill.value() : Value();
}

/// The op by which `op` reduces its only input; null if that is another one.
template <typename OpT>
static OpT getReducer(GenericOp op) {
  bool isReduction = op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
                     op.getNumReductionLoops() != 0 &&
                     op.hasPureTensorSemantics();
  return isReduction ? dyn_cast_or_null<OpT>(getCombiner(op, 0)) : OpT();
}

/// The operand of `reducer`, of the body of `op`, that is not the former
/// result.
static Value getReduced(GenericOp op, Operation *reducer) {
  return reducer->getOperand(
      reducer->getOperand(0) == op.getRegionOutputArgs().front() ? 1 : 0);
}

/// Whether `compare` is `element` == -inf.
static bool isLowestTest(arith::CmpFOp compare, Value element) {
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ)
    return false;
  return (compare.getLhs() == element && isLowest(compare.getRhs())) ||
         (compare.getRhs() == element && isLowest(compare.getLhs()));
}

/// Whether `op` tells for each row whether all elements are -inf.
static bool testsRows(GenericOp op) {
  auto reducer = getReducer<arith::AndIOp>(op);
  return reducer &&
         matchPattern(getFilled(op.getDpsInits().front()), m_One()) &&
         isLowestTest(getReduced(op, reducer).getDefiningOp<arith::CmpFOp>(),
                      op.getRegionInputArgs().front());
}

/// Whether `op` computes the maximum of each row, from -inf on.
static bool isMaximum(GenericOp op) {
  auto reducer = getReducer<arith::MaximumFOp>(op);
  Value start = reducer ? getFilled(op.getDpsInits().front()) : Value();
  return start && isLowest(start) &&
         getReduced(op, reducer) == op.getRegionInputArgs().front();
}

/// The maxima of the rows that `test` tests; null if nothing computes them.
static GenericOp findMaximum(GenericOp test) {
  for (Operation *user : test.getDpsInputs().front().getUsers()) {
    auto op = dyn_cast<GenericOp>(user);
    if (op && op->getBlock() == test->getBlock() && isMaximum(op) &&
        op.getIndexingMapsArray() == test.getIndexingMapsArray() &&
        op.getIteratorTypesArray() == test.getIteratorTypesArray())
      return op;
  }
  return {};
}

/// Tests the maximum where `test` was read.
static void testMaximum(IRRewriter &rewriter, GenericOp test) {
  GenericOp maximum = findMaximum(test);
  if (!maximum)
    return;
  for (OpOperand &use : test->getUses()) {
    auto user = dyn_cast<GenericOp>(use.getOwner());
    if (!user || user.isDpsInit(&use) ||
        user->getBlock() != maximum->getBlock() ||
        !maximum->isBeforeInBlock(user))
      return;
  }
  auto type =
      cast<FloatType>(getElementTypeOrSelf(maximum->getResult(0).getType()));
  auto lowest = rewriter.getFloatAttr(
      type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  for (OpOperand &use : llvm::make_early_inc_range(test->getUses())) {
    auto user = cast<GenericOp>(use.getOwner());
    BlockArgument element = user.getMatchingBlockArgument(&use);
    rewriter.modifyOpInPlace(user, [&] {
      use.set(maximum->getResult(0));
      element.setType(type);
    });
    rewriter.setInsertionPointToStart(user.getBody());
    Location location = test->getLoc();
    Value constant = arith::ConstantOp::create(rewriter, location, lowest);
    Value isAll = arith::CmpFOp::create(
        rewriter, location, arith::CmpFPredicate::OEQ, element, constant);
    rewriter.replaceAllUsesExcept(element, isAll, isAll.getDefiningOp());
  }
  rewriter.eraseOp(test);
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

namespace {

/// A product with the quotients of a softmax.
struct Quotients {
  LinalgOp product;
  /// The product's operand.
  OpOperand *operand = nullptr;
  /// Between the quotients and the product; null if there is none.
  tensor::CollapseShapeOp view;
  GenericOp divide;
  /// The operand of `divide` with the exponentials.
  OpOperand *exponentials = nullptr;
};

} // namespace

/// Whether `op` reads, by `read`, a tensor of which `maximum` is the maxima of
/// the rows, and by `readMaximum` that of the row in which it reads.
static bool readsOwnMaximum(GenericOp maximum, AffineMap read,
                            AffineMap readMaximum) {
  SmallVector<AffineMap> maps = maximum.getIndexingMapsArray();
  AffineMap places = maps.front().isPermutation()
                         ? inversePermutation(maps.front())
                         : AffineMap();
  return places && maps.back().compose(places).compose(read) == readMaximum;
}

/// Whether `value` has exponentials of differences from the maxima of its rows
/// along `dim`, so that they are at most 1, and the largest one of a row is 1.
static bool areExponentials(Value value, int64_t dim) {
  auto op = value.getDefiningOp<GenericOp>();
  if (!op || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return false;
  auto exponential =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp<math::ExpOp>();
  auto difference =
      exponential ? exponential.getOperand().getDefiningOp<arith::SubFOp>()
                  : arith::SubFOp();
  if (!difference)
    return false;
  auto getInput = [&](Value element) -> OpOperand * {
    auto argument = dyn_cast<BlockArgument>(element);
    return argument && argument.getOwner() == op.getBody() &&
                   argument.getArgNumber() < op.getNumDpsInputs()
               ? op.getDpsInputOperand(argument.getArgNumber())
               : nullptr;
  };
  OpOperand *element = getInput(difference.getLhs()),
            *most = getInput(difference.getRhs());
  auto maximum = most ? most->get().getDefiningOp<GenericOp>() : GenericOp();
  if (!element || !maximum || !isMaximum(maximum) ||
      maximum.getDpsInputs().front() != element->get())
    return false;
  AffineMap read = op.getMatchingIndexingMap(element),
            readMaximum = op.getMatchingIndexingMap(most),
            stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto along = dyn_cast<AffineDimExpr>(stored.getResult(dim));
  return along && read.isPermutation() && stored.isPermutation() &&
         readMaximum.getNumResults() + 1 == op.getNumLoops() &&
         !readMaximum.isFunctionOfDim(along.getPosition()) &&
         readsOwnMaximum(maximum, read, readMaximum);
}

/// Finds the exponentials that `divide` divides by something else. All it does
/// besides is to choose between the quotient and 0.
static bool readDivision(Quotients &found) {
  GenericOp op = found.divide;
  Value value = op.getBody()->getTerminator()->getOperand(0);
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (!matchPattern(select.getTrueValue(), m_AnyZeroFloat()))
      return false;
    value = select.getFalseValue();
  }
  auto division = value.getDefiningOp<arith::DivFOp>();
  auto element =
      division ? dyn_cast<BlockArgument>(division.getLhs()) : BlockArgument();
  if (!element || element.getOwner() != op.getBody() || !element.hasOneUse() ||
      element.getArgNumber() >= op.getNumDpsInputs())
    return false;
  found.exponentials = op.getDpsInputOperand(element.getArgNumber());
  return op.getMatchingIndexingMap(found.exponentials).isIdentity();
}

/// The dimensions of the quotients that `product` adds up.
static SmallVector<int64_t> getSummed(Quotients &found) {
  SmallVector<utils::IteratorType> kinds =
      found.product.getIteratorTypesArray();
  SmallVector<int64_t> dims;
  for (auto [place, expr] : llvm::enumerate(
           found.product.getMatchingIndexingMap(found.operand).getResults())) {
    auto loop = cast<AffineDimExpr>(expr);
    if (kinds[loop.getPosition()] != utils::IteratorType::reduction)
      continue;
    if (found.view)
      llvm::append_range(dims, found.view.getReassociationIndices()[place]);
    else
      dims.push_back(place);
  }
  return dims;
}

/// Whether the product adds up rows of exponentials, and the other operands of
/// the division are the same for all elements of a row, and tell all other
/// dimensions in their order.
static bool areRows(Quotients &found) {
  SmallVector<int64_t> summed = getSummed(found);
  if (summed.size() != 1)
    return false;
  GenericOp op = found.divide;
  SmallVector<AffineExpr> rows;
  for (unsigned i = 0; i < op.getNumLoops(); ++i)
    if (i != summed.front())
      rows.push_back(getAffineDimExpr(i, op.getContext()));
  AffineMap map = AffineMap::get(op.getNumLoops(), 0, rows, op.getContext());
  return llvm::all_of(op.getDpsInputOperands(),
                      [&](OpOperand *input) {
                        return input == found.exponentials ||
                               (isa<RankedTensorType>(input->get().getType()) &&
                                op.getMatchingIndexingMap(input) == map);
                      }) &&
         areExponentials(found.exponentials->get(), summed.front());
}

static std::optional<Quotients> findQuotients(LinalgOp product) {
  auto sum = product.getDpsInits().front();
  auto type = cast<RankedTensorType>(sum.getType());
  Value start = getFilled(sum);
  // Narrow floats would round more, and may overflow.
  if (!isProduct(product) || product.hasDynamicShape() || !start ||
      !matchPattern(start, m_AnyZeroFloat()) ||
      !(type.getElementType().isF32() || type.getElementType().isF64()) ||
      !product.getMatchingIndexingMap(product.getDpsInitOperand(0))
           .isProjectedPermutation())
    return std::nullopt;
  for (OpOperand *input : product.getDpsInputOperands()) {
    Quotients found{product, input, {}, {}};
    Value value = input->get();
    found.view = value.getDefiningOp<tensor::CollapseShapeOp>();
    if (found.view && found.view->hasOneUse())
      value = found.view.getSrc();
    found.divide = value.getDefiningOp<GenericOp>();
    GenericOp op = found.divide;
    if (!op || !op->hasOneUse() || op.getNumDpsInits() != 1 ||
        op.getNumReductionLoops() != 0 || op.hasIndexSemantics() ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        getElementTypeOrSelf(value.getType()) != type.getElementType() ||
        !product.getMatchingIndexingMap(input).isProjectedPermutation())
      continue;
    if (readDivision(found) && areRows(found))
      return found;
  }
  return std::nullopt;
}

/// `rows`, which has all dimensions of the quotients but the one that is added
/// up, in the shape of the product's operand without that one.
static Value reshapeRows(IRRewriter &rewriter, Quotients &found, Value rows) {
  if (!found.view)
    return rows;
  int64_t summed = getSummed(found).front();
  SmallVector<ReassociationIndices> groups;
  for (ReassociationIndices group : found.view.getReassociationIndices()) {
    llvm::erase(group, summed);
    for (int64_t &dim : group)
      dim -= dim > summed;
    if (!group.empty())
      groups.push_back(group);
  }
  return tensor::CollapseShapeOp::create(rewriter, rows.getLoc(), rows, groups);
}

/// Divides the result of the product.
static void divideSums(IRRewriter &rewriter, Quotients &found) {
  LinalgOp product = found.product;
  GenericOp divide = found.divide;
  Value exponentials = found.exponentials->get();
  rewriter.setInsertionPoint(product);
  Value operand = found.view ? tensor::CollapseShapeOp::create(
                                   rewriter, found.view.getLoc(),
                                   found.operand->get().getType(), exponentials,
                                   found.view.getReassociationIndices())
                             : exponentials;
  rewriter.modifyOpInPlace(product, [&] { found.operand->set(operand); });
  // The places of the rows in the result.
  AffineMap stored =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  unsigned rank = stored.getNumResults();
  SmallVector<AffineExpr> places;
  for (AffineExpr expr :
       product.getMatchingIndexingMap(found.operand).getResults())
    if (std::optional<unsigned> place = stored.getResultPosition(expr))
      places.push_back(rewriter.getAffineDimExpr(*place));
  AffineMap rows = AffineMap::get(rank, 0, places, rewriter.getContext());
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : divide.getDpsInputOperands()) {
    bool isDividend = input == found.exponentials;
    inputs.push_back(isDividend ? product->getResult(0)
                                : reshapeRows(rewriter, found, input->get()));
    maps.push_back(isDividend ? all : rows);
  }
  maps.push_back(all);
  rewriter.setInsertionPointAfter(product);
  auto type = cast<RankedTensorType>(product->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(rewriter, divide.getLoc(),
                                        type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  auto divided = GenericOp::create(rewriter, divide.getLoc(), type, inputs,
                                   empty, maps, kinds);
  rewriter.cloneRegionBefore(divide.getRegion(), divided.getRegion(),
                             divided.getRegion().begin());
  rewriter.replaceAllUsesExcept(product->getResult(0), divided->getResult(0),
                                divided);
  if (found.view)
    rewriter.eraseOp(found.view);
  rewriter.eraseOp(divide);
}

namespace {

struct SimplifySoftmaxPass
    : mlirprof::codegen::impl::SimplifySoftmaxPassBase<SimplifySoftmaxPass> {
  using SimplifySoftmaxPassBase::SimplifySoftmaxPassBase;

  void runOnOperation() override {
    // Reshapes that other passes left without a use would be users.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    SmallVector<GenericOp> tests;
    SmallVector<LinalgOp> products;
    getOperation().walk([&](LinalgOp op) {
      auto generic = dyn_cast<GenericOp>(op.getOperation());
      if (generic && testsRows(generic))
        tests.push_back(generic);
      else if (op.getNumReductionLoops() != 0 && op.getNumDpsInits() == 1 &&
               op.hasPureTensorSemantics())
        products.push_back(op);
    });
    for (GenericOp test : tests)
      testMaximum(rewriter, test);
    for (LinalgOp product : products)
      if (std::optional<Quotients> found = findQuotients(product)) {
        choices.setSource(found->divide);
        divideSums(rewriter, *found);
      }
  }
};

} // namespace
