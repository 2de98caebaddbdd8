//===- Orders.cpp - Orders of the dimensions of tensors -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"
#include "../Loops/Places.h"
#include "../Nest/JoinedGroups.h"
#include "../Nest/Plan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// With fewer channels than this, a convolution loads the elements of its image
/// one by one in any order, and keeps the one that the image has.
static constexpr int64_t kFewChannels = 8;

Order codegen::simplifyOrder(Order order) {
  return llvm::is_sorted(order) ? Order() : order;
}

RankedTensorType codegen::permute(RankedTensorType type, const Order &order) {
  return type.clone(permute(type.getShape(), order));
}

AffineMap codegen::permute(AffineMap map, const Order &order) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        permute(map.getResults(), order), map.getContext());
}

Order codegen::invert(const Order &order, unsigned rank) {
  auto dims = llvm::seq(0u, rank);
  Order positions(dims.begin(), dims.end());
  for (auto [position, dim] : llvm::enumerate(order))
    positions[dim] = position;
  return positions;
}

/// The dimensions of `type` with more than one element, in `order`.
static Order getLongDims(RankedTensorType type, const Order &order) {
  Order dims;
  for (unsigned i = 0; i < type.getRank(); ++i)
    if (unsigned dim = order.empty() ? i : order[i]; type.getDimSize(dim) != 1)
      dims.push_back(dim);
  return dims;
}

bool codegen::areSameInMemory(RankedTensorType type, const Order &a,
                              const Order &b) {
  return getLongDims(type, a) == getLongDims(type, b);
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// The order of the dimensions of an operand that lie as `places`, one for each
/// loop, says; negative places are not known. None if an expression depends on
/// such a loop.
static std::optional<Order> sortDims(AffineMap map, ArrayRef<int> places) {
  SmallVector<std::pair<int, unsigned>> sorted;
  Order constant, order;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int place = std::numeric_limits<int>::max();
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (expr.isFunctionOfDim(loop))
        place = std::min(place, places[loop]);
    if (place < 0)
      return std::nullopt;
    if (place == std::numeric_limits<int>::max())
      constant.push_back(dim);
    else
      sorted.push_back({place, unsigned(dim)});
  }
  llvm::stable_sort(sorted, llvm::less_first());
  for (auto [place, dim] : sorted)
    order.push_back(dim);
  // Dimensions that are always read at one place stay where they are, if they
  // can.
  if (llvm::is_sorted(order))
    return Order();
  constant.append(order);
  return constant;
}

/// The orders of all operands of `op` by the places of its loops.
static std::optional<OpOrders> sortOperands(LinalgOp op, ArrayRef<int> places) {
  OpOrders orders;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    Order order;
    if (type && type.getRank() > 1) {
      std::optional<Order> sorted =
          sortDims(op.getMatchingIndexingMap(&operand), places);
      if (!sorted || type.getEncoding())
        return std::nullopt;
      order = *sorted;
    }
    orders.operands.push_back(order);
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    orders.results.push_back(orders.operands[init.getOperandNumber()]);
  return orders;
}

/// The places of the loops of `map` in a tensor that has `order` and is read or
/// written by that map; -1 for other loops.
static SmallVector<int> placeLoops(AffineMap map, const Order &order) {
  SmallVector<int> places(map.getNumDims(), -1);
  for (auto [place, dim] : llvm::enumerate(order))
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (map.getResult(dim).isFunctionOfDim(loop) && places[loop] < 0)
        places[loop] = place;
  return places;
}

static std::optional<OpOrders> follow(LinalgOp op, AffineMap map,
                                      const Order &order) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  return sortOperands(op, placeLoops(map, order));
}

