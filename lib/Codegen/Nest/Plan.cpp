//===- Plan.cpp - Vectorizing a structured op -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "../Buffers/BufferPlan.h"
#include "../Loops/Places.h"
#include "../Marks.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/RulePlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

int64_t codegen::getDivisor(AffineExpr expr, AffineExprKind kind,
                            unsigned dim) {
  auto division = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!division || division.getKind() != kind ||
      division.getLHS() != getAffineDimExpr(dim, expr.getContext()))
    return 0;
  auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
  return divisor ? std::max<int64_t>(divisor.getValue(), 0) : 0;
}

/// The number of columns per panel along `dim`; 0 if the operand is not in
/// panels.
static int64_t getPanel(AffineMap map, unsigned dim) {
  if (map.getNumResults() < 2)
    return 0;
  int64_t panel = getDivisor(map.getResults().back(), AffineExprKind::Mod, dim);
  unsigned divisions = 0;
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(dim)) {
      if (getDivisor(expr, AffineExprKind::FloorDiv, dim) != panel)
        return 0;
      ++divisions;
    }
  return divisions == 1 ? panel : 0;
}

/// The number of iterations of the loop `dim` for which `expr` stays the same:
/// 1 if it changes with each, 0 if it does not depend on the loop.
static int64_t getGroup(AffineExpr expr, unsigned dim) {
  if (!expr.isFunctionOfDim(dim))
    return 0;
  if (int64_t group = getDivisor(expr, AffineExprKind::FloorDiv, dim))
    return group;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary ? std::gcd(getGroup(binary.getLHS(), dim),
                           getGroup(binary.getRHS(), dim))
                : 1;
}

int64_t codegen::getGroup(AffineMap map, unsigned dim) {
  int64_t group = 0;
  for (AffineExpr expr : map.getResults())
    group = std::gcd(group, ::getGroup(expr, dim));
  return group > 1 ? group : 0;
}

/// The access (dim floordiv group) * stride + inner in the last dimension.
static std::optional<Access> getGroupedAccess(AffineMap map, unsigned dim) {
  int64_t group = codegen::getGroup(map, dim);
  if (group == 0 ||
      llvm::any_of(map.getResults().drop_back(),
                   [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); }))
    return std::nullopt;
  auto sum = dyn_cast<AffineBinaryOpExpr>(map.getResults().back());
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto inner = dyn_cast<AffineDimExpr>(sum.getRHS());
  auto outer = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
  if (!inner || !outer || outer.getKind() != AffineExprKind::Mul ||
      getDivisor(outer.getLHS(), AffineExprKind::FloorDiv, dim) != group)
    return std::nullopt;
  auto stride = dyn_cast<AffineConstantExpr>(outer.getRHS());
  if (!stride || stride.getValue() < 1)
    return std::nullopt;
  Access access{AccessKind::Grouped, stride.getValue()};
  access.group = group;
  access.inner = inner.getPosition();
  return access;
}

Access codegen::getAccess(AffineMap map, unsigned dim) {
  MLIRContext *context = map.getContext();
  if (int64_t panel = getPanel(map, dim))
    return {AccessKind::Contiguous, 1, panel};
  if (std::optional<Access> grouped = getGroupedAccess(map, dim))
    return *grouped;
  AffineExpr loop = getAffineDimExpr(dim, context);
  Access access;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    AffineExpr step = simplifyAffineExpr(expr.replace(loop, loop + 1) - expr,
                                         map.getNumDims(), map.getNumSymbols());
    auto constant = dyn_cast<AffineConstantExpr>(step);
    if (!constant)
      return {AccessKind::Irregular, 0};
    if (constant.getValue() == 0)
      continue;
    bool isLast = index + 1 == map.getNumResults();
    if (!isLast || access.kind == AccessKind::Scattered)
      access = {AccessKind::Scattered, 0};
    else if (constant.getValue() == 1)
      access = {AccessKind::Contiguous, 1};
    else
      access = {AccessKind::Spread, constant.getValue()};
  }
  return access;
}

bool codegen::isEveryNth(Access access) {
  constexpr int64_t mostLoads = 8;
  return access.kind == AccessKind::Spread && access.stride >= 2 &&
         access.stride <= mostLoads;
}

bool codegen::isCheap(Access access) {
  return access.kind == AccessKind::Invariant ||
         access.kind == AccessKind::Contiguous || isEveryNth(access);
}

/// Bits of `type` in a vector; 0 if vectors of it do not have the memory layout
/// of an array. (An i1 is a byte in memory, but a vector of them is loaded as
/// bits.)
static unsigned getVectorBits(Type type) {
  if (type.isIndex())
    return 64;
  if (!isa<FloatType, IntegerType>(type))
    return 0;
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && !integer.isSignless())
    return 0;
  if (isa<FloatType>(type) &&
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits : 0;
}

