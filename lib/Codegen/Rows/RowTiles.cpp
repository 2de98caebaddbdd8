//===- RowTiles.cpp - Ops that are computed row by row --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"
#include "../Nest/Plan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// A reshape: its side with fewer dimensions, and that with more.
struct View {
  Value coarse, fine;
  SmallVector<ReassociationIndices> groups;
};

class RowFinder {
public:
  explicit RowFinder(ArrayRef<Operation *> ops) {
    tiles.ops.assign(ops.begin(), ops.end());
    inside.insert(ops.begin(), ops.end());
  }

  bool find();
  RowTiles take() { return std::move(tiles); }

private:
  bool start();
  bool startAt(LinalgOp op, AffineMap rows);
  bool learn();
  void learn(LinalgOp op);
  bool learn(const View &view);
  bool share(RowDims &dims, const View &view,
             const ReassociationIndices &group);
  void split(unsigned loop, ArrayRef<int64_t> sizes);
  bool pass(RowDims &to, const RowDims &from);
  bool isRight(LinalgOp op);
  bool isRight(const View &view);
  bool areOperands() const;
  bool areNeighbors(ArrayRef<RowDims> all) const;
  bool isInside(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && inside.contains(op);
  }
  /// The dimensions of a result of the chain.
  SmallVector<RowDims> &getDims(Value value) {
    SmallVector<RowDims> &dims = tiles.values[value];
    dims.resize(cast<RankedTensorType>(value.getType()).getRank());
    return dims;
  }

  RowTiles tiles;
  DenseSet<Operation *> inside;
  /// Whether the last round learned anything.
  bool changed = false;
};

} // namespace

static std::optional<View> getView(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return View{expand.getSrc(), expand.getResult(),
                expand.getReassociationIndices()};
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return View{collapse.getResult(), collapse.getSrc(),
                collapse.getReassociationIndices()};
  return std::nullopt;
}

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// The tensors that `op` reads and makes, each with the operand that has its
/// map.
static SmallVector<std::pair<OpOperand *, Value>> getPlaces(LinalgOp op) {
  SmallVector<std::pair<OpOperand *, Value>> places;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isa<RankedTensorType>(operand.get().getType()))
      places.push_back({&operand, operand.get()});
    if (op.isDpsInit(&operand))
      places.push_back({&operand, op.getTiedOpResult(&operand)});
  }
  return places;
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

/// Makes a loop for each parallel loop of `op` that `rows` uses and that
/// iterates.
bool RowFinder::startAt(LinalgOp op, AffineMap rows) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<RowDims> &dims = tiles.loops[op];
  dims.resize(sizes.size());
  if (llvm::is_contained(sizes, 0))
    return false;
  for (AffineExpr expr : rows.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || kinds[loop.getPosition()] != utils::IteratorType::parallel ||
        sizes[loop.getPosition()] == 1 || !dims[loop.getPosition()].empty())
      continue;
    dims[loop.getPosition()] = {unsigned(tiles.sizes.size())};
    tiles.sizes.push_back(sizes[loop.getPosition()]);
  }
  return !tiles.sizes.empty();
}

bool RowFinder::start() {
  SmallVector<LinalgOp> products, reductions;
  for (Operation *op : tiles.ops) {
    auto structured = dyn_cast<LinalgOp>(op);
    if (!structured || structured.getNumReductionLoops() == 0)
      continue;
    (isProduct(structured) ? products : reductions).push_back(structured);
  }
  if (products.size() == 2) {
    // The rows are those of the operand that comes from the first product.
    LinalgOp last = products.back();
    OpOperand *scores = nullptr;
    for (OpOperand *input : last.getDpsInputOperands()) {
      if (isInside(input->get()) && scores)
        return false;
      if (isInside(input->get()))
        scores = input;
    }
    return scores && startAt(last, last.getMatchingIndexingMap(scores));
  }
  if (!products.empty() || reductions.empty())
    return false;
  // Rows that lie one after the other: the reductions run along the last
  // dimension.
  LinalgOp first = reductions.front();
  AffineMap map = first.getMatchingIndexingMap(first.getDpsInputOperand(0));
  if (map.getNumResults() == 0)
    return false;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last &&
         first.getIteratorTypesArray()[last.getPosition()] ==
             utils::IteratorType::reduction &&
         startAt(first, map);
}

//===----------------------------------------------------------------------===//
// From op to op
//===----------------------------------------------------------------------===//

