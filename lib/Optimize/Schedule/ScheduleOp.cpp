//===- ScheduleOp.cpp - How a script makes loops of one op ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleOp.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using linalg::LinalgOp;

SmallVector<unsigned> Tiling::getLoops() const {
  SmallVector<unsigned> loops;
  for (int64_t dim : order)
    if (tiles[dim] != 0)
      loops.push_back(dim);
  return loops;
}

/// Whether the body calls the C library, so that vectors of it are taken apart
/// again.
static bool callsFunctions(LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect()) &&
           !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
                math::FloorOp, math::FmaOp, math::IsFiniteOp, math::IsInfOp,
                math::IsNaNOp, math::RoundEvenOp, math::RsqrtOp, math::SqrtOp,
                math::TruncOp>(inner);
  });
}

namespace {

/// The tiles of one op in its own dimensions.
class OpTiler {
public:
  OpTiler(LinalgOp op, const codegen::RulePlan &plan)
      : maps(op.getIndexingMapsArray()), plan(plan) {}

  /// Chooses tiles; false, with a reason, where there are no vectors.
  bool choose(std::string &reason);

  int64_t getTile(unsigned dim) const { return tiles[dim]; }
  /// Whether one iteration is left of `dim` after the steps 1 and 2.
  bool isUnit(unsigned dim) const {
    return plan.sizes[dim] == 1 || llvm::is_contained(units, dim) ||
           (isParallel(dim) && tiles[dim] == 1);
  }
  bool isParallel(unsigned dim) const {
    return llvm::is_contained(plan.parallelOrder, dim);
  }
  bool mustDropUnits() const;
  Tiling getUnitReductions() const;
  Tiling getReductions(bool dropsUnits) const;
  ArrayRef<unsigned> getParallelOrder() const { return plan.parallelOrder; }
  int64_t getSize(unsigned dim) const { return plan.sizes[dim]; }
  std::optional<unsigned> getRowDim() const { return plan.rowDim; }

private:
  int64_t getVectorTile() const;
  bool isPlain(AffineMap map) const;
  bool arePlain() const {
    return llvm::all_of(maps, [&](AffineMap map) { return isPlain(map); });
  }
  /// Whether more than one dimension that stays moves an element, so that a
  /// reduction has to be taken to one iteration.
  void unifyReductions();

  SmallVector<AffineMap> maps;
  const codegen::RulePlan &plan;
  /// The iterations that a vector op handles of each dimension; of reductions
  /// also after step 3.
  SmallVector<int64_t> tiles;
  /// Reductions that step 2 takes to one iteration.
  SmallVector<unsigned> units;
};

} // namespace

/// Whether `map`, without the dimensions that have one iteration, picks each
/// element by plain dimensions.
bool OpTiler::isPlain(AffineMap map) const {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0, e = plan.sizes.size(); dim < e; ++dim) {
    dims.push_back(isUnit(dim) ? getAffineConstantExpr(0, context)
                               : getAffineDimExpr(dim, context));
  }
  AffineMap left = map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), 0);
  return simplifyAffineMap(left).isProjectedPermutation(
      /*allowZeroInResults=*/true);
}

void OpTiler::unifyReductions() {
  for (unsigned dim : plan.reductionOrder) {
    if (arePlain())
      return;
    bool isMixed = llvm::any_of(maps, [&](AffineMap map) {
      return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
        return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(dim);
      });
    });
    if (!isMixed)
      continue;
    units.push_back(dim);
    tiles[dim] = 1;
  }
}

/// A power of two that leaves at most one register's lanes: a rest is one
/// vector, and LLVM takes long ones of odd lengths apart with great effort.
int64_t OpTiler::getVectorTile() const {
  int64_t size = plan.sizes[plan.vectorDim];
  int64_t lanes = llvm::bit_floor(static_cast<uint64_t>(plan.lanes));
  int64_t tile =
      llvm::bit_floor(static_cast<uint64_t>(plan.lanes * plan.vectorsPerStep));
  while (!ShapedType::isDynamic(size) && tile > lanes && size % tile > lanes)
    tile /= 2;
  return tile;
}

bool OpTiler::choose(std::string &reason) {
  constexpr int64_t mostElements = 4096;
  tiles.assign(plan.sizes.size(), 1);
  if (plan.rowDim)
    tiles[*plan.rowDim] = plan.rowsPerStep;
  tiles[plan.vectorDim] = getVectorTile();
  int64_t elements = 1;
  for (auto [tile, size] : llvm::zip_equal(tiles, plan.sizes)) {
    if (!ShapedType::isDynamic(size))
      tile = std::min(tile, size);
    elements *= tile;
  }
  if (elements > mostElements || elements < 2) {
    reason =
        elements < 2 ? "has one element a vector" : "its tile is too large";
    return false;
  }
  unifyReductions();
  // Rows that are every nth element of an input: one at a time.
  if (!arePlain() && plan.rowDim)
    tiles[*plan.rowDim] = 1;
  if (arePlain())
    return true;
  reason = "its vectors would not be parts of its operands' rows";
  return false;
}