/// The approximate number of vector instructions for an op of a body.
static unsigned getCost(Operation &op) {
  constexpr unsigned function = 30;
  bool isFunction =
      isa<math::MathDialect>(op.getDialect()) &&
      !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
           math::FloorOp, math::FmaOp, math::IsFiniteOp, math::IsInfOp,
           math::IsNaNOp, math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
  return isFunction ? function : 1;
}

unsigned codegen::getBodyCost(linalg::LinalgOp op) {
  unsigned cost = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    cost += isa<linalg::IndexOp, arith::ConstantOp>(inner) ? 0 : getCost(inner);
  return cost;
}

/// The arguments and results in the body of `op` that only say which elements
/// it extracts.
static DenseSet<Value> findPlacesOnly(linalg::LinalgOp op) {
  DenseSet<Value> found;
  auto addIfOnly = [&](Value value) {
    bool isOnly = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return isa<tensor::ExtractOp>(user) ||
             (user->getNumResults() == 1 && found.contains(user->getResult(0)));
    });
    if (isOnly && !value.use_empty())
      found.insert(value);
  };
  for (Operation &inner : llvm::reverse(op.getBlock()->without_terminator()))
    for (Value result : inner.getResults())
      addIfOnly(result);
  for (Value argument : op.getBlock()->getArguments())
    addIfOnly(argument);
  return found;
}

/// Whether `extract`, in the body of `op`, reads the same element for all
/// iterations of `dim`, or neighbors.
static bool readsRun(tensor::ExtractOp extract, linalg::LinalgOp op,
                     unsigned dim) {
  AffineMap map = findReadLoops(extract);
  if (!map || extract.getTensor().getType().getEncoding() ||
      !getVectorBits(extract.getType()))
    return false;
  if (!map.isFunctionOfDim(dim))
    return true;
  auto last = extract.getIndices().back().getDefiningOp<linalg::IndexOp>();
  return last && last->getBlock() == op.getBlock() && last.getDim() == dim &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(dim);
         });
}

/// Adds what the body of `op` extracts to `facts`. Returns false if vectors of
/// it cannot be loaded.
static bool addExtracts(linalg::LinalgOp op, NestFacts &facts) {
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    if (!facts.contiguousDim || !facts.reductionDims.empty() ||
        !readsRun(extract, op, *facts.contiguousDim))
      return false;
    facts.hasExtracts = true;
  }
  return true;
}

/// Adds the properties of the body to `facts`, but not of what is in
/// `placesOnly`. Returns false if it contains anything but arithmetic and
/// extracts.
static bool addBody(linalg::LinalgOp op, const DenseSet<Value> &placesOnly,
                    NestFacts &facts) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    bool isPlace =
        inner.getNumResults() == 1 && placesOnly.contains(inner.getResult(0));
    if (isa<linalg::IndexOp>(inner)) {
      if (!isPlace)
        facts.elementBits = std::max(facts.elementBits, 64u);
      continue;
    }
    if (isa<tensor::ExtractOp>(inner)) {
      if (!isPlace)
        facts.elementBits = std::max(
            facts.elementBits, getVectorBits(inner.getResult(0).getType()));
      ++facts.bodySize;
      continue;
    }
    bool isConstant = isa<arith::ConstantOp>(inner);
    if (!isConstant &&
        (inner.getNumRegions() != 0 ||
         !isa<arith::ArithDialect, math::MathDialect>(inner.getDialect()) ||
         !OpTrait::hasElementwiseMappableTraits(&inner)))
      return false;
    for (Type type : inner.getResultTypes()) {
      if (type.isInteger(1))
        continue;
      unsigned bits = getVectorBits(type);
      if (!bits)
        return false;
      if (!isConstant && !isPlace)
        facts.elementBits = std::max(facts.elementBits, bits);
    }
    facts.bodySize += !isConstant && !isPlace;
  }
  return true;
}

/// Whether each result of `op` is written once per point of the parallel
/// loops.
static bool writesOnce(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation() ||
        map.getNumResults() != op.getNumParallelLoops())
      return false;
    for (AffineExpr expr : map.getResults())
      if (!linalg::isParallelIterator(
              op.getIteratorTypesArray()[cast<AffineDimExpr>(expr)
                                             .getPosition()]))
        return false;
  }
  return true;
}

/// The dimension that all results have as their last one, if its loop iterates.
static std::optional<unsigned> getContiguousDim(linalg::LinalgOp op,
                                                ArrayRef<int64_t> sizes) {
  std::optional<unsigned> dim;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (map.getNumResults() == 0)
      return std::nullopt;
    unsigned last = map.getDimPosition(map.getNumResults() - 1);
    if (dim && *dim != last)
      return std::nullopt;
    dim = last;
  }
  if (!dim || sizes[*dim] == 1)
    return std::nullopt;
  return dim;
}