/// The same for a convolution with joined groups.
static std::optional<OpOrders> getJoinedLast(LinalgOp op,
                                             const JoinedGroups &groups) {
  SmallVector<int> places(op.getNumLoops(), -1);
  int place = 0;
  AffineMap image = op.getIndexingMapsArray().front();
  auto placeLoops = [&](AffineExpr expr) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (expr.isFunctionOfDim(loop))
        places[loop] = place;
    ++place;
  };
  for (bool isSpace : {false, true})
    for (auto [position, expr] : llvm::enumerate(image.getResults()))
      if (position != groups.position && isa<AffineDimExpr>(expr) != isSpace)
        placeLoops(expr);
  places[groups.channelDim] = place++;
  places[groups.filterDim] = place++;
  std::optional<OpOrders> orders = sortOperands(op, places);
  return orders && !orders->results.front().empty() ? orders : std::nullopt;
}

std::optional<OpOrders> codegen::getChannelsLast(LinalgOp op) {
  if (std::optional<JoinedGroups> groups = findJoinedGroups(op);
      groups && op.hasPureTensorSemantics())
    return getJoinedLast(op, *groups);
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !linalg::isaConvolutionOpInterface(op) ||
      !addsProducts(*op.getBlock()))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputImage.size() != dims->filterLoop.size())
    return std::nullopt;
  SmallVector<int> places(op.getNumLoops(), -1);
  int place = 0;
  for (unsigned loop : dims->batch)
    places[loop] = place++;
  for (auto [moves, slides] :
       llvm::zip_equal(dims->outputImage, dims->filterLoop))
    places[moves] = places[slides] = place++;
  int64_t channels = 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto *list : {&dims->depth, &dims->inputChannel, &dims->outputChannel})
    for (unsigned loop : *list) {
      places[loop] = place++;
      if (list != &dims->outputChannel)
        channels *=
            ShapedType::isDynamic(sizes[loop]) ? kFewChannels : sizes[loop];
    }
  std::optional<OpOrders> orders = sortOperands(op, places);
  if (!orders || orders->results.front().empty())
    return std::nullopt;
  if (channels < kFewChannels && dims->depth.empty())
    orders->operands.front().clear();
  return orders;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// The order of the tensor with more dimensions, of which each group of
/// `groups` becomes one of the other's, which has `order`.
static Order expandOrder(ArrayRef<ReassociationIndices> groups,
                         const Order &order) {
  Order expanded;
  for (unsigned group : order)
    for (int64_t dim : groups[group])
      expanded.push_back(dim);
  return simplifyOrder(expanded);
}

/// The reverse: the tensor of `type` has `order`. None if its groups are torn
/// apart, or in another order within.
static std::optional<Order> collapseOrder(ArrayRef<ReassociationIndices> groups,
                                          RankedTensorType type,
                                          const Order &order) {
  if (groups.empty())
    return std::nullopt;
  SmallVector<unsigned> groupOf(type.getRank());
  for (auto [index, group] : llvm::enumerate(groups))
    for (int64_t dim : group)
      groupOf[dim] = index;
  Order collapsed;
  SmallVector<int64_t> last(groups.size(), -1);
  for (unsigned dim : order) {
    unsigned group = groupOf[dim];
    if (collapsed.empty() || collapsed.back() != group) {
      if (llvm::is_contained(collapsed, group))
        return std::nullopt;
      collapsed.push_back(group);
    }
    if (type.getDimSize(dim) == 1)
      continue;
    if (last[group] > int64_t(dim))
      return std::nullopt;
    last[group] = dim;
  }
  return simplifyOrder(collapsed);
}

/// The orders of an op whose operand 0 has `source` and whose result has
/// `result`.
static std::optional<OpOrders> makeOrders(Operation *op,
                                          std::optional<Order> source,
                                          std::optional<Order> result) {
  if (!source || !result)
    return std::nullopt;
  OpOrders orders;
  orders.operands.resize(op->getNumOperands());
  orders.operands.front() = *source;
  orders.results.push_back(*result);
  return orders;
}

/// The orders of an op whose tensors of rank `order.size()` all have `order`.
static OpOrders makeSame(Operation *op, const Order &order) {
  OpOrders orders;
  auto choose = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && size_t(type.getRank()) == order.size() ? order : Order();
  };
  for (Value operand : op->getOperands())
    orders.operands.push_back(choose(operand));
  for (Value result : op->getResults())
    orders.results.push_back(choose(result));
  return orders;
}

