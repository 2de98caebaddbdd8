//===- DotProduct.cpp - Sums of groups of products ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotProduct.h"
#include "../Constants/Weights.h"
#include "Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// Whether the machine has the instruction for registers of `bits`.
static bool hasInstruction(const TargetModel &target, DotKind kind,
                           int64_t bits) {
  auto has = [&](StringRef name) { return hasFeature(target, name); };
  bool isShort = bits < 512;
  switch (kind) {
  case DotKind::Pairs:
    return bits == 32 && has("dsp");
  case DotKind::Bytes:
    return (isShort && has("avxvnni")) ||
           (has("avx512vnni") && (!isShort || has("avx512vl")));
  case DotKind::Words:
    return has(bits == 512 ? "avx512bw" : bits == 256 ? "avx2" : "sse2");
  case DotKind::BFloats:
    return has("avx512bf16") && (!isShort || has("avx512vl"));
  }
  llvm_unreachable("unknown kind");
}

StringRef codegen::getDotInstruction(DotKind kind) {
  switch (kind) {
  case DotKind::Pairs:
    return "smlad";
  case DotKind::Bytes:
    return "vpdpbusd";
  case DotKind::Words:
    return "vpmaddwd";
  case DotKind::BFloats:
    return "vdpbf16ps";
  }
  llvm_unreachable("unknown kind");
}

int64_t codegen::getDotLanes(int64_t columns, const TargetModel &target) {
  if (!hasVectors(target))
    return 1;
  // The shortest registers have four lanes.
  return std::max<int64_t>(4, getLanes(columns, 32, target));
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

namespace {

/// An input as the body extends it.
struct Factor {
  unsigned input = 0;
  bool isSigned = true;
  bool isFlipped = false;
};

} // namespace

/// Matches a `value` extended from an input whose sign bit may have been
/// flipped.
static std::optional<Factor> matchFactor(LinalgOp op, Value value) {
  Operation *widening = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(widening))
    return std::nullopt;
  Factor factor;
  factor.isSigned = !isa<arith::ExtUIOp>(widening);
  Value narrow = widening->getOperand(0);
  if (auto flip = narrow.getDefiningOp<arith::XOrIOp>()) {
    APInt mask;
    if (!matchPattern(flip.getRhs(), m_ConstantInt(&mask)) ||
        !mask.isSignMask())
      return std::nullopt;
    factor.isFlipped = true;
    narrow = flip.getLhs();
  }
  auto argument = dyn_cast<BlockArgument>(narrow);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  factor.input = argument.getArgNumber();
  return factor;
}

/// Whether the body of `op` is exactly `sum` + left * right in 32 bits.
template <typename Add, typename Multiply>
static bool matchSum(LinalgOp op, Factor &left, Factor &right) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto add = yielded.getDefiningOp<Add>();
  Value sum = op.getRegionOutputArgs().front();
  if (!add || (add.getLhs() != sum && add.getRhs() != sum))
    return false;
  Value product = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  auto multiply = product.getDefiningOp<Multiply>();
  if (!multiply)
    return false;
  std::optional<Factor> first = matchFactor(op, multiply.getLhs());
  std::optional<Factor> second = matchFactor(op, multiply.getRhs());
  if (!first || !second || first->input == second->input)
    return false;
  left = *first;
  right = *second;
  return true;
}

static Type getElement(LinalgOp op, unsigned operand) {
  return getElementTypeOrSelf(op->getOperand(operand).getType());
}

