//===- FoldIndices.cpp - Positions that are known when a model is built ---===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resizing, rolling and cutting into windows reach models as index arithmetic:
// floats are scaled, rounded and clamped, for each element anew or in small ops
// of their own, and their results say which elements a body extracts. All of it
// depends on the loops only. This pass computes
//
//   - small ops on constants and indices once, as constants;
//   - in bodies that extract elements, what depends on one loop: as a linear
//     expression of that loop where it is one, otherwise as a table, which
//     becomes an input of the op.
//
//===----------------------------------------------------------------------===//

#include "../Constants/Weights.h"
#include "GenericOps.h"
#include "Places.h"
#include "ScalarBody.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FOLDINDICESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

/// The elements of a constant that is computed here, and the ops that are
/// evaluated for it: building must not take longer than running.
static constexpr int64_t kMostElements = 4096;
static constexpr int64_t kMostOps = 32768;

static bool isNumber(Type type) {
  return type.isIndex() || (type.isIntOrFloat() && !type.isInteger(1));
}

//===----------------------------------------------------------------------===//
// Ops on constants
//===----------------------------------------------------------------------===//

/// Whether the elements of `value` may be computed with here: numbers for
/// indices, not weights, which other passes compute with in better precision.
static bool isForIndices(Value value, const DenseSet<Operation *> &made) {
  return isa<IntegerType, IndexType>(getElementTypeOrSelf(value.getType())) ||
         !isa<ShapedType>(value.getType()) ||
         made.contains(value.getDefiningOp());
}

/// Whether `op` only spreads elements of a constant from which sums start, as
/// biases are: a constant of the results would have many more elements.
static bool isSpreadStart(GenericOp op) {
  return op.getBody()->without_terminator().empty() &&
         op.getNumDpsInputs() == 1 &&
         llvm::all_of(op.getResult(0).getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

/// The constant that `op` computes from constants; null if it does not.
static DenseElementsAttr evaluate(GenericOp op,
                                  const DenseSet<Operation *> &made) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || type.getEncoding() || !isNumber(type.getElementType()) ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      isSpreadStart(op))
    return {};
  // An op that only spreads one number is a fill.
  if (!op.hasIndexSemantics() && op.getNumDpsInputs() == 0 &&
      isa<FloatType>(type.getElementType()))
    return {};
  std::optional<int64_t> count = countElements(type.getShape(), kMostElements);
  int64_t ops = llvm::range_size(op.getBody()->without_terminator());
  if (!count || *count * (ops + 1) > kMostOps)
    return {};
  ScalarBody body(op);
  SmallVector<Attribute> elements;
  if (!llvm::all_of(op.getDpsInputs(),
                    [&](Value input) { return isForIndices(input, made); }) ||
      !body.canEvaluate(op.getBody()->getTerminator()->getOperand(0)))
    return {};
  bool isKnown = true;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> point) {
    if (!isKnown)
      return;
    Attribute element =
        body.evaluate(op.getBody()->getTerminator()->getOperand(0), point)
            .front();
    isKnown &= bool(element);
    elements.push_back(element);
  });
  return isKnown ? DenseElementsAttr::get(type, elements) : DenseElementsAttr();
}

//===----------------------------------------------------------------------===//
// Bodies that extract elements
//===----------------------------------------------------------------------===//

namespace {

/// A value of a body for each iteration of its loop.
struct Table {
  Value value;
  unsigned loop = 0;
  SmallVector<Attribute> elements;
};

/// Replaces what a body computes from one loop.
class TableMaker {
public:
  TableMaker(IRRewriter &rewriter, GenericOp op)
      : rewriter(rewriter), op(op), scalars(op) {}
  void run();

private:
  bool isRoot(Value value);
  SmallVector<Table> evaluate(ArrayRef<Value> roots, unsigned loop);
  bool replaceByLine(const Table &table);
  void useTables();
  bool haveSizesWithoutUnread();
  void rebuild();

  IRRewriter &rewriter;
  GenericOp op;
  ScalarBody scalars;
  SmallVector<Table> tables;
  bool hasChanged = false;
};

} // namespace

