//===- PackWeights.cpp - Constant factors in the order of their use -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix product reads its weights W[k][n] in panels whose width is that of
// the register kernel. In row-major order each row of a panel is on another
// page, so constant weights become W'[n / panel][k][n mod panel], evaluated at
// compile time, with the last panel zero-padded. The op's indexing map becomes
// (n floordiv panel, k, n mod panel). The same evaluation covers any order of
// the dimensions, and transposes in between. Filters of convolutions are packed
// in the same way, with their taps and channels in the place of k.
//
//===----------------------------------------------------------------------===//

#include "../Loops/GenericOps.h"
#include "../Nest/JoinedGroups.h"
#include "../Nest/Plan.h"
#include "CopyBox.h"
#include "Weights.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Support/Pages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// How one operand of a product is packed.
struct Packing {
  OpOperand *operand = nullptr;
  Weights weights;
  /// The loop that is vectorized, and the columns per panel.
  unsigned vectorDim = 0;
  int64_t panel = 1;
  /// Lanes of a vector; panels are multiples of it.
  int64_t lanes = 1;
  /// Loops of the packed tensor outside and inside of the loop over panels.
  SmallVector<unsigned> outerDims, innerDims;
};

/// Packed constants. Weights used by several functions, such as versions of one
/// function, are stored once.
class PackedWeights {
public:
  DenseResourceElementsAttr get(LinalgOp op, const Packing &packing);

private:
  /// The constant, and everything that determines its packing.
  using Key = std::pair<const void *, std::vector<int64_t>>;

  std::map<Key, DenseResourceElementsAttr> known;
};

} // namespace

int64_t codegen::getWeightPanel(LinalgOp op, const NestFacts &facts,
                                unsigned vectorDim, const TargetModel &target) {
  std::optional<JoinedGroups> groups = findJoinedGroups(op);
  if (groups && groups->filterDim == vectorDim) {
    GroupVectors vectors =
        getGroupVectors(op, *groups, facts.elementBits, target);
    // Vectors do not straddle groups, and panels hold those of one step.
    int64_t step = (vectors.coversGroups ? 1 : 2) * vectors.lanes;
    return vectors.coversGroups || groups->filters % step == 0
               ? step
               : groups->filters;
  }
  int64_t rows = 1;
  for (unsigned dim : facts.parallelDims)
    if (dim != vectorDim)
      rows = std::max(rows, ShapedType::isDynamic(facts.sizes[dim])
                                ? int64_t(8)
                                : facts.sizes[dim]);
  int64_t lanes = getLanes(facts.sizes[vectorDim], facts.elementBits, target);
  return getVectorsPerStep(facts.sizes[vectorDim], lanes,
                           getProductVectors(op, rows)) *
         lanes;
}

/// Whether `op` is a product, or a convolution.
static bool canBePacked(LinalgOp op) {
  return linalg::isaContractionOpInterface(op) ||
         (isConvolution(op) && op.getBlock() && op.getNumDpsInits() == 1 &&
          addsProducts(*op.getBlock()));
}

static std::optional<Packing> planPacking(LinalgOp op,
                                          const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || !facts->contiguousDim || getReadInputs(op).size() != 2 ||
      !canBePacked(op))
    return std::nullopt;
  Packing packing;
  packing.vectorDim = *facts->contiguousDim;
  std::optional<JoinedGroups> groups = findJoinedGroups(op);
  if (groups && groups->filterDim != packing.vectorDim)
    groups.reset();
  for (OpOperand *input : getReadInputs(op))
    if (op.getMatchingIndexingMap(input).isFunctionOfDim(packing.vectorDim) &&
        !(groups && input->getOperandNumber() == 0)) {
      // Both operands run along the vectors: an elementwise product.
      if (packing.operand)
        return std::nullopt;
      packing.operand = input;
    }
  if (!packing.operand ||
      !op.getMatchingIndexingMap(packing.operand).isProjectedPermutation())
    return std::nullopt;
  std::optional<Weights> weights = findWeights(packing.operand->get());
  if (!weights)
    return std::nullopt;
  packing.weights = std::move(*weights);
  packing.panel = getWeightPanel(op, *facts, packing.vectorDim, target);
  // Single numbers are read as easily from any order.
  if (packing.panel == 1 && hasSmallestTile(op))
    return std::nullopt;
  packing.lanes =
      getLanes(facts->sizes[packing.vectorDim], facts->elementBits, target);
  if (groups)
    packing.lanes =
        getGroupVectors(op, *groups, facts->elementBits, target).lanes;
  AffineMap map = op.getMatchingIndexingMap(packing.operand);
  for (unsigned dim : facts->parallelDims)
    if (dim != packing.vectorDim && map.isFunctionOfDim(dim))
      packing.outerDims.push_back(dim);
  for (unsigned dim : facts->reductionDims)
    if (map.isFunctionOfDim(dim))
      packing.innerDims.push_back(dim);
  // A single panel in the right order is what the weights already are.
  bool isPanel =
      facts->sizes[packing.vectorDim] <= packing.panel &&
      map.getDimPosition(map.getNumResults() - 1) == packing.vectorDim &&
      packing.weights.strides.back() == 1;
  return isPanel ? std::nullopt : std::optional(std::move(packing));
}