/// The factors of a sum of products of bytes or of bf16; the returned kind says
/// which.
static std::optional<DotKind> matchBody(LinalgOp op, Factor &left,
                                        Factor &right) {
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  auto areOf = [&](auto isNarrow) {
    return isNarrow(getElement(op, left.input)) &&
           isNarrow(getElement(op, right.input));
  };
  if (sum.isInteger(32) &&
      matchSum<arith::AddIOp, arith::MulIOp>(op, left, right))
    if (areOf([](Type type) { return type.isInteger(8); }))
      return DotKind::Bytes;
  if (sum.isF32() && matchSum<arith::AddFOp, arith::MulFOp>(op, left, right))
    if (areOf([](Type type) { return type.isBF16(); }))
      return DotKind::BFloats;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The operands
//===----------------------------------------------------------------------===//

GroupedLayout codegen::getGroupedLayout(LinalgOp op, const DotProduct &dot,
                                        unsigned vectorDim,
                                        const NestFacts &facts, int64_t panel) {
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(dot.weights));
  GroupedLayout layout;
  for (unsigned dim : facts.parallelDims)
    if (dim != vectorDim && map.isFunctionOfDim(dim))
      layout.outerDims.push_back(dim);
  for (unsigned dim : facts.reductionDims)
    if (dim != dot.groupDim && map.isFunctionOfDim(dim))
      layout.innerDims.push_back(dim);
  layout.innerDims.push_back(dot.groupDim);
  MLIRContext *context = op.getContext();
  AffineExpr column = getAffineDimExpr(vectorDim, context);
  AffineExpr depth = getAffineDimExpr(dot.groupDim, context);
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : layout.outerDims)
    exprs.push_back(getAffineDimExpr(dim, context));
  exprs.push_back(column.floorDiv(panel));
  for (unsigned dim : ArrayRef(layout.innerDims).drop_back())
    exprs.push_back(getAffineDimExpr(dim, context));
  exprs.push_back(depth.floorDiv(dot.group));
  exprs.push_back((column % panel) * dot.group + depth % dot.group);
  layout.map = AffineMap::get(op.getNumLoops(), 0, exprs, context);
  return layout;
}

/// The panel width of the weights if they are grouped; else 0.
static int64_t getPanel(LinalgOp op, const DotProduct &dot, unsigned vectorDim,
                        const NestFacts &facts) {
  OpOperand &operand = op->getOpOperand(dot.weights);
  auto type = cast<RankedTensorType>(operand.get().getType());
  int64_t columns = facts.sizes[vectorDim], last = type.getRank() - 1;
  if (type.getRank() < 3 || ShapedType::isDynamic(columns) ||
      type.isDynamicDim(last) || type.getDimSize(last) % dot.group != 0)
    return 0;
  int64_t panel = type.getShape().back() / dot.group;
  if (panel == 0)
    return 0;
  GroupedLayout layout = getGroupedLayout(op, dot, vectorDim, facts, panel);
  // Affine expressions do not guarantee that reads stay within bounds. Where
  // several dispatches share the kernel, each was planned with its own sizes.
  auto fits = [&](int64_t dim, int64_t size, int64_t block) {
    return type.isDynamicDim(dim)
               ? getPlannedSize(op, vectorDim) != 0
               : type.getDimSize(dim) == int64_t(llvm::divideCeil(size, block));
  };
  bool areFilledUp = fits(layout.outerDims.size(), columns, panel) &&
                     fits(last - 1, facts.sizes[dot.groupDim], dot.group);
  return areFilledUp && op.getMatchingIndexingMap(&operand) == layout.map
             ? panel
             : 0;
}

/// A lower bound on the number of reads of each element of the weights, up to a
/// limit. An unknown size counts as large enough.
static bool isReadOften(const NestFacts &facts, AffineMap weights) {
  // Grouping takes as long as a few rows of products.
  constexpr int64_t often = 8;
  int64_t reads = 1;
  for (unsigned dim : facts.parallelDims)
    if (!weights.isFunctionOfDim(dim))
      reads *= ShapedType::isDynamic(facts.sizes[dim])
                   ? often
                   : std::min(facts.sizes[dim], often);
  return reads >= often;
}

