//===- ChooseLayout.cpp - One layout for all convolutions -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules vectorize along the last dimension of a result. If that holds the
// channels, the vectors of a filter serve all pixels, whatever the size of the
// image, and Winograd's algorithm applies; frameworks that store channels first
// write convolutions that have neither. This pass stores the tensors of such
// convolutions with their channels last.
//
// Every op that can have its tensors in a corresponding order follows: each of
// them is a node, which is on one of two sides, as it was or reordered. The
// cost of a division is the sum of
//
//   - the time of each convolution on its side (below);
//   - for each tensor that ops on different sides define and use, a transpose:
//     the bytes that it reads and writes, and a little for starting it, so that
//     the transpose of a whole is cheaper than those of all its parts;
//   - the same for each transpose of the model, where it remains one;
//   - twice as much for an op whose body extracts elements of a tensor in
//     another order than that of its result: it reads them one by one.
//
// The cheapest division is a minimum cut of the graph. Times are in bytes that
// a transpose moves meanwhile.
//
//===----------------------------------------------------------------------===//

#include "../Nest/JoinedGroups.h"
#include "MinimumCut.h"
#include "ReorderOps.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHOOSELAYOUTPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Products that a convolution in full vectors adds while a transpose moves a
/// byte, in hundredths: with the channels of the result last and first.
static constexpr int64_t kProductsLast = 600;
static constexpr int64_t kProductsFirst = 300;
/// The size of a dimension that is not known.
static constexpr int64_t kUnknownSize = 64;
/// The cost of a transpose of no elements.
static constexpr int64_t kTransposeStart = 1024;

static int64_t getSize(int64_t size) {
  return ShapedType::isDynamic(size) ? kUnknownSize : size;
}

/// The product of `sizes`, limited so that sums of costs do not overflow.
static int64_t multiply(ArrayRef<int64_t> sizes, int64_t product = 1) {
  constexpr int64_t most = int64_t(1) << 40;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(product, getSize(size), product) || product > most)
      return most;
  return product;
}

/// The bytes that a transpose of a tensor reads and writes, and its start.
static int64_t getTransposeCost(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return kTransposeStart +
         multiply(type.getShape(), 2 * llvm::divideCeil(bits, 8));
}

namespace {

class LayoutPlanner {
public:
  LayoutPlanner(func::FuncOp function, const TargetModel &target)
      : function(function), target(target) {}
  /// The ops to reorder.
  OrderedOps plan();

private:
  void spread();
  void visit(Operation *op, std::optional<OpOrders> found);
  void addConvolution(MinimumCut &cut, LinalgOp op);
  void addTensor(MinimumCut &cut, Value value);
  void addExtract(MinimumCut &cut, tensor::ExtractOp extract);
  void spreadInBody(Operation *op, const OpOrders &known);
  int64_t getTime(LinalgOp op, const Order &result, int64_t products);
  size_t getNode(Operation *op) {
    auto found = nodes.find(op);
    return found == nodes.end() ? fixed : found->second;
  }

  func::FuncOp function;
  const TargetModel &target;
  DenseMap<Operation *, OpOrders> orders;
  SmallVector<Operation *> queue;
  SmallVector<LinalgOp> convolutions;
  DenseMap<Operation *, size_t> nodes;
  /// The node of all ops that stay as they are.
  size_t fixed = 0;
};

} // namespace

void LayoutPlanner::visit(Operation *op, std::optional<OpOrders> found) {
  if (found && orders.try_emplace(op, std::move(*found)).second)
    queue.push_back(op);
}

/// Extracts follow the op whose body they are in, and the reverse.
void LayoutPlanner::spreadInBody(Operation *op, const OpOrders &known) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    for (auto extract : generic.getBody()->getOps<tensor::ExtractOp>())
      if (!orders.contains(extract))
        visit(extract, followBody(extract, known));
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Operation *around = extract->getParentOp();
    if (!orders.contains(around))
      visit(around, followExtract(extract, known));
  }
}

/// Finds the orders of all ops that can follow a convolution.
void LayoutPlanner::spread() {
  for (size_t next = 0; next < queue.size(); ++next) {
    Operation *op = queue[next];
    OpOrders known = orders[op];
    spreadInBody(op, known);
    auto spreadOver = [&](Value value, const Order &order) {
      if (order.empty() || isReorderedForFree(value))
        return;
      if (auto result = dyn_cast<OpResult>(value);
          result && !orders.contains(result.getOwner()))
        visit(result.getOwner(),
              followResult(result.getOwner(), result.getResultNumber(), order));
      for (OpOperand &use : value.getUses())
        if (!orders.contains(use.getOwner()) && !readsShapeOnly(use))
          visit(use.getOwner(),
                followOperand(use.getOwner(), use.getOperandNumber(), order));
    };
    for (auto [value, order] :
         llvm::zip_equal(op->getOperands(), known.operands))
      spreadOver(value, order);
    for (auto [value, order] : llvm::zip_equal(op->getResults(), known.results))
      spreadOver(value, order);
  }
}

