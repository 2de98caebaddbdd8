//===- Nest.cpp - Vector loops of a structured op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "../Loops/GenericOps.h"
#include "Body.h"
#include "Buffers.h"
#include "Loops.h"
#include "Operands.h"
#include "Prefetch.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Maps each dimension of `consumer` to a dimension of a nest with `loops`
/// dimensions; the consumer reads the result stored by `stored` through `read`.
/// Empty if the dimensions do not correspond one to one.
static SmallVector<AffineExpr> mapDimensions(LinalgOp consumer, AffineMap read,
                                             AffineMap stored) {
  if (!read.isProjectedPermutation() ||
      read.getNumResults() != consumer.getNumLoops() ||
      read.getNumResults() != stored.getNumResults())
    return {};
  SmallVector<AffineExpr> dims(consumer.getNumLoops());
  for (auto [result, expr] : llvm::enumerate(read.getResults()))
    dims[cast<AffineDimExpr>(expr).getPosition()] = stored.getResult(result);
  return dims;
}

/// Whether `next` reads `value`, of `rank` dimensions, as an epilogue may:
/// once, completely, and with the same last dimension as its own result, so
/// that vectors along that dimension are stored whole.
static bool canFollow(LinalgOp next, Value value, unsigned rank) {
  if (!next || !next.hasPureTensorSemantics() || next.getNumDpsInits() != 1 ||
      next.getNumLoops() != rank || next.getNumParallelLoops() != rank)
    return false;
  AffineMap stored = next.getMatchingIndexingMap(next.getDpsInitOperand(0));
  if (!stored.isPermutation())
    return false;
  unsigned reads = 0;
  for (OpOperand &operand : next->getOpOperands()) {
    if (operand.get() != value)
      continue;
    AffineMap map = next.getMatchingIndexingMap(&operand);
    if (!next.isDpsInput(&operand) || !map.isPermutation() ||
        (rank > 0 && map.getResult(rank - 1) != stored.getResult(rank - 1)))
      return false;
    ++reads;
  }
  return reads == 1;
}

SmallVector<LinalgOp> codegen::getEpilogues(LinalgOp op, const NestFacts &facts,
                                            const NestPlan &plan) {
  SmallVector<LinalgOp> chain;
  int64_t copies = countCopies(plan, facts, /*isReduced=*/true);
  unsigned cost = 0;
  Operation *last = op;
  if (op->getNumResults() != 1)
    return chain;
  while (last->hasOneUse() &&
         getChoice(last, choice::kFusion, "with") != "none") {
    Operation *user = *last->user_begin();
    auto next = dyn_cast<LinalgOp>(user);
    unsigned rank =
        cast<RankedTensorType>(last->getResult(0).getType()).getRank();
    if (!next || user->getBlock() != op->getBlock() ||
        !canFollow(next, last->getResult(0), rank))
      break;
    std::optional<NestFacts> nextFacts = getNestFacts(next);
    if (!nextFacts || nextFacts->hasExtracts ||
        nextFacts->elementBits > 2 * facts.elementBits)
      break;
    cost += nextFacts->bodyCost;
    if (isTooMuchCode(copies, cost))
      break;
    chain.push_back(next);
    last = next;
  }
  return chain;
}

//===----------------------------------------------------------------------===//
// The emitter
//===----------------------------------------------------------------------===//

namespace {

/// One op of the nest: the root, or an epilogue.
struct Stage {
  LinalgOp op;
  /// For each block argument; the value is null if the previous stage computes
  /// it.
  SmallVector<NestOperand> operands;
  /// The tensors from which the body extracts elements.
  SmallVector<std::pair<Operation *, NestOperand>> extracts;
  /// The nest dimension of each dimension of the op.
  SmallVector<unsigned> dims;
};

class NestEmitter {
public:
  NestEmitter(RewriterBase &rewriter, LinalgOp op, ArrayRef<LinalgOp> epilogues,
              const NestPlan &plan, LoopKind kind);
  void emit();

private:
  void addStage(LinalgOp op, AffineMap stored);
  NestOperand makeOperand(Value value, AffineMap map) const;
  void prepareResults();
  void chooseLateWork();
  bool canBeLate(LinalgOp op) const;
  NestOperand *findTransposed();
  SmallVector<NestOperand *> getLoaded();
  void emitOnTensors();