/// Whether the weights can be grouped: constants, in any order, by the
/// compiler, or whole rows of columns, if that pays off.
static bool canGroup(LinalgOp op, const DotProduct &dot,
                     const NestFacts &facts) {
  OpOperand &operand = op->getOpOperand(dot.weights);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  MLIRContext *context = op.getContext();
  AffineExpr column = getAffineDimExpr(*facts.contiguousDim, context);
  bool isPlain = map.isProjectedPermutation();
  if (!llvm::is_contained(map.getResults(),
                          getAffineDimExpr(dot.groupDim, context)) ||
      (!isPlain && getAccess(map, *facts.contiguousDim).panel == 0))
    return false;
  if (findWeights(operand.get()))
    return true;
  return isPlain && map.getResults().back() == column &&
         cast<ShapedType>(operand.get().getType()).hasStaticShape() &&
         isReadOften(facts, map);
}

/// Whether single groups of four pay off for a loop of `size` iterations that
/// are contiguous from any place on: the rest takes as long as a whole group,
/// and its bytes are loaded one by one.
static bool isInGroups(int64_t size) {
  constexpr int64_t group = 4, fewGroups = 4;
  return size > 0 && (size % group == 0 || size >= fewGroups * group);
}

/// The reduction loop along which the input that `map` reads is contiguous. If
/// that is not a row of it, as with windows of pixels, or without vectors,
/// there must be a full group.
static std::optional<unsigned>
findGroupDim(AffineMap map, const NestFacts &facts, const TargetModel &target) {
  AffineExpr last = map.getResults().back();
  for (unsigned dim : facts.reductionDims) {
    bool isRow = last == getAffineDimExpr(dim, map.getContext());
    if (isRow && hasVectors(target))
      return dim;
    int64_t size = facts.sizes[dim];
    if ((isRow || hasVectors(target) ? size >= 4 : isInGroups(size)) &&
        getAccess(map, dim).kind == AccessKind::Contiguous)
      return dim;
  }
  return std::nullopt;
}

/// Whether it is known how many of the products in the loop `dim` do not fill a
/// group of four, the largest one.
static bool isRestKnown(LinalgOp op, unsigned dim) {
  return !ShapedType::isDynamic(op.getStaticLoopRanges()[dim]) ||
         getKnownRest(op, dim, 4);
}

/// The same for an input that is contiguous along the lanes: the first loop of
/// several iterations. The columns of a window have their groups in common with
/// its neighbors.
static std::optional<unsigned> findLaneGroupDim(AffineMap map,
                                                const NestFacts &facts,
                                                const TargetModel &target) {
  constexpr int64_t mostTaps = 16;
  for (unsigned dim : facts.reductionDims) {
    int64_t size = facts.sizes[dim];
    if (hasVectors(target) && size > 1 && size <= mostTaps)
      return dim;
  }
  return std::nullopt;
}

