//===- ReorderOps.cpp - Storing tensors in other orders -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReorderOps.h"
#include "../Constants/Weights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>
#include <vector>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

bool codegen::isReorderedForFree(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.getInputs()[0].getDefiningOp<arith::ConstantOp>() &&
           fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
  Operation *op = value.getDefiningOp();
  return isa_and_present<arith::ConstantOp, tensor::EmptyOp>(op);
}

bool codegen::readsShapeOnly(OpOperand &use) {
  auto dim = dyn_cast<tensor::DimOp>(use.getOwner());
  return dim && dim.getConstantIndex();
}

bool codegen::isTranspose(Operation *op) {
  auto structured = dyn_cast<LinalgOp>(op);
  if (!structured || structured.getNumDpsInputs() != 1 ||
      structured.getNumDpsInits() != 1 ||
      structured.getNumParallelLoops() != structured.getNumLoops())
    return false;
  auto yielded = dyn_cast<BlockArgument>(
      structured.getBlock()->getTerminator()->getOperand(0));
  return yielded && yielded.getOwner() == structured.getBlock() &&
         yielded.getArgNumber() == 0 &&
         llvm::all_of(structured.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

//===----------------------------------------------------------------------===//
// Tensors in another order
//===----------------------------------------------------------------------===//

/// A constant with the elements of `constant` in `order`; null if they cannot
/// be read.
static Value reorderConstant(OpBuilder &builder, arith::ConstantOp constant,
                             const Order &order) {
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  RankedTensorType permuted = permute(type, order);
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (dense && dense.isSplat())
    return arith::ConstantOp::create(builder, constant.getLoc(), permuted,
                                     dense.resizeSplat(permuted));
  std::optional<Weights> weights = findWeights(constant);
  if (!weights)
    return {};
  SmallVector<AffineExpr> places;
  for (unsigned position : invert(order, type.getRank()))
    places.push_back(builder.getAffineDimExpr(position));
  AffineMap map =
      AffineMap::get(type.getRank(), 0, places, builder.getContext());
  return arith::ConstantOp::create(builder, constant.getLoc(), permuted,
                                   copyWeights(*weights, permuted, map));
}

/// The dimensions of `type` in groups of one dimension of more than one element
/// and the others around it.
static SmallVector<ReassociationIndices> groupDims(RankedTensorType type) {
  SmallVector<ReassociationIndices> groups(1);
  bool hasLong = false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isLong = type.getDimSize(dim) != 1;
    if (isLong && hasLong)
      groups.emplace_back();
    hasLong |= isLong;
    groups.back().push_back(dim);
  }
  return groups;
}

/// `value` as a tensor of `type`, where only dimensions of one element have
/// other places.
static Value moveUnitDims(OpBuilder &builder, Location location, Value value,
                          RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups = groupDims(from);
  if (groups.size() != size_t(from.getRank()))
    value = tensor::CollapseShapeOp::create(builder, location, value, groups);
  return tensor::ExpandShapeOp::create(builder, location, type, value,
                                       groupDims(type));
}

/// `value`, whose elements are in the order `has`, transposed.
static Value transpose(OpBuilder &builder, Location location, Value value,
                       const Order &has, const Order &wanted) {
  auto type = cast<RankedTensorType>(value.getType());
  Order places = invert(has, type.getRank());
  SmallVector<int64_t> permutation;
  for (unsigned dim :
       permute(ArrayRef<unsigned>(invert({}, type.getRank())), wanted))
    permutation.push_back(places[dim]);
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : permutation)
    sizes.push_back(tensor::getMixedSize(builder, location, value, dim));
  Value empty =
      tensor::EmptyOp::create(builder, location, sizes, type.getElementType());
  return linalg::TransposeOp::create(builder, location, value, empty,
                                     permutation)
      ->getResult(0);
}

namespace {

/// The tensors of a function in the orders in which they were asked for.
class Tensors {
public:
  /// Says that `stored` has the elements of `value` in `order`.
  void add(Value value, Value stored, Order order) {
    kept[value] = {stored, std::move(order)};
  }
  /// `value` in `order`. Ops that are created for that have `location`.
  Value get(Value value, const Order &order, Location location);

private:
  Value make(OpBuilder &builder, Value value, const Order &order,
             Location location);