  SmallVector<Segment> cutVectorLoop();
  void expectTrips(MutableArrayRef<Segment> segments, unsigned dim);
  void emitParallel(size_t level);
  void emitVectorGroups(size_t level);
  void emitPoint();
  SmallVector<Value> emitReduction(size_t level, ValueRange parts);
  SmallVector<Value> emitVectorReduction(ValueRange parts);
  SmallVector<Value> emitGroups(ValueRange parts);
  SmallVector<Value> emitGroupLoop(ValueRange parts, OpFoldResult count);
  Value loadWord(int64_t row, int64_t vector, int64_t valid);
  SmallVector<Value> emitDots(ValueRange parts, int64_t valid);
  SmallVector<Value> emitBodies(ValueRange parts);
  void prefetch();
  SmallVector<Value> createParts(OperandLoader &loader);
  SmallVector<Value> combineParts(ValueRange parts, OperandLoader &loader);
  void store(ValueRange values, OperandLoader &loader);
  void storeResults(ArrayRef<Value> results, OperandLoader &loader, int64_t row,
                    int64_t vector);
  bool isFinishedLate() const {
    constexpr int64_t fewRows = 2;
    return hasLateWork && position.rows > fewRows;
  }
  void storeUnfinished(ValueRange parts, OperandLoader &loader);
  void finishRows();
  void storeOne(Value value, Value buffer, AffineMap map, OperandLoader &loader,
                int64_t row, int64_t vector);
  SmallVector<Value> runBody(Stage &stage, OperandLoader &loader, int64_t row,
                             int64_t vector,
                             llvm::function_ref<Value(unsigned)> getGiven);
  SmallVector<Value> runEpilogues(ArrayRef<Value> results,
                                  OperandLoader &loader, int64_t row,
                                  int64_t vector);

  OpFoldResult beginPanel(const Segment &segment, OpFoldResult index);
  void enter(const Segment &segment, OpFoldResult index, bool isVector);
  Value createMask(OpFoldResult validLanes);
  Type getPartType(Type element) const;
  Value createNeutral(Operation *combiner);
  unsigned getNumResults() { return root().op.getNumDpsInits(); }
  Stage &root() { return stages.front(); }
  Stage &last() { return stages.back(); }
  bool reducesVector() const {
    return llvm::is_contained(plan.reductionOrder, plan.vectorDim);
  }
  /// The index of an accumulator in the flat list of all.
  size_t getPart(unsigned result, int64_t row, int64_t vector) const {
    return (result * position.rows + row) * vectorParts + vector;
  }

  RewriterBase &rewriter;
  Location location;
  NestPlan plan;
  SmallVector<Stage, 2> stages;
  SmallVector<OpFoldResult> sizes;
  /// The initial values of the root's results, null if the body does not read
  /// them: a value, or the tensor.
  SmallVector<NestOperand> starts;
  SmallVector<Value> destinations;
  /// The kind of the loops around points.
  LoopKind kind;
  NestPosition position;
  /// Accumulators along the vector loop.
  int64_t vectorParts = 1;
  /// Whether sums are stored before the epilogues, which a loop over the rows
  /// then computes in place; or, without reductions, `transposed` before the
  /// root's body.
  bool hasLateWork = false;
  NestOperand *transposed = nullptr;
};

} // namespace

NestEmitter::NestEmitter(RewriterBase &rewriter, LinalgOp op,
                         ArrayRef<LinalgOp> epilogues, const NestPlan &plan,
                         LoopKind kind)
    : rewriter(rewriter), location(op.getLoc()), plan(plan), kind(kind) {
  Stage stage;
  stage.op = op;
  stage.dims = llvm::to_vector(llvm::seq(0u, op.getNumLoops()));
  for (OpOperand &operand : op->getOpOperands())
    stage.operands.push_back(makeOperand(
        op.payloadUsesValueFromOperand(&operand) ? operand.get() : Value(),
        op.getMatchingIndexingMap(&operand)));
  // Any element may be read: the map says nothing.
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>())
    stage.extracts.push_back(
        {extract, makeOperand(extract.getTensor(),
                              AffineMap::get(op.getNumLoops(), 0,
                                             rewriter.getContext()))});
  stages.push_back(std::move(stage));
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (LinalgOp epilogue : epilogues) {
    addStage(epilogue, stored);
    stored = last().operands.back().map;
  }
  llvm::append_range(
      starts, ArrayRef(root().operands).drop_front(op.getNumDpsInputs()));
}

NestOperand NestEmitter::makeOperand(Value value, AffineMap map) const {
  NestOperand operand{value, map, getAccess(map, plan.vectorDim), {}};
  // A vector that straddles two panels is not contiguous in memory.
  if (int64_t panel = operand.alongVector.panel;
      panel != plan.group &&
      (panel % plan.lanes != 0 || (panel != 0 && plan.group % panel != 0)))
    operand.alongVector = {AccessKind::Irregular};
  if (plan.group != 0 && getGroup(map, plan.vectorDim) == plan.group)
    operand.alongVector = {AccessKind::Invariant};
  if (plan.rowDim)
    operand.alongRow = getAccess(map, *plan.rowDim);
  if (operand.alongRow.panel != 0)
    operand.alongRow = {AccessKind::Irregular};
  // Blocks of rows begin at multiples of their size.
  if (int64_t group = plan.rowDim ? getGroup(map, *plan.rowDim) : 0;
      group != 0 && group % plan.rowsPerStep == 0)
    operand.alongRow = {AccessKind::Invariant};
  return operand;
}