static unsigned countLoops(AffineMap map, const NestFacts &facts) {
  return llvm::count_if(facts.parallelDims,
                        [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// Determines which input is broadcast to all lanes, or, if both differ, which
/// one changes with more of the loops over results, and along which loop it has
/// groups.
static bool findOperands(LinalgOp op, const NestFacts &facts,
                         const TargetModel &target, DotProduct &dot) {
  auto getMap = [&](unsigned operand) {
    return op.getMatchingIndexingMap(&op->getOpOperand(operand));
  };
  unsigned vectorDim = *facts.contiguousDim;
  bool isPerLane = getMap(dot.broadcast).isFunctionOfDim(vectorDim) &&
                   getMap(dot.weights).isFunctionOfDim(vectorDim);
  if (isPerLane ? countLoops(getMap(dot.broadcast), facts) <
                      countLoops(getMap(dot.weights), facts)
                : getMap(dot.broadcast).isFunctionOfDim(vectorDim)) {
    std::swap(dot.broadcast, dot.weights);
    std::swap(dot.isBroadcastSigned, dot.areWeightsSigned);
  }
  dot.isPerLane = isPerLane;
  AffineMap broadcast = getMap(dot.broadcast), weights = getMap(dot.weights);
  if (!weights.isFunctionOfDim(vectorDim) || broadcast.getNumResults() == 0)
    return false;
  std::optional<unsigned> along =
      isPerLane ? findLaneGroupDim(broadcast, facts, target)
                : findGroupDim(broadcast, facts, target);
  if (!along)
    return false;
  dot.groupDim = *along;
  unsigned contiguousDim = isPerLane ? vectorDim : dot.groupDim;
  return getAccess(broadcast, contiguousDim).kind == AccessKind::Contiguous &&
         weights.isFunctionOfDim(dot.groupDim) && isRestKnown(op, dot.groupDim);
}

/// Products are exact, but summed in another order: the allowed error must
/// cover one more rounding of the largest sum.
static bool isRoundingAllowed(const TargetModel &target) {
  return target.maxError >= 0x1p-24;
}

/// The elements that a group has.
static int64_t getGroup(const DotProduct &dot) {
  bool arePairs = dot.kind == DotKind::BFloats ||
                  (dot.kind == DotKind::Words && dot.isPerLane);
  return arePairs ? 2 : 4;
}

static std::optional<DotProduct> completeDotProduct(LinalgOp op, DotProduct dot,
                                                    const NestFacts &facts,
                                                    const TargetModel &target) {
  unsigned vectorDim = *facts.contiguousDim;
  int64_t lanes = getDotLanes(facts.sizes[vectorDim], target);
  dot.group = getGroup(dot);
  int64_t bits = std::min<int64_t>(lanes * dot.getColumnLanes() * 32,
                                   std::max(32u, target.vectorBits));
  if (!hasInstruction(target, dot.kind, bits) ||
      (dot.isPerLane && dot.kind == DotKind::BFloats))
    return std::nullopt;
  dot.registerLanes = bits / 32;
  dot.panel = getPanel(op, dot, vectorDim, facts);
  bool isGrouped = dot.panel != 0 && dot.panel % lanes == 0;
  if (isGrouped
          ? dot.needsFlip() || (dot.isFlipped && dot.kind != DotKind::Bytes)
          : dot.isFlipped || !canGroup(op, dot, facts))
    return std::nullopt;
  // Four bytes are extended at once, with their sign.
  if (dot.kind == DotKind::Pairs &&
      !(dot.isBroadcastSigned && dot.areWeightsSigned))
    return std::nullopt;
  return dot;
}

std::optional<DotProduct> codegen::findDotProduct(LinalgOp op,
                                                  const NestFacts &facts,
                                                  const TargetModel &target) {
  if (!op.hasPureTensorSemantics() || getReadInputs(op).size() != 2 ||
      op.getNumDpsInits() != 1 || facts.reductionDims.empty() ||
      !facts.contiguousDim)
    return std::nullopt;
  Factor left, right;
  std::optional<DotKind> kind = matchBody(op, left, right);
  if (!kind || (*kind == DotKind::BFloats && !isRoundingAllowed(target)))
    return std::nullopt;
  DotProduct dot;
  dot.kind = *kind;
  dot.broadcast = left.input;
  dot.weights = right.input;
  dot.isBroadcastSigned = left.isSigned;
  dot.areWeightsSigned = right.isSigned;
  if (!findOperands(op, facts, target, dot))
    return std::nullopt;
  const Factor &broadcast = dot.broadcast == left.input ? left : right;
  const Factor &weights = dot.broadcast == left.input ? right : left;
  dot.isFlipped = broadcast.isFlipped;
  if (weights.isFlipped)
    return std::nullopt;
  if (dot.kind != DotKind::Bytes)
    return completeDotProduct(op, dot, facts, target);
  for (DotKind each : {DotKind::Pairs, DotKind::Bytes, DotKind::Words}) {
    dot.kind = each;
    if (auto found = completeDotProduct(op, dot, facts, target))
      return found;
  }
  return std::nullopt;
}