/// Whether `value` is computed from one loop at most, and used for something
/// that is not.
bool TableMaker::isRoot(Value value) {
  Operation *definer = value.getDefiningOp();
  if (!isNumber(value.getType()) || isa<linalg::IndexOp>(definer) ||
      definer->hasTrait<OpTrait::ConstantLike>() ||
      !scalars.canEvaluate(value) || scalars.getLoops(value).size() > 1)
    return false;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getNumResults() != 1 ||
           !scalars.canEvaluate(user->getResult(0)) ||
           scalars.getLoops(user->getResult(0)).size() > 1 ||
           !isNumber(user->getResult(0).getType());
  });
}

/// Replaces a table of indices that grow by equal steps.
bool TableMaker::replaceByLine(const Table &table) {
  auto read = [&](size_t i) {
    return cast<IntegerAttr>(table.elements[i]).getInt();
  };
  if (!table.value.getType().isIndex())
    return false;
  int64_t start = read(0), step = 0, last = start;
  if (table.elements.size() > 1 && llvm::SubOverflow(read(1), start, step))
    return false;
  for (size_t i = 1; i < table.elements.size(); ++i)
    if (llvm::AddOverflow(last, step, last) || read(i) != last)
      return false;
  Location location = table.value.getLoc();
  rewriter.setInsertionPointAfterValue(table.value);
  auto constant = [&](int64_t number) {
    return arith::ConstantIndexOp::create(rewriter, location, number);
  };
  Value line;
  if (step == 0) {
    line = constant(start);
  } else {
    line = linalg::IndexOp::create(rewriter, location, table.loop);
    if (step != 1)
      line = arith::MulIOp::create(rewriter, location, line, constant(step));
    if (start != 0)
      line = arith::AddIOp::create(rewriter, location, line, constant(start));
  }
  rewriter.replaceAllUsesWith(table.value, line);
  hasChanged = true;
  return true;
}

/// The values of `roots` for each iteration of `loop`, of those that are known.
SmallVector<Table> TableMaker::evaluate(ArrayRef<Value> roots, unsigned loop) {
  SmallVector<Table> found = llvm::map_to_vector(
      roots, [&](Value root) { return Table{root, loop, {}}; });
  int64_t size = op.getStaticLoopRanges()[loop];
  SmallVector<int64_t> point(op.getNumLoops(), 0);
  for (int64_t i = 0; i < size && !found.empty(); ++i) {
    point[loop] = i;
    SmallVector<Value> values = llvm::map_to_vector(
        found, [](const Table &table) { return table.value; });
    for (auto [table, element] :
         llvm::zip_equal(found, scalars.evaluate(values, point)))
      table.elements.push_back(element);
    llvm::erase_if(found,
                   [](const Table &table) { return !table.elements.back(); });
  }
  return found;
}

/// The constant with the elements of `table`. Indices are stored as numbers of
/// 64 bits.
static Value createConstant(OpBuilder &builder, const Table &table) {
  Type element = table.value.getType();
  SmallVector<Attribute> elements = table.elements;
  if (element.isIndex()) {
    element = builder.getI64Type();
    for (Attribute &number : elements)
      number = builder.getI64IntegerAttr(cast<IntegerAttr>(number).getInt());
  }
  auto type = RankedTensorType::get({int64_t(elements.size())}, element);
  return arith::ConstantOp::create(builder, table.value.getLoc(),
                                   DenseElementsAttr::get(type, elements));
}

/// Adds inputs for the tables to the body, and removes what it does not need
/// any more.
void TableMaker::useTables() {
  Block *body = op.getBody();
  rewriter.setInsertionPointToStart(body);
  for (const Table &table : tables) {
    Location location = table.value.getLoc();
    bool isIndex = table.value.getType().isIndex();
    Value element = body->addArgument(
        isIndex ? rewriter.getI64Type() : table.value.getType(), location);
    if (isIndex)
      element = arith::IndexCastOp::create(rewriter, location,
                                           rewriter.getIndexType(), element);
    rewriter.replaceAllUsesWith(table.value, element);
  }
  eraseUnused(rewriter, *body);
}

/// Whether the sizes of all loops follow from tensors other than inputs that
/// the body does not use.
bool TableMaker::haveSizesWithoutUnread() {
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand) ||
        !op.getMatchingBlockArgument(&operand).use_empty())
      maps.push_back(op.getMatchingIndexingMap(&operand));
  for (const Table &table : tables)
    maps.push_back(AffineMap::get(op.getNumLoops(), 0,
                                  rewriter.getAffineDimExpr(table.loop)));
  return bool(
      inversePermutation(concatAffineMaps(maps, rewriter.getContext())));
}