/// Gives products that share weights, in versions of a function, the narrowest
/// of their panels. Otherwise each would have its own copy of the weights, in
/// the object and in the caches.
static void sharePanels(MutableArrayRef<std::pair<LinalgOp, Packing>> plans) {
  std::map<std::pair<const char *, int64_t>, int64_t> narrowest;
  auto find = [&](const Packing &packing) -> int64_t & {
    std::pair key(packing.weights.bytes.data(), packing.lanes);
    return narrowest.try_emplace(key, packing.panel).first->second;
  };
  for (const auto &[op, packing] : plans)
    find(packing) = std::min(find(packing), packing.panel);
  for (auto &[op, packing] : plans)
    packing.panel = find(packing);
}

/// Copies the packed elements to `target`, which is zero-initialized. `sizes`
/// and `strides` cover all packed dimensions but the columns.
static void copyPanels(const Packing &packing, const char *source,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                       int64_t columns, int64_t columnStride, unsigned bytes,
                       char *target) {
  size_t panelDim = packing.outerDims.size();
  SmallVector<int64_t> shape(sizes), from(strides);
  shape.push_back(packing.panel);
  from.push_back(columnStride);
  SmallVector<int64_t> to = computeStrides(shape);
  int64_t whole = columns / packing.panel;
  shape[panelDim] = whole;
  copyBox(source, shape, from, to, bytes, target);
  // The last panel may have fewer columns.
  shape[panelDim] = 1;
  shape.back() = columns % packing.panel;
  copyBox(source + whole * from[panelDim] * bytes, shape, from, to, bytes,
          target + whole * to[panelDim] * bytes);
}

DenseResourceElementsAttr PackedWeights::get(LinalgOp op,
                                             const Packing &packing) {
  auto type = cast<RankedTensorType>(packing.operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(packing.operand);
  SmallVector<int64_t> sizes, strides;
  int64_t columns = 0, columnStride = 0;
  auto add = [&](unsigned dim) {
    unsigned position =
        *map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    sizes.push_back(type.getDimSize(position));
    strides.push_back(packing.weights.strides[position]);
  };
  for (unsigned dim : packing.outerDims)
    add(dim);
  add(packing.vectorDim);
  columns = sizes.back();
  columnStride = strides.back();
  sizes.back() = llvm::divideCeil(columns, packing.panel);
  strides.back() = columnStride * packing.panel;
  for (unsigned dim : packing.innerDims)
    add(dim);
  Attribute constant;
  if (!matchPattern(packing.weights.constant, m_Constant(&constant)))
    return {};
  Key key(constant.getAsOpaquePointer(),
          {columns, columnStride, packing.panel});
  llvm::append_range(key.second, sizes);
  llvm::append_range(key.second, strides);
  DenseResourceElementsAttr &value = known[key];
  if (value)
    return value;
  SmallVector<int64_t> shape = sizes;
  shape.push_back(packing.panel);
  auto packed = RankedTensorType::get(shape, type.getElementType());
  unsigned bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  auto store = [=](ArrayRef<char> source, char *target) {
    copyPanels(packing, source.data(), sizes, strides, columns, columnStride,
               bytes, target);
    // So that memory never holds both forms of all weights.
    releaseRead({source.data(), source.size()});
  };
  if (auto source = dyn_cast<DenseResourceElementsAttr>(constant))
    value = makeConstant(
        {packed, "packed", {source}, [store](auto sources, char *target) {
           store(sources.front(), target);
         }});
  else
    value = makeConstantLater(packed, "packed",
                              [store, source = packing.weights.bytes](
                                  char *target) { store(source, target); });
  return value;
}

static void pack(RewriterBase &rewriter, LinalgOp op, const Packing &packing,
                 DenseResourceElementsAttr value) {
  rewriter.setInsertionPoint(op);
  Value packed = arith::ConstantOp::create(
      rewriter, packing.weights.constant->getLoc(), value.getType(), value);
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : packing.outerDims)
    exprs.push_back(rewriter.getAffineDimExpr(dim));
  AffineExpr column = rewriter.getAffineDimExpr(packing.vectorDim);
  exprs.push_back(column.floorDiv(packing.panel));
  for (unsigned dim : packing.innerDims)
    exprs.push_back(rewriter.getAffineDimExpr(dim));
  exprs.push_back(column % packing.panel);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[packing.operand->getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, exprs, rewriter.getContext());
  SmallVector<Value> inputs = op.getDpsInputs();
  inputs[packing.operand->getOperandNumber()] = packed;
  rewriter.replaceOp(op, takeBody(rewriter, op, inputs, op.getDpsInits(), maps,
                                  op.getIteratorTypesArray()));
}

namespace {

struct PackWeightsPass
    : mlirprof::codegen::impl::PackWeightsPassBase<PackWeightsPass> {
  using PackWeightsPassBase::PackWeightsPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    // Plans refer to constants, which are freed while only dead ops use them.
    eraseDeadOps(rewriter, getOperation());
    std::vector<std::pair<LinalgOp, Packing>> plans;
    getOperation()->walk([&](LinalgOp op) {
      if (std::optional<Packing> packing = planPacking(op, *target))
        plans.push_back({op, std::move(*packing)});
    });
    sharePanels(plans);
    PackedWeights packed;
    for (auto &[op, packing] : plans) {
      choices.setSource(op);
      if (DenseResourceElementsAttr value = packed.get(op, packing))
        pack(rewriter, op, packing, value);
      freeUnusedConstants(getOperation());
    }
    // The original weights would otherwise be written to the object too.
    eraseDeadOps(rewriter, getOperation());
  }
};

} // namespace