void NestEmitter::addStage(LinalgOp op, AffineMap stored) {
  Value given = last().op->getResult(0);
  Stage stage;
  stage.op = op;
  SmallVector<AffineExpr> dims;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (operand->get() == given)
      dims = mapDimensions(op, op.getMatchingIndexingMap(operand), stored);
  for (AffineExpr dim : dims)
    stage.dims.push_back(cast<AffineDimExpr>(dim).getPosition());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
        dims, {}, root().op.getNumLoops(), 0);
    bool isRead =
        operand.get() != given && op.payloadUsesValueFromOperand(&operand);
    stage.operands.push_back(
        makeOperand(isRead ? operand.get() : Value(), map));
  }
  stages.push_back(std::move(stage));
}

/// The op that filled `tensor` with one value, if there is one.
static linalg::FillOp getFill(Value tensor) {
  return tensor.getDefiningOp<linalg::FillOp>();
}

LinalgOp codegen::findStart(Value tensor) {
  if (linalg::FillOp fill = getFill(tensor))
    return fill;
  return getSpread(tensor);
}

void NestEmitter::prepareResults() {
  for (NestOperand &start : starts) {
    if (!start.value)
      continue;
    if (linalg::FillOp fill = getFill(start.value)) {
      start =
          makeOperand(fill.getInputs()[0],
                      AffineMap::get(sizes.size(), 0, rewriter.getContext()));
    } else if (LinalgOp spread = getSpread(start.value)) {
      NestOperand read =
          makeOperand(spread.getDpsInputs()[0],
                      spread.getIndexingMapsArray()[0].compose(start.map));
      if (isCheap(read.alongVector))
        start = read;
    }
  }
  for (OpOperand &init : last().op.getDpsInitsMutable()) {
    // All of the result is overwritten, so its previous content does not
    // matter.
    LinalgOp start = findStart(init.get());
    destinations.push_back(start ? start.getDpsInits()[0] : init.get());
  }
}

/// Whether `op`, the root or an epilogue, may read an element from the result's
/// own buffer: the other operands must not be parts of that buffer, which is
/// overwritten before they are read.
bool NestEmitter::canBeLate(LinalgOp op) const {
  auto isResult = [&](Value value) {
    return llvm::is_contained(destinations, value);
  };
  return op.getNumDpsInits() == 1 &&
         op.getBlock()->getOps<tensor::ExtractOp>().empty() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::none_of(op.getDpsInputs(), isResult);
}

/// The only input of a root without reductions that is transposed in registers.
NestOperand *NestEmitter::findTransposed() {
  NestOperand *found = nullptr;
  for (NestOperand &operand : root().operands) {
    if (!operand.value || isCheap(operand.alongVector))
      continue;
    if (found || operand.alongRow.kind != AccessKind::Contiguous)
      return nullptr;
    found = &operand;
  }
  return found;
}

/// A function takes dozens of instructions. For each accumulator anew, they
/// would be most of the nest's code, and most of the time to compile it. The
/// rows of a step that has just been stored are in the nearest cache.
void NestEmitter::chooseLateWork() {
  constexpr unsigned function = 30;
  bool isPointwise = plan.reductionOrder.empty();
  if (!plan.rowDim || reducesVector() || !root().op.hasPureTensorSemantics())
    return;
  unsigned cost = 0;
  for (Stage &stage : MutableArrayRef(stages).drop_front(isPointwise ? 0 : 1)) {
    if (!canBeLate(stage.op))
      return;
    cost += getBodyCost(stage.op);
  }
  transposed = isPointwise ? findTransposed() : nullptr;
  if (cost < function || (isPointwise && !transposed))
    return;
  Value kept = transposed ? transposed->value : root().op->getResult(0);
  hasLateWork = getElementTypeOrSelf(kept.getType()) ==
                getElementTypeOrSelf(destinations.front().getType());
}

/// The tensors and buffers that the loops load. `starts` are the initial values
/// of the root's results.
SmallVector<NestOperand *> NestEmitter::getLoaded() {
  SmallVector<NestOperand *> loaded;
  for (Stage &stage : stages)
    for (auto [index, operand] : llvm::enumerate(stage.operands))
      if (&stage != &root() || int64_t(index) < stage.op.getNumDpsInputs())
        loaded.push_back(&operand);
  for (Stage &stage : stages)
    for (auto &[extract, operand] : stage.extracts)
      loaded.push_back(&operand);
  for (NestOperand &start : starts)
    loaded.push_back(&start);
  llvm::erase_if(loaded, [](NestOperand *operand) {
    return !operand->value || !isa<ShapedType>(operand->value.getType());
  });
  return loaded;
}