/// Replaces the op by one with the tables as inputs, and without those that it
/// does not use.
void TableMaker::rebuild() {
  Block *body = op.getBody();
  unsigned count = body->getNumArguments();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> constants =
      llvm::map_to_vector(tables, [&](const Table &table) {
        return createConstant(rewriter, table);
      });
  useTables();
  bool keepsAll = !haveSizesWithoutUnread();
  // The arguments of the tables come after those of the results here.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> kept;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned number = input->getOperandNumber();
    if (body->getArgument(number).use_empty() && !keepsAll)
      continue;
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
    kept.push_back(number);
  }
  for (auto [index, table] : llvm::enumerate(tables)) {
    inputs.push_back(constants[index]);
    maps.push_back(AffineMap::get(op.getNumLoops(), 0,
                                  rewriter.getAffineDimExpr(table.loop)));
    kept.push_back(count + index);
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    maps.push_back(op.getMatchingIndexingMap(&init));
    kept.push_back(init.getOperandNumber());
  }
  rewriter.setInsertionPoint(op);
  unsigned all = body->getNumArguments();
  for (unsigned number : kept) {
    BlockArgument before = body->getArgument(number);
    before.replaceAllUsesWith(
        body->addArgument(before.getType(), before.getLoc()));
  }
  body->eraseArguments(0, all);
  rewriter.replaceOp(op, takeBody(rewriter, op, inputs, maps));
}

void TableMaker::run() {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<SmallVector<Value>> roots(op.getNumLoops());
  int64_t ops = 1;
  for (Operation &inner : op.getBody()->without_terminator()) {
    ++ops;
    if (inner.getNumResults() != 1 || !isRoot(inner.getResult(0)))
      continue;
    Value value = inner.getResult(0);
    ArrayRef<unsigned> loops = scalars.getLoops(value);
    unsigned loop = loops.empty() ? 0 : loops.front();
    if (countElements(sizes[loop], kMostElements) &&
        sizes[loop] * ops <= kMostOps && sizes[loop] > 0)
      roots[loop].push_back(value);
  }
  // All are evaluated before the body changes.
  SmallVector<Table> found;
  for (auto [loop, values] : llvm::enumerate(roots))
    llvm::append_range(found, evaluate(values, loop));
  for (Table &table : found) {
    // The cast of a table's element is as good as a table.
    auto cast = table.value.getDefiningOp<arith::IndexCastOp>();
    bool isElement = cast && isa<BlockArgument>(cast.getIn());
    if (!replaceByLine(table) && !isElement)
      tables.push_back(std::move(table));
  }
  if (hasChanged || !tables.empty())
    rebuild();
}

namespace {

struct FoldIndicesPass
    : mlirprof::codegen::impl::FoldIndicesPassBase<FoldIndicesPass> {
  using FoldIndicesPassBase::FoldIndicesPassBase;

  void runOnOperation() override;

private:
  void foldOp(IRRewriter &rewriter, GenericOp op);
  void foldReshape(IRRewriter &rewriter, Operation *op);

  /// The constants that this pass has made.
  DenseSet<Operation *> made;
};

} // namespace

void FoldIndicesPass::foldOp(IRRewriter &rewriter, GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumLoops() == 0)
    return;
  rewriter.setInsertionPoint(op);
  if (DenseElementsAttr elements = evaluate(op, made)) {
    made.insert(rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, elements.getType(), elements));
    return;
  }
  if (!op.getBody()->getOps<tensor::ExtractOp>().empty())
    TableMaker(rewriter, op).run();
}

/// A reshape of a constant that this pass has made.
void FoldIndicesPass::foldReshape(IRRewriter &rewriter, Operation *op) {
  auto constant = op->getOperand(0).getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!constant || !type || !type.hasStaticShape() ||
      !made.contains(constant.getOperation()))
    return;
  rewriter.setInsertionPoint(op);
  auto elements = cast<DenseElementsAttr>(constant.getValue()).reshape(type);
  made.insert(
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, type, elements));
}

void FoldIndicesPass::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<GenericOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(&getContext());
  for (Operation *op : ops) {
    if (auto generic = dyn_cast<GenericOp>(op))
      foldOp(rewriter, generic);
    else
      foldReshape(rewriter, op);
  }
  made.clear();
}