/// Replaces a loop by several that together iterate as often.
void RowFinder::split(unsigned loop, ArrayRef<int64_t> sizes) {
  unsigned more = sizes.size() - 1;
  auto renumber = [&](SmallVector<RowDims> &all) {
    for (RowDims &dims : all) {
      RowDims now;
      for (unsigned old : dims) {
        now.push_back(old > loop ? old + more : old);
        for (unsigned i = 0; old == loop && i < more; ++i)
          now.push_back(loop + i + 1);
      }
      dims = now;
    }
  };
  for (auto &[op, dims] : tiles.loops)
    renumber(dims);
  for (auto &[value, dims] : tiles.values)
    renumber(dims);
  tiles.sizes.erase(tiles.sizes.begin() + loop);
  tiles.sizes.insert(tiles.sizes.begin() + loop, sizes.begin(), sizes.end());
}

/// Tells one dimension what is known of another one that is the same.
bool RowFinder::pass(RowDims &to, const RowDims &from) {
  if (!to.empty() || from.empty())
    return false;
  to = from;
  return changed = true;
}

void RowFinder::learn(LinalgOp op) {
  SmallVector<RowDims> &loops = tiles.loops[op];
  loops.resize(op.getNumLoops());
  for (bool isBack : {false, true})
    for (auto [operand, value] : getPlaces(op)) {
      if (!isInside(value))
        continue;
      AffineMap map = op.getMatchingIndexingMap(operand);
      SmallVector<RowDims> &dims = getDims(value);
      for (auto [place, expr] : llvm::enumerate(map.getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
          if (isBack)
            pass(dims[place], loops[loop.getPosition()]);
          else
            pass(loops[loop.getPosition()], dims[place]);
        }
    }
}

/// Gives the dimensions `group` of the finer tensor, of which nothing is known,
/// the loops `dims` of the coarser one.
bool RowFinder::share(RowDims &dims, const View &view,
                      const ReassociationIndices &group) {
  ArrayRef<int64_t> shape = getShape(view.fine);
  SmallVector<int64_t> places, sizes;
  for (int64_t place : group)
    if (shape[place] != 1) {
      places.push_back(place);
      sizes.push_back(shape[place]);
    }
  SmallVector<RowDims> &fine = getDims(view.fine);
  if (places.empty() ||
      llvm::any_of(places, [&](int64_t place) { return !fine[place].empty(); }))
    return true;
  if (places.size() == 1) {
    pass(fine[places.front()], dims);
    return true;
  }
  if (dims.size() == 1)
    split(dims.front(), sizes);
  if (dims.size() != places.size())
    return false;
  for (auto [place, size, loop] : llvm::zip_equal(places, sizes, dims)) {
    if (tiles.sizes[loop] != size)
      return false;
    pass(fine[place], {loop});
  }
  return true;
}

bool RowFinder::learn(const View &view) {
  // References into the map do not survive a new key.
  (void)getDims(view.fine);
  SmallVector<RowDims> &coarse = getDims(view.coarse);
  for (auto [index, group] : llvm::enumerate(view.groups)) {
    if (!coarse[index].empty()) {
      if (!share(coarse[index], view, group))
        return false;
      continue;
    }
    RowDims all;
    bool isKnown = true;
    for (int64_t place : group) {
      const RowDims &dims = getDims(view.fine)[place];
      isKnown &= !dims.empty() || getShape(view.fine)[place] == 1;
      all.append(dims.begin(), dims.end());
    }
    if (isKnown)
      pass(coarse[index], all);
  }
  return true;
}

bool RowFinder::learn() {
  // Each round but the last learns at least one dimension.
  do {
    changed = false;
    for (Operation *op : tiles.ops) {
      std::optional<View> view = getView(op);
      if (!view)
        learn(cast<LinalgOp>(op));
      else if (!learn(*view))
        return false;
    }
  } while (changed);
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether each row of `op` is computed from that row of the chain's results.
bool RowFinder::isRight(LinalgOp op) {
  const SmallVector<RowDims> &loops = tiles.loops[op];
  // Each loop over rows numbers one loop of the op, which is parallel.
  SmallVector<unsigned> all;
  for (auto [dims, kind] : llvm::zip_equal(loops, op.getIteratorTypesArray())) {
    if (!dims.empty() && kind != utils::IteratorType::parallel)
      return false;
    llvm::append_range(all, dims);
  }
  llvm::sort(all);
  if (!llvm::equal(all, llvm::seq<unsigned>(0, tiles.sizes.size())))
    return false;
  for (auto [operand, value] : getPlaces(op)) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [place, result] : llvm::enumerate(map.getResults())) {
      AffineExpr expr = result;
      RowDims here;
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        here = loops[loop.getPosition()];
      else if (llvm::any_of(llvm::seq(0u, op.getNumLoops()), [&](unsigned i) {
                 return expr.isFunctionOfDim(i) && !loops[i].empty();
               }))
        return false;
      if (isInside(value) && getDims(value)[place] != here)
        return false;
    }
  }
  return true;
}