/// Emits the loops in an op that bufferization replaces by them.
void NestEmitter::emitOnTensors() {
  SmallVector<AffineMap> stored;
  for (const NestOperand &result :
       ArrayRef(last().operands).drop_front(last().op.getNumDpsInputs()))
    stored.push_back(result.map);
  cpu::NestOp nest =
      enterNest(rewriter, location, getLoaded(), stored, destinations);
  // Late work reads inputs after the result's elements are written.
  if (hasLateWork)
    nest.setElementwise({});
  kind = LoopKind::Parallel;
  emitParallel(0);
  hoistInvariants(nest);
  rewriter.replaceOp(last().op, nest.getResults());
}

void NestEmitter::emit() {
  rewriter.setInsertionPoint(last().op);
  for (Range range : root().op.createLoopRanges(rewriter, location))
    sizes.push_back(range.size);
  prepareResults();
  chooseLateWork();
  position.indices.assign(sizes.size(), rewriter.getIndexAttr(0));
  if (root().op.hasPureTensorSemantics()) {
    emitOnTensors();
  } else {
    emitParallel(0);
    rewriter.eraseOp(last().op);
  }
  for (size_t stage = stages.size() - 1; stage-- > 0;)
    rewriter.eraseOp(stages[stage].op);
}

/// A vector type, or a scalar type if the vector loop is a reduction.
Type NestEmitter::getPartType(Type element) const {
  return VectorType::get({plan.lanes}, element);
}

Value NestEmitter::createMask(OpFoldResult validLanes) {
  auto type = VectorType::get({plan.lanes}, rewriter.getI1Type());
  return vector::CreateMaskOp::create(
      rewriter, location, type,
      getValueOrCreateConstantIndexOp(rewriter, location, validLanes));
}

/// `index` as a multiple of the panel that a step of single numbers covers: all
/// of them are at constant distances from one address.
OpFoldResult NestEmitter::beginPanel(const Segment &segment,
                                     OpFoldResult index) {
  if (plan.lanes != 1 || !plan.dot || plan.dot->panel != segment.count)
    return index;
  AffineExpr panel = rewriter.getAffineConstantExpr(segment.count);
  AffineExpr begin = rewriter.getAffineDimExpr(0).floorDiv(panel) * panel;
  return affine::makeComposedFoldedAffineApply(
      rewriter, location, AffineMap::get(1, 0, begin), {index});
}

/// Moves the position to step `index` of `segment`.
void NestEmitter::enter(const Segment &segment, OpFoldResult index,
                        bool isVector) {
  if (!isVector) {
    position.indices[*plan.rowDim] = index;
    position.rows = segment.count;
    return;
  }
  position.indices[plan.vectorDim] = beginPanel(segment, index);
  position.vectors = segment.count;
  position.mask = Value();
  if (!segment.isMasked)
    return;
  AffineExpr left = rewriter.getAffineDimExpr(0) - rewriter.getAffineDimExpr(1);
  position.validLanes = affine::makeComposedFoldedAffineApply(
      rewriter, location, AffineMap::get(2, 0, left), {segment.end, index});
  position.mask = createMask(position.validLanes);
}

/// The segments of the vector loop, or of a group of it.
SmallVector<Segment> NestEmitter::cutVectorLoop() {
  OpFoldResult size =
      plan.group ? rewriter.getIndexAttr(plan.group) : sizes[plan.vectorDim];
  if (!plan.isOneLoop)
    return cutVectors(rewriter, location, size, plan.lanes, plan.vectorsPerStep,
                      getKnownRest(root().op, plan.vectorDim,
                                   plan.lanes * plan.vectorsPerStep));
  std::optional<int64_t> constant = getConstantIntValue(size);
  bool isWhole = constant && *constant % plan.lanes == 0;
  return {{rewriter.getIndexAttr(0), size, plan.lanes, 1, !isWhole}};
}

/// Tells how many steps of a loop whose size is not constant are expected: all
/// in the first segment.
void NestEmitter::expectTrips(MutableArrayRef<Segment> segments, unsigned dim) {
  int64_t size = getPlannedSize(root().op, dim);
  for (Segment &segment : segments) {
    segment.trips = size ? std::max<int64_t>(size / segment.step, 1) : 0;
    size = std::min<int64_t>(size, 1);
  }
}