/// Whether neighbors in the last dimension of `type` are adjacent in memory.
static bool isPlain(ShapedType type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && (buffer.getRank() == 0 || buffer.isLastDimUnitStride());
}

/// The numbers of the mark `name`, one for each loop of `op`; empty if it does
/// not have the mark.
static ArrayRef<int64_t> getLoopNumbers(linalg::LinalgOp op, StringRef name) {
  auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return numbers && size_t(numbers.size()) == op.getNumLoops()
             ? numbers.asArrayRef()
             : ArrayRef<int64_t>();
}

int64_t codegen::getPlannedSize(linalg::LinalgOp op, unsigned dim) {
  ArrayRef<int64_t> sizes = getLoopNumbers(op, kLoopSizes);
  return sizes.empty() ? 0 : std::max<int64_t>(sizes[dim], 0);
}

std::optional<int64_t> codegen::getKnownRest(linalg::LinalgOp op, unsigned dim,
                                             int64_t step) {
  ArrayRef<int64_t> blocks = getLoopNumbers(op, kLoopBlocks);
  int64_t size = getPlannedSize(op, dim);
  if (blocks.empty() || size == 0 || blocks[dim] < 1 || blocks[dim] % step != 0)
    return std::nullopt;
  return size % step;
}

static std::optional<NestFacts> collectFacts(linalg::LinalgOp op) {
  if (op.getNumDpsInits() == 0 || op.getNumLoops() == 0 || !writesOnce(op))
    return std::nullopt;
  NestFacts facts;
  facts.elementBits = 8;
  DenseSet<Value> placesOnly = findPlacesOnly(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    unsigned bits =
        getVectorBits(type ? type.getElementType() : operand.get().getType());
    if (!bits || (type && !isPlain(type)))
      return std::nullopt;
    bool isRead = op.payloadUsesValueFromOperand(&operand) &&
                  !placesOnly.contains(op.getMatchingBlockArgument(&operand));
    if (isRead || op.isDpsInit(&operand))
      facts.elementBits = std::max(facts.elementBits, bits);
  }
  if (!addBody(op, placesOnly, facts))
    return std::nullopt;
  facts.bodyCost = getBodyCost(op);
  facts.sizes = op.getStaticLoopRanges();
  for (auto [dim, size] : llvm::enumerate(facts.sizes))
    if (int64_t planned = getPlannedSize(op, dim);
        ShapedType::isDynamic(size) && planned)
      size = planned;
  for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray()))
    (linalg::isParallelIterator(type) ? facts.parallelDims
                                      : facts.reductionDims)
        .push_back(dim);
  if (llvm::is_contained(facts.sizes, 0))
    return std::nullopt;
  facts.contiguousDim = getContiguousDim(op, facts.sizes);
  if (!addExtracts(op, facts))
    return std::nullopt;
  return facts;
}

std::optional<NestFacts> codegen::getNestFacts(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() ? collectFacts(op) : std::nullopt;
}

std::optional<NestFacts> codegen::getBufferNestFacts(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() ? collectFacts(op) : std::nullopt;
}

Operation *codegen::getCombiner(linalg::LinalgOp op, unsigned index) {
  BlockArgument out = op.getRegionOutputArgs()[index];
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !out.hasOneUse() ||
      *out.user_begin() != combiner || !yielded.hasOneUse())
    return nullptr;
  return linalg::getCombinerOpKind(combiner) ? combiner : nullptr;
}

bool codegen::isReorderable(linalg::LinalgOp op, unsigned dim) {
  for (unsigned index = 0, e = op.getNumDpsInits(); index < e; ++index) {
    Operation *combiner = getCombiner(op, index);
    // The neutral element of an index depends on its size, which MLIR does not
    // tell.
    if (!combiner || combiner->getResult(0).getType().isIndex() ||
        !arith::getNeutralElement(combiner))
      return false;
  }
  return true;
}

bool codegen::addsProducts(Block &body) {
  return linalg::detail::isContractionBody(
      body, [](Operation *product, Operation *sum) {
        return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
               (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
      });
}

bool codegen::isProduct(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return true;
  if (getReadInputs(op).size() != 2 || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isInPanels =
        op.isDpsInput(&operand) &&
        llvm::any_of(llvm::seq(0u, op.getNumLoops()),
                     [&](unsigned dim) { return getPanel(map, dim) != 0; });
    if (!map.isProjectedPermutation() && !isInPanels)
      return false;
  }
  return addsProducts(*op.getBlock());
}

int64_t codegen::getLanes(int64_t size, unsigned elementBits,
                          const TargetModel &target) {
  int64_t lanes = std::max(1u, target.vectorBits / elementBits);
  if (ShapedType::isDynamic(size) || size >= lanes)
    return lanes;
  return llvm::bit_ceil(static_cast<uint64_t>(size));
}

SmallVector<OpOperand *> codegen::getReadInputs(linalg::LinalgOp op) {
  SmallVector<OpOperand *> inputs;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(operand))
      inputs.push_back(operand);
  return inputs;
}