bool OpTiler::mustDropUnits() const {
  return !llvm::all_of(maps, [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

Tiling OpTiler::getUnitReductions() const {
  Tiling tiling;
  tiling.tiles.assign(plan.sizes.size(), 0);
  for (unsigned dim : units)
    if (plan.sizes[dim] != 1)
      tiling.tiles[dim] = 1;
  llvm::append_range(tiling.order, plan.parallelOrder);
  llvm::append_range(tiling.order, plan.reductionOrder);
  return tiling;
}

Tiling OpTiler::getReductions(bool dropsUnits) const {
  Tiling tiling;
  SmallVector<int64_t> position(plan.sizes.size(), -1);
  for (unsigned dim = 0, e = plan.sizes.size(); dim < e; ++dim) {
    if (dropsUnits && isUnit(dim))
      continue;
    position[dim] = tiling.tiles.size();
    int64_t size = plan.sizes[dim];
    bool isWhole =
        isParallel(dim) || size == tiles[dim] || llvm::is_contained(units, dim);
    tiling.tiles.push_back(isWhole ? 0 : tiles[dim]);
    if (!isWhole && tiles[dim] != 1 &&
        (ShapedType::isDynamic(size) || size % tiles[dim] != 0))
      tiling.peeled.push_back(position[dim]);
  }
  for (unsigned dim :
       llvm::concat<const unsigned>(plan.parallelOrder, plan.reductionOrder))
    if (position[dim] >= 0)
      tiling.order.push_back(position[dim]);
  return tiling;
}

/// The parallel loops of an op with `rank` dimensions, where dimension `dim` of
/// `tiler`'s op is its dimension `dims[dim]`.
static Tiling getParallel(const OpTiler &tiler, ArrayRef<unsigned> dims,
                          unsigned rank) {
  Tiling tiling;
  tiling.tiles.assign(rank, 0);
  for (unsigned dim : tiler.getParallelOrder()) {
    unsigned rootDim = dims[dim];
    tiling.order.push_back(rootDim);
    int64_t size = tiler.getSize(dim), tile = tiler.getTile(dim);
    if (size == tile)
      continue;
    tiling.tiles[rootDim] = tile;
    if (tile != 1 && (ShapedType::isDynamic(size) || size % tile != 0))
      tiling.peeled.push_back(rootDim);
  }
  // There is always a loop that producers can move into.
  if (!tiling.hasLoops() && !tiler.getParallelOrder().empty()) {
    unsigned dim = tiler.getParallelOrder().front();
    tiling.tiles[dims[dim]] = tiler.getSize(dim);
  }
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(tiling.order, int64_t(dim)))
      tiling.order.push_back(dim);
  return tiling;
}

/// Steps 2 and 3 for the op of `tiler`.
static void addReductions(OpSchedule &schedule, LinalgOp sum,
                          const OpTiler &tiler) {
  schedule.dropsUnits = tiler.mustDropUnits();
  schedule.isNamed = !isa<linalg::GenericOp>(sum.getOperation());
  schedule.units = tiler.getUnitReductions();
  schedule.reduction = tiler.getReductions(schedule.dropsUnits);
  schedule.isReduction = sum.getNumReductionLoops() != 0;
}

static bool isOfProductRule(const codegen::RulePlan &plan) {
  return plan.rule == "Contraction" || plan.rule == "Convolution" ||
         plan.rule == "DotProduct";
}

/// The operand of `op`, elementwise, whose producer can be computed in its
/// loops.
static std::optional<OpSchedule> planFused(LinalgOp op, OpOperand &operand,
                                           const codegen::TargetModel &target) {
  // Step 1: the producer is a sum of products that only `op` reads, element by
  // element.
  auto sum = operand.get().getDefiningOp<LinalgOp>();
  if (!sum || !sum->hasOneUse() || sum->getNumResults() != 1 ||
      sum->getBlock() != op->getBlock() || sum.getNumReductionLoops() == 0)
    return std::nullopt;
  AffineMap read = op.getMatchingIndexingMap(&operand);
  if (!read.isPermutation() ||
      read != op.getMatchingIndexingMap(op.getDpsInitOperand(0)))
    return std::nullopt;
  std::optional<codegen::RulePlan> plan = codegen::planByRules(sum, target);
  if (!plan || !isOfProductRule(*plan))
    return std::nullopt;
  // Step 2: tiles of the sum, and the loops of its reductions.
  OpTiler tiler(sum, *plan);
  std::string reason;
  if (!tiler.choose(reason))
    return std::nullopt;
  OpSchedule schedule;
  addReductions(schedule, sum, tiler);
  // Dropping dimensions drops those of all that stands in the same loop.
  if (schedule.dropsUnits && !schedule.units.hasLoops())
    return std::nullopt;
  // Step 3: the parallel loops of `op`, with the tiles of the sum; its fill
  // moves along.
  SmallVector<unsigned> dims(sum.getNumLoops(), 0);
  AffineMap stored = sum.getMatchingIndexingMap(sum.getDpsInitOperand(0));
  for (unsigned i = 0, e = stored.getNumResults(); i < e; ++i)
    dims[stored.getDimPosition(i)] = read.getDimPosition(i);
  schedule.parallel = getParallel(tiler, dims, op.getNumLoops());
  schedule.fused = operand.getOperandNumber();
  Operation *init = sum.getDpsInits()[0].getDefiningOp();
  if (isa_and_nonnull<linalg::FillOp>(init) && init->hasOneUse())
    schedule.fusedFill = sum.getDpsInitOperand(0)->getOperandNumber();
  std::optional<unsigned> row = tiler.getRowDim();
  if (row && ShapedType::isDynamic(tiler.getSize(*row)) &&
      tiler.getTile(*row) > 1 && !schedule.dropsUnits)
    schedule.rowDim = dims[*row];
  return schedule;
}

static std::optional<OpSchedule>
planWithProducer(LinalgOp op, const codegen::TargetModel &target) {
  if (op.getNumReductionLoops() != 0 || op->getNumResults() != 1 ||
      callsFunctions(op) || !codegen::planByRules(op, target))
    return std::nullopt;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (std::optional<OpSchedule> schedule = planFused(op, *operand, target))
      return schedule;
  return std::nullopt;
}

LinalgOp optimize::getFusedSum(LinalgOp op, const OpSchedule &schedule) {
  return schedule.fused
             ? op->getOperand(*schedule.fused).getDefiningOp<LinalgOp>()
             : LinalgOp();
}

/// Whether `op`, or the sum that it fills, is computed in its consumer's loops.
static bool isPartOfConsumer(LinalgOp op, const codegen::TargetModel &target) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return false;
  auto user = dyn_cast<LinalgOp>(*op->user_begin());
  if (!user)
    return false;
  std::optional<OpSchedule> schedule = planWithProducer(user, target);
  if (schedule)
    return getFusedSum(user, *schedule) == op;
  if (!isa<linalg::FillOp>(op.getOperation()) || !user->hasOneUse())
    return false;
  auto consumer = dyn_cast<LinalgOp>(*user->user_begin());
  schedule = consumer ? planWithProducer(consumer, target) : std::nullopt;
  return schedule && getFusedSum(consumer, *schedule) == user &&
         schedule->fusedFill == op->use_begin()->getOperandNumber();
}

static std::optional<OpSchedule>
planAlone(LinalgOp op, const codegen::RulePlan &plan, std::string &reason) {
  OpTiler tiler(op, plan);
  if (!tiler.choose(reason))
    return std::nullopt;
  OpSchedule schedule;
  addReductions(schedule, op, tiler);
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  schedule.parallel = getParallel(tiler, dims, op.getNumLoops());
  bool needsLoop = schedule.dropsUnits && !schedule.units.hasLoops();
  if (needsLoop && !schedule.parallel.hasLoops()) {
    reason = "it does not have a loop to drop dimensions in";
    return std::nullopt;
  }
  std::optional<unsigned> row = tiler.getRowDim();
  if (row && ShapedType::isDynamic(tiler.getSize(*row)) &&
      tiler.getTile(*row) > 1 && isOfProductRule(plan) && !schedule.dropsUnits)
    schedule.rowDim = *row;
  return schedule;
}

std::optional<OpSchedule>
optimize::planSchedule(LinalgOp op, const codegen::TargetModel &target,
                       std::string &reason) {
  if (isPartOfConsumer(op, target))
    return std::nullopt;
  std::optional<codegen::RulePlan> plan = codegen::planByRules(op, target);
  if (!plan) {
    reason = "no rule makes vectors of it";
    return std::nullopt;
  }
  if (callsFunctions(op)) {
    reason = "calls functions of the C library";
    return std::nullopt;
  }
  if (std::optional<OpSchedule> schedule = planWithProducer(op, target))
    return schedule;
  return planAlone(op, *plan, reason);
}