/// The loop over groups of the vector loop, and the vectors of a group.
void NestEmitter::emitVectorGroups(size_t level) {
  Segment groups{rewriter.getIndexAttr(0), sizes[plan.vectorDim], plan.group, 1,
                 false};
  AffineMap sum = AffineMap::get(
      2, 0, rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1));
  NestPosition outer = position;
  auto emitGroup = [&](OpFoldResult first, ValueRange) {
    for (const Segment &segment : cutVectorLoop())
      buildLoop(
          rewriter, location, segment, {},
          [&](OpFoldResult index, ValueRange) {
            enter(segment, index, /*isVector=*/true);
            position.indices[plan.vectorDim] =
                affine::makeComposedFoldedAffineApply(rewriter, location, sum,
                                                      {first, index});
            emitParallel(level + 1);
            return SmallVector<Value>();
          },
          kind);
    return SmallVector<Value>();
  };
  buildLoop(rewriter, location, groups, {}, emitGroup, kind);
  position = outer;
}

void NestEmitter::emitParallel(size_t level) {
  if (level == plan.parallelOrder.size())
    return emitPoint();
  unsigned dim = plan.parallelOrder[level];
  bool isVector = dim == plan.vectorDim;
  if (isVector && plan.group != 0)
    return emitVectorGroups(level);
  bool isRow = plan.rowDim && dim == *plan.rowDim;
  SmallVector<Segment> segments = {
      {rewriter.getIndexAttr(0), sizes[dim], 1, 1, false}};
  if (isVector)
    segments = cutVectorLoop();
  else if (isRow)
    segments = cutRows(rewriter, location, sizes[dim], plan.rowsPerStep,
                       getKnownRest(root().op, dim, plan.rowsPerStep));
  expectTrips(segments, dim);
  for (const Segment &segment : segments) {
    NestPosition outer = position;
    buildLoop(
        rewriter, location, segment, {},
        [&](OpFoldResult index, ValueRange) {
          if (isVector || isRow)
            enter(segment, index, isVector);
          else
            position.indices[dim] = index;
          emitParallel(level + 1);
          return SmallVector<Value>();
        },
        kind);
    position = outer;
  }
}

void NestEmitter::emitPoint() {
  NestPosition outer = position;
  if (reducesVector())
    position.vectors = plan.vectorsPerStep;
  vectorParts = position.vectors;
  OperandLoader loader(rewriter, location, plan, position);
  SmallVector<Value> parts;
  if (transposed && isFinishedLate()) {
    for (int64_t row = 0; row < position.rows; ++row)
      for (int64_t vector = 0; vector < vectorParts; ++vector)
        parts.push_back(loader.load(*transposed, row, vector));
  } else if (plan.reductionOrder.empty()) {
    parts = emitBodies({});
  } else {
    parts = emitReduction(0, createParts(loader));
    if (reducesVector())
      parts = combineParts(parts, loader);
    if (plan.dot)
      for (Value &part : parts)
        part = sumColumns(rewriter, location, *plan.dot, part);
  }
  store(parts, loader);
  position = outer;
}

Value NestEmitter::createNeutral(Operation *combiner) {
  TypedAttr neutral = *arith::getNeutralElement(combiner);
  auto type = cast<VectorType>(getPartType(neutral.getType()));
  return arith::ConstantOp::create(rewriter, location, type,
                                   DenseElementsAttr::get(type, neutral));
}

/// The initial accumulators of the reduction.
SmallVector<Value> NestEmitter::createParts(OperandLoader &loader) {
  SmallVector<Value> parts;
  for (unsigned result = 0; result < getNumResults(); ++result)
    for (int64_t row = 0; row < position.rows; ++row)
      for (int64_t vector = 0; vector < vectorParts; ++vector) {
        if (reducesVector()) {
          parts.push_back(createNeutral(getCombiner(root().op, result)));
          continue;
        }
        Value start = starts[result].value
                          ? loader.load(starts[result], row, vector)
                          : Value();
        if (!start)
          start = arith::ConstantOp::create(
              rewriter, location,
              rewriter.getZeroAttr(getElementTypeOrSelf(
                  root().op.getDpsInits()[result].getType())));
        start = toVector(rewriter, location, start, plan.lanes);
        parts.push_back(
            plan.dot ? spreadColumns(rewriter, location, *plan.dot, start)
                     : start);
      }
  return parts;
}