bool RowFinder::isRight(const View &view) {
  for (auto [index, group] : llvm::enumerate(view.groups)) {
    RowDims all;
    bool isWhole = false;
    for (int64_t place : group) {
      const RowDims &dims = getDims(view.fine)[place];
      isWhole |= dims.empty() && getShape(view.fine)[place] != 1;
      all.append(dims.begin(), dims.end());
    }
    if (getDims(view.coarse)[index] != all || (isWhole && !all.empty()))
      return false;
  }
  return true;
}

/// Whether only ops of the chain use what another one passes on, as operands. A
/// body that extracts elements of a result may read any row of it.
bool RowFinder::areOperands() const {
  return llvm::all_of(ArrayRef(tiles.ops).drop_back(), [&](Operation *op) {
    return llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return inside.contains(user); });
  });
}

/// Whether the rows of a block, consecutive iterations of the last loop, are
/// neighbors along each dimension of `all`.
bool RowFinder::areNeighbors(ArrayRef<RowDims> all) const {
  unsigned last = tiles.sizes.size() - 1;
  return llvm::all_of(all, [&](const RowDims &dims) {
    return dims.empty() ||
           !llvm::is_contained(ArrayRef(dims).drop_back(), last);
  });
}

bool RowFinder::find() {
  for (Operation *op : tiles.ops) {
    auto structured = dyn_cast<LinalgOp>(op);
    std::optional<View> view = getView(op);
    bool isKnown = structured
                       ? structured.hasPureTensorSemantics() &&
                             !structured.hasDynamicShape() &&
                             structured->getNumResults() == 1
                       : view && isInside(op->getOperand(0)) &&
                             getShape(view->fine).size() != 0 &&
                             !ShapedType::isDynamicShape(getShape(view->fine));
    if (!isKnown)
      return false;
  }
  if (!areOperands() || !start() || !learn() ||
      !llvm::all_of(tiles.ops, [&](Operation *op) {
        std::optional<View> view = getView(op);
        return view ? isRight(*view) : isRight(cast<LinalgOp>(op));
      }))
    return false;
  return llvm::all_of(tiles.loops,
                      [&](auto &pair) { return areNeighbors(pair.second); }) &&
         llvm::all_of(tiles.values,
                      [&](auto &pair) { return areNeighbors(pair.second); });
}

std::optional<RowTiles> codegen::findRowTiles(ArrayRef<Operation *> ops) {
  RowFinder finder(ops);
  if (ops.empty() || !finder.find())
    return std::nullopt;
  return finder.take();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static int64_t getTensorBytes(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return type.getNumElements() * int64_t(llvm::divideCeil(bits, 8));
}

/// The bytes of all rows of the largest result that an op of the chain passes
/// on to another one.
static int64_t getPassedBytes(const RowTiles &tiles) {
  int64_t most = 0;
  for (Operation *op : ArrayRef(tiles.ops).drop_back())
    most = std::max(most, getTensorBytes(cast<RankedTensorType>(
                              op->getResult(0).getType())));
  return most;
}

/// Whether there is a product in `tiles`.
static bool hasProducts(const RowTiles &tiles) {
  return llvm::any_of(tiles.ops, [](Operation *op) {
    auto structured = dyn_cast<LinalgOp>(op);
    return structured && isProduct(structured);
  });
}

/// A number of rows, at most `most` and not much less, of which `size` is a
/// multiple; else one that leaves nearly as many for the last block.
static int64_t divideRows(int64_t size, int64_t most) {
  for (int64_t rows = most; rows > most / 2; --rows)
    if (size % rows == 0)
      return rows;
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

int64_t codegen::chooseRows(const RowTiles &tiles, const TargetModel &target) {
  int64_t rows = tiles.sizes.back();
  int64_t batches = 1;
  for (int64_t size : ArrayRef(tiles.sizes).drop_back())
    batches *= size;
  int64_t bytes = getPassedBytes(tiles);
  int64_t rowBytes = std::max<int64_t>(1, bytes / (batches * rows));
  bool isAttention = hasProducts(tiles);
  // Tensors that stay in the cache from op to op do not need loops.
  auto second = int64_t(target.l2Bytes);
  if (!isAttention && bytes <= second / 4)
    return 0;
  // Products use what they load for several rows.
  constexpr int64_t fewRows = 8, manyRows = 64;
  int64_t most = second / 8 / rowBytes;
  most = isAttention ? std::max(most, fewRows) : most;
  if (most < 1)
    return 0;
  if (rows > most)
    most = std::min(most, manyRows);
  // Enough blocks for several threads. The code does not depend on whether
  // there are several.
  constexpr int64_t enoughBlocks = 8;
  int64_t perBatch = int64_t(llvm::divideCeil(enoughBlocks, batches));
  int64_t share =
      std::max<int64_t>(llvm::divideCeil(rows, perBatch), manyRows / 2);
  if (rows <= most && rows <= share)
    return rows;
  if (share <= most)
    return divideRows(rows, share);
  return divideRows(rows, isAttention ? most / fewRows * fewRows : most);
}