/// The time of a convolution whose result has the order `result`.
int64_t LayoutPlanner::getTime(LinalgOp op, const Order &result,
                               int64_t products) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t row = getSize(permute(type, result).getShape().back());
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t lanes = std::max<int64_t>(1, target.vectorBits / bits);
  // A vector that is not full takes as long as one that is.
  int64_t computed = llvm::alignTo(row, lanes);
  if (std::optional<JoinedGroups> groups = findJoinedGroups(op);
      groups && !result.empty()) {
    GroupVectors vectors = getGroupVectors(op, *groups, bits, target);
    if (!vectors.coversGroups)
      computed = row / groups->filters * llvm::alignTo(groups->filters, lanes);
    else
      computed = row / vectors.lanes * lanes;
  }
  return multiply({computed, 100}, multiply(op.getStaticLoopRanges()) / row) /
         products;
}

void LayoutPlanner::addConvolution(MinimumCut &cut, LinalgOp op) {
  cut.addCosts(nodes[op], getTime(op, {}, kProductsFirst),
               getTime(op, orders[op].results[0], kProductsLast));
}

/// Adds the transposes of `value` between its definition and its uses.
void LayoutPlanner::addTensor(MinimumCut &cut, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || isReorderedForFree(value))
    return;
  int64_t cost = getTransposeCost(type);
  size_t from = fixed;
  Order given;
  if (auto result = dyn_cast<OpResult>(value)) {
    from = getNode(result.getOwner());
    if (from != fixed)
      given = orders[result.getOwner()].results[result.getResultNumber()];
  }
  bool changes = !areSameInMemory(type, given, {});
  std::optional<size_t> anyReordered, anyOther;
  for (OpOperand &use : value.getUses()) {
    if (readsShapeOnly(use))
      continue;
    size_t to = getNode(use.getOwner());
    Order wanted;
    if (to != fixed)
      wanted = orders[use.getOwner()].operands[use.getOperandNumber()];
    bool isSame = areSameInMemory(type, given, wanted);
    if (isSame && !changes)
      continue;
    if (isSame || to == fixed) {
      // One transpose serves all uses on the other side.
      if (!anyReordered) {
        anyReordered = cut.addNode();
        anyOther = cut.addNode();
        cut.addEdge(from, *anyReordered, cost);
        cut.addEdge(*anyOther, from, cost);
      }
      cut.addEdge(*anyReordered, to, MinimumCut::kInfinite);
      cut.addEdge(to, *anyOther, MinimumCut::kInfinite);
      continue;
    }
    // The costs if only the use is reordered, only the definition is, and both
    // are, in orders that do not agree.
    int64_t onlyUse = areSameInMemory(type, {}, wanted) ? 0 : cost;
    int64_t onlyValue = changes ? cost : 0;
    int64_t ofValue = std::max<int64_t>(0, cost - onlyUse);
    int64_t ofUse = cost - ofValue;
    cut.addCosts(from, 0, ofValue);
    cut.addCosts(to, 0, ofUse);
    cut.addEdge(from, to, onlyUse - ofUse);
    cut.addEdge(to, from, onlyValue - ofValue);
  }
}

/// Adds what it costs to extract elements in another order than that in which
/// the op around stores its results.
void LayoutPlanner::addExtract(MinimumCut &cut, tensor::ExtractOp extract) {
  Operation *around = extract->getParentOp();
  auto type = cast<RankedTensorType>(around->getResult(0).getType());
  int64_t cost = 2 * getTransposeCost(type);
  cut.addEdge(getNode(extract), getNode(around), cost);
  cut.addEdge(getNode(around), getNode(extract), cost);
}

OrderedOps LayoutPlanner::plan() {
  function.walk([&](LinalgOp op) {
    std::optional<OpOrders> found = getChannelsLast(op);
    if (!found)
      return;
    convolutions.push_back(op);
    visit(op, std::move(found));
  });
  spread();
  OrderedOps chosen;
  if (convolutions.empty())
    return chosen;
  MinimumCut cut;
  fixed = cut.addNode();
  cut.addCosts(fixed, 0, MinimumCut::kInfinite);
  llvm::SetVector<Value> values;
  for (Operation *op : queue) {
    nodes[op] = cut.addNode();
    values.insert(op->operand_begin(), op->operand_end());
    values.insert(op->result_begin(), op->result_end());
    if (!isTranspose(op))
      continue;
    SmallVector<AffineMap> maps = cast<LinalgOp>(op).getIndexingMapsArray();
    const OpOrders &known = orders[op];
    int64_t cost =
        getTransposeCost(cast<RankedTensorType>(op->getResult(0).getType()));
    bool remains = permute(maps[0], known.operands[0]) !=
                   permute(maps[1], known.operands[1]);
    cut.addCosts(nodes[op], maps[0] == maps[1] ? 0 : cost, remains ? cost : 0);
  }
  for (LinalgOp op : convolutions)
    addConvolution(cut, op);
  for (Operation *op : queue)
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      addExtract(cut, extract);
  for (Value value : values)
    addTensor(cut, value);
  std::vector<bool> isReordered = cut.solve();
  function.walk([&](Operation *op) {
    auto found = nodes.find(op);
    if (found != nodes.end() && isReordered[found->second])
      chosen.insert({op, orders[op]});
  });
  return chosen;
}

namespace {

struct ChooseLayoutPass
    : mlirprof::codegen::impl::ChooseLayoutPassBase<ChooseLayoutPass> {
  using ChooseLayoutPassBase::ChooseLayoutPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, TargetModel().vectorRegisters,
        /*features=*/"", TargetModel().maxError);
    if (failed(target))
      return signalPassFailure();
    reorderOps(LayoutPlanner(getOperation(), *target).plan());
  }
};

} // namespace