SmallVector<Value> NestEmitter::emitReduction(size_t level, ValueRange parts) {
  if (level == plan.reductionOrder.size()) {
    prefetch();
    return emitBodies(parts);
  }
  unsigned dim = plan.reductionOrder[level];
  if (dim == plan.vectorDim)
    return emitVectorReduction(parts);
  if (plan.dot && dim == plan.dot->groupDim)
    return emitGroups(parts);
  OpFoldResult outer = position.indices[dim];
  if (llvm::is_contained(plan.unrolled, dim)) {
    SmallVector<Value> current = llvm::to_vector(parts);
    for (int64_t i = 0, e = *getConstantIntValue(sizes[dim]); i < e; ++i) {
      position.indices[dim] = rewriter.getIndexAttr(i);
      current = emitReduction(level + 1, current);
    }
    position.indices[dim] = outer;
    return current;
  }
  Segment segment{rewriter.getIndexAttr(0), sizes[dim], 1, 1, false};
  expectTrips(segment, dim);
  SmallVector<Value> results =
      buildLoop(rewriter, location, segment, parts,
                [&](OpFoldResult index, ValueRange carried) {
                  position.indices[dim] = index;
                  return emitReduction(level + 1, carried);
                });
  position.indices[dim] = outer;
  return results;
}

void NestEmitter::prefetch() {
  SmallVector<int64_t> known;
  for (OpFoldResult size : sizes)
    known.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  PanelPrefetcher prefetcher(plan, known);
  for (const NestOperand &operand : root().operands)
    if (operand.value && prefetcher.isFor(operand))
      prefetcher.fetch(rewriter, location, operand, position);
}

SmallVector<Value> NestEmitter::emitVectorReduction(ValueRange parts) {
  SmallVector<Value> current = llvm::to_vector(parts);
  NestPosition outer = position;
  for (const Segment &segment : cutVectorLoop()) {
    current = buildLoop(rewriter, location, segment, current,
                        [&](OpFoldResult index, ValueRange carried) {
                          enter(segment, index, /*isVector=*/true);
                          return emitBodies(carried);
                        });
    position = outer;
  }
  return current;
}

/// The loop over groups of products, and the products that do not fill a group.
SmallVector<Value> NestEmitter::emitGroups(ValueRange parts) {
  const DotProduct &dot = *plan.dot;
  OpFoldResult size = sizes[dot.groupDim],
               outer = position.indices[dot.groupDim];
  std::optional<int64_t> constant = getConstantIntValue(size);
  int64_t rest = constant ? *constant % dot.group
                          : *getKnownRest(root().op, dot.groupDim, dot.group);
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(
        rewriter, location, AffineMap::get(1, 0, expr), {size});
  };
  AffineExpr groups = rewriter.getAffineDimExpr(0).floorDiv(dot.group);
  SmallVector<Value> results = llvm::to_vector(parts);
  if (constant && llvm::is_contained(plan.unrolled, dot.groupDim)) {
    for (int64_t begin = 0; begin < *constant - rest; begin += dot.group) {
      position.indices[dot.groupDim] = rewriter.getIndexAttr(begin);
      results = emitDots(results, dot.group);
    }
  } else {
    results = emitGroupLoop(results, apply(groups));
  }
  if (rest != 0) {
    position.indices[dot.groupDim] = apply(groups * dot.group);
    results = emitDots(results, rest);
  }
  position.indices[dot.groupDim] = outer;
  return results;
}

SmallVector<Value> NestEmitter::emitGroupLoop(ValueRange parts,
                                              OpFoldResult count) {
  const DotProduct &dot = *plan.dot;
  Segment segment{rewriter.getIndexAttr(0), count, 1, 1, false};
  AffineMap first =
      AffineMap::get(1, 0, rewriter.getAffineDimExpr(0) * dot.group);
  return buildLoop(rewriter, location, segment, parts,
                   [&](OpFoldResult index, ValueRange carried) {
                     // A multiple of the group size, so that divisions by it
                     // fold.
                     position.indices[dot.groupDim] =
                         affine::makeComposedFoldedAffineApply(
                             rewriter, location, first, {index});
                     return emitDots(carried, dot.group);
                   });
}

/// The instruction's operand of the input that is broadcast, or of the groups
/// that its lanes have, of which `valid` elements exist.
Value NestEmitter::loadWord(int64_t row, int64_t vector, int64_t valid) {
  const DotProduct &dot = *plan.dot;
  const NestOperand &operand = root().operands[dot.broadcast];
  if (!dot.isPerLane) {
    OperandLoader loader(rewriter, location, plan, position);
    return createDotWord(rewriter, location, dot,
                         loader.loadRun(operand, row, 0, dot.group, valid));
  }
  SmallVector<Value> elements;
  NestPosition moved = position;
  for (int64_t element = 0; element < valid; ++element) {
    AffineMap next =
        AffineMap::get(1, 0, rewriter.getAffineDimExpr(0) + element);
    moved.indices[dot.groupDim] = affine::makeComposedFoldedAffineApply(
        rewriter, location, next, {position.indices[dot.groupDim]});
    OperandLoader loader(rewriter, location, plan, moved);
    elements.push_back(loader.load(operand, row, vector));
  }
  return createLaneWords(rewriter, location, dot, elements);
}