/// Whether all tensors of `op` can have one order.
static bool keepsOrder(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case(
          [](tensor::PadOp pad) { return bool(pad.getConstantPaddingValue()); })
      .Case([](tensor::ExtractSliceOp slice) {
        return slice.getSourceType().getRank() == slice.getType().getRank();
      })
      .Case([](tensor::InsertSliceOp slice) {
        return slice.getSourceType().getRank() == slice.getType().getRank();
      })
      .Case([](tensor::CastOp cast) {
        return isa<RankedTensorType>(cast.getSource().getType()) &&
               isa<RankedTensorType>(cast.getType());
      })
      .Case([](tensor::ConcatOp) { return true; })
      .Default([](Operation *) { return false; });
}

/// Whether the compiler chooses the layout of all tensors of `op`.
static bool arePlain(Operation *op) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || !tensor.getEncoding();
  };
  return llvm::all_of(op->getOperandTypes(), isPlain) &&
         llvm::all_of(op->getResultTypes(), isPlain);
}

std::optional<OpOrders> codegen::followOperand(Operation *op, unsigned index,
                                               const Order &order) {
  if (!arePlain(op))
    return std::nullopt;
  if (auto structured = dyn_cast<LinalgOp>(op))
    return follow(structured,
                  structured.getMatchingIndexingMap(&op->getOpOperand(index)),
                  order);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    // An extract reads elements in any order.
    OpOrders orders;
    orders.operands.resize(op->getNumOperands());
    orders.operands.front() = order;
    orders.results.resize(1);
    return findReadLoops(extract) ? std::optional(orders) : std::nullopt;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return makeOrders(op, order,
                      expandOrder(expand.getReassociationIndices(), order));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return makeOrders(op, order,
                      collapseOrder(collapse.getReassociationIndices(),
                                    collapse.getSrcType(), order));
  return keepsOrder(op) ? std::optional(makeSame(op, order)) : std::nullopt;
}

std::optional<OpOrders> codegen::followResult(Operation *op, unsigned index,
                                              const Order &order) {
  if (!arePlain(op))
    return std::nullopt;
  if (auto structured = dyn_cast<LinalgOp>(op))
    return follow(
        structured,
        structured.getMatchingIndexingMap(structured.getDpsInitOperand(index)),
        order);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return makeOrders(op,
                      collapseOrder(expand.getReassociationIndices(),
                                    expand.getResultType(), order),
                      order);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return makeOrders(
        op, expandOrder(collapse.getReassociationIndices(), order), order);
  return keepsOrder(op) ? std::optional(makeSame(op, order)) : std::nullopt;
}

std::optional<OpOrders> codegen::followBody(tensor::ExtractOp extract,
                                            const OpOrders &orders) {
  AffineMap map = findReadLoops(extract);
  if (!map || orders.results.size() != 1 || orders.results[0].empty() ||
      !arePlain(extract))
    return std::nullopt;
  auto op = cast<LinalgOp>(extract->getParentOp());
  std::optional<Order> order = sortDims(
      map, placeLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
                      orders.results[0]));
  if (!order || order->empty())
    return std::nullopt;
  return followOperand(extract, 0, *order);
}

std::optional<OpOrders> codegen::followExtract(tensor::ExtractOp extract,
                                               const OpOrders &orders) {
  AffineMap map = findReadLoops(extract);
  auto op = dyn_cast<LinalgOp>(extract->getParentOp());
  if (!map || !op || !arePlain(op))
    return std::nullopt;
  SmallVector<int> places = placeLoops(map, orders.operands[0]);
  // Loops of one iteration may be anywhere.
  for (auto [place, size] : llvm::zip_equal(places, op.getStaticLoopRanges()))
    if (place < 0 && size == 1)
      place = 0;
  return sortOperands(op, places);
}