  DenseMap<Value, std::pair<Value, Order>> kept;
  std::map<std::pair<void *, std::vector<unsigned>>, Value> made;
};

} // namespace

Value Tensors::get(Value value, const Order &order, Location location) {
  auto [stored, has] = kept.lookup(value);
  if (!stored)
    stored = value;
  if (has == order)
    return stored;
  std::pair key(value.getAsOpaquePointer(),
                std::vector<unsigned>(order.begin(), order.end()));
  if (auto found = made.find(key); found != made.end())
    return found->second;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(stored);
  return made[key] = make(builder, value, order, location);
}

Value Tensors::make(OpBuilder &builder, Value value, const Order &order,
                    Location location) {
  auto [stored, has] = kept.lookup(value);
  if (!stored)
    stored = value;
  auto type = cast<RankedTensorType>(value.getType());
  if (has.empty()) {
    Operation *op = stored.getDefiningOp();
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
      if (Value reordered = reorderConstant(builder, constant, order))
        return reordered;
    if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
      return tensor::EmptyOp::create(
          builder, empty.getLoc(),
          permute(ArrayRef<OpFoldResult>(empty.getMixedSizes()), order),
          type.getElementType());
    auto fill = dyn_cast_or_null<linalg::FillOp>(op);
    if (fill && isReorderedForFree(value))
      return linalg::FillOp::create(
                 builder, fill.getLoc(), fill.getInputs()[0],
                 get(fill.getOutputs()[0], order, fill.getLoc()))
          .getResult(0);
  }
  if (areSameInMemory(type, has, order))
    return moveUnitDims(builder, location, stored, permute(type, order));
  return transpose(builder, location, stored, has, order);
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Creates `To`, which is `From` with another layout, if `from` is that op.
template <typename From, typename To>
static Operation *rename(OpBuilder &builder, LinalgOp from, TypeRange types,
                         ValueRange inputs, ValueRange inits,
                         const Order &filter, const Order &usualFilter) {
  auto op = dyn_cast<From>(from.getOperation());
  if (!op || filter != usualFilter)
    return nullptr;
  return To::create(builder, from.getLoc(), types, inputs, inits,
                    op.getStridesAttr(), op.getDilationsAttr());
}

/// Convolutions and poolings of images that upstream has an op for in the
/// orders that they get; null for others.
static Operation *createNamed(OpBuilder &builder, LinalgOp op,
                              const OpOrders &orders, TypeRange types,
                              ValueRange inputs, ValueRange inits) {
  const Order last = {0, 2, 3, 1};
  if (orders.operands.size() != 3 || orders.operands[0] != last ||
      orders.results[0] != last)
    return nullptr;
  auto tryOps = [&](auto... candidates) -> Operation * {
    Operation *made = nullptr;
    ((made = made ? made : candidates()), ...);
    return made;
  };
  const Order &filter = orders.operands[1];
  return tryOps(
      [&] {
        return rename<linalg::Conv2DNchwFchwOp, linalg::Conv2DNhwcHwcfOp>(
            builder, op, types, inputs, inits, filter, {2, 3, 1, 0});
      },
      [&] {
        return rename<linalg::DepthwiseConv2DNchwChwOp,
                      linalg::DepthwiseConv2DNhwcHwcOp>(
            builder, op, types, inputs, inits, filter, {1, 2, 0});
      },
      [&] {
        return rename<linalg::PoolingNchwMaxOp, linalg::PoolingNhwcMaxOp>(
            builder, op, types, inputs, inits, filter, {});
      },
      [&] {
        return rename<linalg::PoolingNchwSumOp, linalg::PoolingNhwcSumOp>(
            builder, op, types, inputs, inits, filter, {});
      });
}

/// The place of each loop of `op` when those of its first result come first, in
/// the order in which that is stored, and then those of its first operand: the
/// innermost loop of a reduction goes along what is contiguous in memory.
static SmallVector<unsigned> placeLoops(LinalgOp op, const OpOrders &orders) {
  AffineMap stored = permute(op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
                             orders.results[0]);
  AffineMap read =
      permute(op.getIndexingMapsArray().front(), orders.operands.front());
  llvm::SmallSetVector<unsigned, 8> order;
  for (AffineExpr expr : stored.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      order.insert(loop.getPosition());
  for (AffineExpr expr : read.getResults())
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (expr.isFunctionOfDim(loop))
        order.insert(loop);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    order.insert(loop);
  SmallVector<unsigned> places(order.size());
  for (auto [place, loop] : llvm::enumerate(order))
    places[loop] = place;
  return places;
}

static Operation *createGeneric(OpBuilder &builder, LinalgOp op,
                                const OpOrders &orders, TypeRange types,
                                ValueRange inputs, ValueRange inits) {
  SmallVector<unsigned> places = placeLoops(op, orders);
  SmallVector<AffineExpr> loops;
  SmallVector<utils::IteratorType> iterators(places.size());
  for (auto [loop, place] : llvm::enumerate(places)) {
    loops.push_back(builder.getAffineDimExpr(place));
    iterators[place] = op.getIteratorTypesArray()[loop];
  }
  SmallVector<AffineMap> maps;
  for (auto [map, order] :
       llvm::zip_equal(op.getIndexingMapsArray(), orders.operands))
    maps.push_back(
        permute(map, order).replaceDimsAndSymbols(loops, {}, places.size(), 0));
  auto generic = linalg::GenericOp::create(builder, op.getLoc(), types, inputs,
                                           inits, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  generic.walk(
      [&](linalg::IndexOp index) { index.setDim(places[index.getDim()]); });
  return generic;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

namespace {

/// Creates one op with its tensors in their orders.
class Reorderer {
public:
  Reorderer(Tensors &tensors, Operation *op, const OpOrders &orders)
      : tensors(tensors), builder(op), op(op), orders(orders) {}
  void run();

private:
  Value getOperand(unsigned index) {
    return tensors.get(op->getOperand(index), orders.operands[index],
                       op->getLoc());
  }
  RankedTensorType getType(unsigned result = 0) {
    return permute(cast<RankedTensorType>(op->getResult(result).getType()),
                   orders.results[result]);
  }
  SmallVector<OpFoldResult> reorder(ArrayRef<OpFoldResult> values) {
    return permute(values, orders.results[0]);
  }
  SmallVector<ReassociationIndices>
  regroup(ArrayRef<ReassociationIndices> groups, const Order &order);
  void runInBody(tensor::ExtractOp extract);
  Operation *create();
  Operation *createStructured(LinalgOp structured);

  Tensors &tensors;
  OpBuilder builder;
  Operation *op;
  const OpOrders &orders;
};

} // namespace

/// The groups of a reshape, with as many dimensions each, in `order`.
SmallVector<ReassociationIndices>
Reorderer::regroup(ArrayRef<ReassociationIndices> groups, const Order &order) {
  SmallVector<ReassociationIndices> regrouped;
  int64_t next = 0;
  for (const ReassociationIndices &group : permute(groups, order)) {
    regrouped.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      regrouped.back().push_back(next++);
  }
  return regrouped;
}

Operation *Reorderer::createStructured(LinalgOp structured) {
  SmallVector<Value> inputs, inits;
  for (unsigned index = 0; index < op->getNumOperands(); ++index)
    (structured.isDpsInput(&op->getOpOperand(index)) ? inputs : inits)
        .push_back(getOperand(index));
  SmallVector<Type> types;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    types.push_back(getType(result));
  if (Operation *named =
          createNamed(builder, structured, orders, types, inputs, inits))
    return named;
  return createGeneric(builder, structured, orders, types, inputs, inits);
}

Operation *Reorderer::create() {
  Location location = op->getLoc();
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case([&](LinalgOp structured) { return createStructured(structured); })
      .Case([&](tensor::PadOp pad) {
        return tensor::PadOp::create(
            builder, location, getType(), getOperand(0),
            reorder(pad.getMixedLowPad()), reorder(pad.getMixedHighPad()),
            pad.getConstantPaddingValue(), pad.getNofold());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return tensor::ExtractSliceOp::create(
            builder, location, getType(), getOperand(0),
            reorder(slice.getMixedOffsets()), reorder(slice.getMixedSizes()),
            reorder(slice.getMixedStrides()));
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return tensor::InsertSliceOp::create(
            builder, location, getOperand(0), getOperand(1),
            reorder(slice.getMixedOffsets()), reorder(slice.getMixedSizes()),
            reorder(slice.getMixedStrides()));
      })
      .Case([&](tensor::CastOp) {
        return tensor::CastOp::create(builder, location, getType(),
                                      getOperand(0));
      })
      .Case([&](tensor::ConcatOp concat) {
        SmallVector<Value> inputs;
        for (unsigned index = 0; index < op->getNumOperands(); ++index)
          inputs.push_back(getOperand(index));
        RankedTensorType type = getType();
        return tensor::ConcatOp::create(
            builder, location, type,
            invert(orders.results[0], type.getRank())[concat.getDim()], inputs);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        SmallVector<ReassociationIndices> groups =
            regroup(expand.getReassociationIndices(), orders.operands[0]);
        return tensor::ExpandShapeOp::create(
            builder, location, getType(), getOperand(0), groups,
            reorder(expand.getMixedOutputShape()));
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return tensor::CollapseShapeOp::create(
            builder, location, getType(), getOperand(0),
            regroup(collapse.getReassociationIndices(), orders.results[0]));
      })
      .Default([](Operation *) { return nullptr; });
}

/// Lets an extract, which stays in its op's body, read the reordered tensor.
void Reorderer::runInBody(tensor::ExtractOp extract) {
  const Order &order = orders.operands[0];
  SmallVector<Value> indices =
      permute(ArrayRef<Value>(llvm::to_vector(extract.getIndices())), order);
  extract.getTensorMutable().assign(tensors.get(
      extract.getTensor(), order, extract->getParentOp()->getLoc()));
  extract.getIndicesMutable().assign(indices);
}

void Reorderer::run() {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return runInBody(extract);
  Value same;
  if (isTranspose(op)) {
    // The op does nothing if its loops pass both in the order in memory.
    auto structured = cast<LinalgOp>(op);
    SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
    if (permute(maps[0], orders.operands[0]) ==
        permute(maps[1], orders.operands[1]))
      same = getOperand(0);
  }
  if (same) {
    tensors.add(op->getResult(0), same, orders.results[0]);
    return;
  }
  Operation *created = create();
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() !=
        linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      created->setDiscardableAttr(attribute.getName(), attribute.getValue());
  for (auto [before, after, order] :
       llvm::zip_equal(op->getResults(), created->getResults(), orders.results))
    tensors.add(before, after, order);
}

/// Gives the uses of `op` outside of `ops` its results as they were before.
static void restoreResults(Tensors &tensors, Operation *op,
                           const OpOrders &orders, const OrderedOps &ops) {
  for (auto [value, order] :
       llvm::zip_equal(op->getResults(), orders.results)) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!ops.contains(use.getOwner()))
        uses.push_back(&use);
    unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
    for (OpOperand *use : uses) {
      if (!readsShapeOnly(*use)) {
        use->set(tensors.get(value, {}, op->getLoc()));
        continue;
      }
      auto dim = cast<tensor::DimOp>(use->getOwner());
      OpBuilder builder(dim);
      Value size = tensor::DimOp::create(
          builder, dim.getLoc(), tensors.get(value, order, op->getLoc()),
          invert(order, rank)[*dim.getConstantIndex()]);
      dim.replaceAllUsesWith(size);
      dim.erase();
    }
  }
}

void codegen::reorderOps(const OrderedOps &ops) {
  Tensors tensors;
  for (const auto &[op, orders] : ops)
    Reorderer(tensors, op, orders).run();
  SmallVector<std::pair<Operation *, OpOrders>> replaced;
  for (const auto &[op, orders] : ops)
    if (!isa<tensor::ExtractOp>(op))
      replaced.push_back({op, orders});
  for (const auto &[op, orders] : replaced)
    restoreResults(tensors, op, orders, ops);
  for (const auto &[op, orders] : llvm::reverse(replaced))
    op->erase();
}