/// Adds a group of products, of which `valid` are valid, to each accumulator.
SmallVector<Value> NestEmitter::emitDots(ValueRange parts, int64_t valid) {
  const DotProduct &dot = *plan.dot;
  OperandLoader loader(rewriter, location, plan, position);
  SmallVector<Value> weights, words, results = llvm::to_vector(parts);
  bool arePairs = dot.kind == DotKind::Pairs;
  for (int64_t vector = 0; vector < vectorParts; ++vector) {
    Value groups =
        loader.loadRun(root().operands[dot.weights], 0, vector,
                       plan.lanes * dot.group, plan.lanes * dot.group);
    weights.push_back(
        arePairs ? groups : createDotWeights(rewriter, location, dot, groups));
  }
  if (arePairs) {
    for (int64_t row = 0; row < position.rows; ++row)
      words.push_back(loader.loadRun(root().operands[dot.broadcast], row, 0,
                                     dot.group, valid));
    return createPairs(rewriter, location, parts, words, weights);
  }
  for (int64_t row = 0; row < position.rows; ++row) {
    Value word;
    for (int64_t vector = 0; vector < vectorParts; ++vector) {
      if (!word || dot.isPerLane)
        word = loadWord(row, vector, valid);
      Value &part = results[getPart(0, row, vector)];
      part = createDot(rewriter, location, dot, part, word, weights[vector]);
    }
  }
  return results;
}

SmallVector<Value>
NestEmitter::runBody(Stage &stage, OperandLoader &loader, int64_t row,
                     int64_t vector,
                     llvm::function_ref<Value(unsigned)> getGiven) {
  SmallVector<Value> arguments;
  for (auto [index, operand] : llvm::enumerate(stage.operands)) {
    Value given = getGiven(index);
    if (!given && operand.value)
      given = loader.load(operand, row, vector);
    arguments.push_back(given);
  }
  auto extract = [&](tensor::ExtractOp op, ValueRange indices) {
    auto found = llvm::find_if(
        stage.extracts, [&](const auto &pair) { return pair.first == op; });
    return loader.loadAt(found->second.value, indices, row, vector);
  };
  return cloneBody(
      rewriter, *stage.op.getBlock(), arguments, plan.lanes, position.mask,
      [&](unsigned dim) {
        return loader.getIndex(stage.dims[dim], row, vector);
      },
      extract);
}

/// Runs the root's body once per accumulator. Without reductions there are no
/// accumulators yet, and the results are the values to store.
SmallVector<Value> NestEmitter::emitBodies(ValueRange parts) {
  OperandLoader loader(rewriter, location, plan, position);
  SmallVector<Value> results = llvm::to_vector(parts);
  results.resize(getNumResults() * position.rows * vectorParts);
  unsigned firstInit = root().op.getNumDpsInputs();
  for (int64_t row = 0; row < position.rows; ++row)
    for (int64_t vector = 0; vector < position.vectors; ++vector) {
      auto getGiven = [&](unsigned index) -> Value {
        if (index < firstInit)
          return {};
        unsigned result = index - firstInit;
        if (!parts.empty())
          return parts[getPart(result, row, vector)];
        return starts[result].value ? loader.load(starts[result], row, vector)
                                    : Value();
      };
      SmallVector<Value> values =
          runBody(root(), loader, row, vector, getGiven);
      for (auto [result, value] : llvm::enumerate(values)) {
        size_t part = getPart(result, row, vector);
        if (parts.empty()) {
          results[part] = value;
          continue;
        }
        value = toVector(rewriter, location, value, plan.lanes);
        if (reducesVector() && position.mask)
          value = arith::SelectOp::create(rewriter, location, position.mask,
                                          value, parts[part]);
        results[part] = value;
      }
    }
  return results;
}

/// Reduces the accumulators of each row and the result's initial value to one
/// scalar.
SmallVector<Value> NestEmitter::combineParts(ValueRange parts,
                                             OperandLoader &loader) {
  SmallVector<Value> results;
  for (unsigned result = 0; result < getNumResults(); ++result) {
    Operation *combiner = getCombiner(root().op, result);
    vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
    for (int64_t row = 0; row < position.rows; ++row) {
      SmallVector<Value> left;
      for (int64_t vector = 0; vector < vectorParts; ++vector)
        left.push_back(parts[getPart(result, row, vector)]);
      while (left.size() > 1) {
        SmallVector<Value> next;
        for (size_t i = 0; i + 1 < left.size(); i += 2)
          next.push_back(cloneElementwise(rewriter, combiner,
                                          {left[i], left[i + 1]}, plan.lanes)
                             ->getResult(0));
        if (left.size() % 2)
          next.push_back(left.back());
        left = std::move(next);
      }
      Value sum = vector::ReductionOp::create(
          rewriter, combiner->getLoc(), kind, left.front(),
          isa<FloatType>(getElementTypeOrSelf(left.front().getType()))
              ? arith::FastMathFlags::reassoc
              : arith::FastMathFlags::none);
      Value start = loader.load(starts[result], row, 0);
      results.push_back(
          cloneElementwise(rewriter, combiner, {start, sum}, plan.lanes)
              ->getResult(0));
    }
  }
  vectorParts = 1;
  position.vectors = 1;
  return results;
}