bool codegen::areCheap(linalg::LinalgOp op, unsigned dim) {
  return llvm::all_of(getReadInputs(op), [&](OpOperand *input) {
    return isCheap(getAccess(op.getMatchingIndexingMap(input), dim));
  });
}

bool codegen::isReusedAlong(linalg::LinalgOp op, unsigned dim,
                            unsigned vectorDim) {
  return llvm::any_of(getReadInputs(op), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return (!map.isFunctionOfDim(dim) || getGroup(map, dim) != 0) &&
           map.isFunctionOfDim(vectorDim);
  });
}

int64_t codegen::getVectorsPerStep(int64_t size, int64_t lanes, int64_t most) {
  if (ShapedType::isDynamic(size))
    return most;
  return std::clamp<int64_t>(size / lanes, 1, most);
}

static int64_t countRows(const NestPlan &plan, const NestFacts &facts) {
  int64_t rows = plan.rowsPerStep;
  if (!plan.rowDim || rows == 1)
    return 1;
  // As in cutRows.
  int64_t size = facts.sizes[*plan.rowDim];
  if (ShapedType::isDynamic(size))
    return 2 * rows - 1;
  return (size >= rows ? rows : 0) + size % rows;
}

static int64_t countVectors(const NestPlan &plan, const NestFacts &facts) {
  int64_t vectors = plan.vectorsPerStep;
  // As in cutVectors.
  int64_t size = plan.group ? plan.group : facts.sizes[plan.vectorDim];
  if (ShapedType::isDynamic(size))
    return vectors + (vectors > 1) + 1;
  int64_t whole = size / plan.lanes;
  return (whole >= vectors ? vectors : 0) + whole % vectors +
         (size % plan.lanes != 0);
}

int64_t codegen::countCopies(const NestPlan &plan, const NestFacts &facts,
                             bool isReduced) {
  bool reducesVector = llvm::is_contained(plan.reductionOrder, plan.vectorDim);
  return countRows(plan, facts) *
         (isReduced && reducesVector ? 1 : countVectors(plan, facts));
}

bool codegen::isTooMuchCode(int64_t copies, unsigned bodyCost) {
  constexpr int64_t mostInstructions = 4096;
  return copies * bodyCost > mostInstructions;
}

std::optional<int64_t> codegen::getChosenRows(linalg::LinalgOp op) {
  std::optional<int64_t> rows =
      getNumberChoice(op, choice::kTiles, "rows", choice::kMostTileRows);
  return rows && *rows > 0 ? rows : std::nullopt;
}

std::optional<int64_t> codegen::getChosenVectors(linalg::LinalgOp op) {
  std::optional<int64_t> vectors =
      getNumberChoice(op, choice::kTiles, "vectors", choice::kMostTileVectors);
  return vectors && *vectors > 0 ? vectors : std::nullopt;
}

bool codegen::hasSmallestTile(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && getChosenRows(structured) == 1 &&
         getChosenVectors(structured) == 1;
}

int64_t codegen::getProductVectors(linalg::LinalgOp op, int64_t rows) {
  if (std::optional<int64_t> chosen = getChosenVectors(op))
    return *chosen;
  auto getBytes = [](Value value) {
    return getNumberBytes(getElementTypeOrSelf(value.getType()));
  };
  int64_t result = getBytes(op.getDpsInits()[0]);
  bool isWidened = llvm::any_of(
      op.getDpsInputs(), [&](Value input) { return getBytes(input) < result; });
  return rows < 4 ? 4 : isWidened ? 3 : 2;
}

bool codegen::isForSize(Operation *op) {
  return getChoice(op, choice::kCode, "for") == "size";
}

void codegen::limitCode(NestPlan &plan, const NestFacts &facts) {
  auto isTooMuch = [&] {
    return isTooMuchCode(countCopies(plan, facts, /*isReduced=*/false),
                         facts.bodyCost);
  };
  while (plan.vectorsPerStep > 1 && isTooMuch())
    plan.vectorsPerStep /= 2;
  while (plan.rowsPerStep > 1 && isTooMuch())
    plan.rowsPerStep /= 2;
}

int64_t codegen::getBalancedBlock(int64_t size, int64_t most) {
  if (ShapedType::isDynamic(size))
    return std::min<int64_t>(most, 8);
  int64_t blocks = (size + most - 1) / most;
  return blocks == 0 ? 1 : (size + blocks - 1) / blocks;
}