SmallVector<Value> NestEmitter::runEpilogues(ArrayRef<Value> results,
                                             OperandLoader &loader, int64_t row,
                                             int64_t vector) {
  SmallVector<Value> values = llvm::to_vector(results);
  for (size_t stage = 1; stage < stages.size(); ++stage) {
    Value before = stages[stage - 1].op->getResult(0);
    LinalgOp op = stages[stage].op;
    Value given = values.front();
    values = runBody(stages[stage], loader, row, vector,
                     [&](unsigned index) -> Value {
                       return op->getOperand(index) == before ? given : Value();
                     });
  }
  return values;
}

void NestEmitter::storeOne(Value value, Value buffer, AffineMap map,
                           OperandLoader &loader, int64_t row, int64_t vector) {
  SmallVector<Value> indices = loader.getIndices(map, row, vector * plan.lanes);
  if (reducesVector()) {
    memref::StoreOp::create(rewriter, location, value, buffer, indices);
    return;
  }
  value = toVector(rewriter, location, value, plan.lanes);
  AffineMap lastDim =
      AffineMap::getMinorIdentityMap(indices.size(), 1, rewriter.getContext());
  vector::TransferWriteOp::create(rewriter, location, value, buffer, indices,
                                  AffineMapAttr::get(lastDim), position.mask,
                                  rewriter.getBoolArrayAttr({true}));
}

/// Computes the epilogues of `results`, and stores their results.
void NestEmitter::storeResults(ArrayRef<Value> results, OperandLoader &loader,
                               int64_t row, int64_t vector) {
  unsigned firstInit = last().op.getNumDpsInputs();
  for (auto [index, value] :
       llvm::enumerate(runEpilogues(results, loader, row, vector)))
    storeOne(value, destinations[index], last().operands[firstInit + index].map,
             loader, row, vector);
}

/// Stores `parts` where the results will be.
void NestEmitter::storeUnfinished(ValueRange parts, OperandLoader &loader) {
  for (int64_t row = 0; row < position.rows; ++row)
    for (int64_t vector = 0; vector < vectorParts; ++vector)
      storeOne(parts[getPart(0, row, vector)], destinations.front(),
               last().operands.back().map, loader, row, vector);
}

/// Computes the results of a step whose unfinished elements are stored.
void NestEmitter::finishRows() {
  NestOperand unfinished =
      makeOperand(destinations.front(), last().operands.back().map);
  NestPosition step = position;
  position.rows = 1;
  auto finishRow = [&](OpFoldResult row, ValueRange) {
    AffineMap sum = AffineMap::get(
        2, 0, rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1));
    position.indices[*plan.rowDim] = affine::makeComposedFoldedAffineApply(
        rewriter, location, sum, {step.indices[*plan.rowDim], row});
    OperandLoader loader(rewriter, location, plan, position);
    for (int64_t vector = 0; vector < vectorParts; ++vector) {
      Value given = loader.load(unfinished, 0, vector);
      SmallVector<Value> results = {given};
      if (transposed)
        results = runBody(root(), loader, 0, vector, [&](unsigned index) {
          return &root().operands[index] == transposed ? given : Value();
        });
      storeResults(results, loader, 0, vector);
    }
    return SmallVector<Value>();
  };
  Segment rows{rewriter.getIndexAttr(0), rewriter.getIndexAttr(step.rows), 1, 1,
               false};
  buildLoop(rewriter, location, rows, {}, finishRow, kind);
  position = step;
}

void NestEmitter::store(ValueRange values, OperandLoader &loader) {
  if (isFinishedLate()) {
    storeUnfinished(values, loader);
    return finishRows();
  }
  for (int64_t row = 0; row < position.rows; ++row)
    for (int64_t vector = 0; vector < vectorParts; ++vector) {
      SmallVector<Value> results;
      for (unsigned result = 0; result < getNumResults(); ++result)
        results.push_back(values[getPart(result, row, vector)]);
      storeResults(results, loader, row, vector);
    }
}

void codegen::emitNest(RewriterBase &rewriter, LinalgOp op,
                       ArrayRef<LinalgOp> epilogues, const NestPlan &plan,
                       LoopKind kind) {
  OpBuilder::InsertionGuard guard(rewriter);
  NestEmitter(rewriter, op, epilogues, plan, kind).emit();
}
