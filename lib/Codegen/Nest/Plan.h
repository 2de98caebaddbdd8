//===- Plan.h - Vectorizing a structured op ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op becomes loops around one-dimensional vectors directly
// (Nest.h), rather than by upstream's vectorizer, which creates vectors of
// whole tiles: for odd shapes their lowering needs excessive memory and time,
// and accumulators leave their registers if a pattern does not match. A plan
// describes the loops; each rule creates its own.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_PLAN_H
#define MLIR_PROF_LIB_CODEGEN_NEST_PLAN_H

#include "DotProduct.h"
#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace mlirprof::codegen {

/// How the element selected by an affine map moves when one loop advances by
/// one.
enum class AccessKind {
  /// It stays the same.
  Invariant,
  /// To the next element of the last dimension.
  Contiguous,
  /// By a constant number of elements of the last dimension.
  Spread,
  /// In the last dimension, by a constant after each group of iterations, and
  /// in between not at all.
  Grouped,
  /// By constants, but in other dimensions too.
  Scattered,
  /// Not by a constant.
  Irregular
};

struct Access {
  AccessKind kind = AccessKind::Invariant;
  /// For Spread and Grouped, in elements.
  int64_t stride = 0;
  /// For Contiguous, if the operand is in panels (d floordiv panel, ..., d mod
  /// panel): the number of elements per panel; else 0. Vectors of a plan do not
  /// straddle panels if its lanes divide this.
  int64_t panel = 0;
  /// For Grouped: the iterations of a group, and the loop that counts the
  /// elements from the beginning of a group's to the selected one.
  int64_t group = 0;
  unsigned inner = 0;
};

/// How the element of `map` moves with the loop `dim`.
Access getAccess(mlir::AffineMap map, unsigned dim);

/// The number of iterations of the loop `dim`, from any multiple of that number
/// on, for which `map` selects one element: 0 if it is one, or all.
int64_t getGroup(mlir::AffineMap map, unsigned dim);

/// A convolution whose loop over filters covers those of all groups
/// (JoinedGroups.h).
struct JoinedGroups {
  /// The loop over all filters, and that over the channels of a group.
  unsigned filterDim = 0, channelDim = 0;
  /// The dimension of the channels in the image.
  unsigned position = 0;
  /// Filters and channels of a group.
  int64_t filters = 1, channels = 1;
};

/// The loops of a nest. Dimensions are those of the op's iteration space.
struct NestPlan {
  /// The loop whose iterations are the lanes of the vectors.
  unsigned vectorDim = 0;
  int64_t lanes = 1;
  /// Vectors along vectorDim per iteration.
  int64_t vectorsPerStep = 1;
  /// Whether the vector loop is a single loop whose last vector may be masked,
  /// rather than split into whole vectors and a rest: less code.
  bool isOneLoop = false;
  /// A parallel loop that is unrolled, so that values independent of it are
  /// loaded once for several iterations.
  std::optional<unsigned> rowDim;
  int64_t rowsPerStep = 1;
  /// All parallel loops, outermost first.
  mlir::SmallVector<unsigned> parallelOrder;
  /// All reduction loops, outermost first. If vectorDim is a reduction, it
  /// comes last.
  mlir::SmallVector<unsigned> reductionOrder;
  /// If not 0, the vector loop consists of groups of as many iterations, and
  /// vectors do not straddle two of them.
  int64_t group = 0;
  /// The groups of the op, if each vector covers several of them: their
  /// channels are loaded at once and spread over the lanes.
  std::optional<JoinedGroups> sharedGroups;
  /// Reduction loops that are unrolled.
  mlir::SmallVector<unsigned> unrolled;
  /// How the body becomes sums of groups of products, if it does. The grouped
  /// loop is the last of reductionOrder.
  std::optional<DotProduct> dot;
};

/// The properties of an op that all rules need. None if the op cannot be
/// vectorized at all: its body is not arithmetic (or extracts elements that are
/// not neighbors), an operand's elements are not
/// numbers of whole bytes, or a result is not written exactly once per point of
/// the parallel loops.
struct NestFacts {
  /// A loop without a constant size has that of kLoopSizes, if there is one.
  mlir::SmallVector<int64_t> sizes;
  mlir::SmallVector<unsigned> parallelDims;
  mlir::SmallVector<unsigned> reductionDims;
  /// The parallel loop along which all results are contiguous, if there is one
  /// with more than one iteration.
  std::optional<unsigned> contiguousDim;
  /// Bits of the widest element type.
  unsigned elementBits = 32;
  /// Operations per point.
  unsigned bodySize = 0;
  /// Approximate instructions per point: a function counts as many.
  unsigned bodyCost = 0;
  /// Whether the body extracts elements of tensors: the same for all
  /// iterations of contiguousDim, or neighbors. Only without reductions.
  bool hasExtracts = false;
};
std::optional<NestFacts> getNestFacts(mlir::linalg::LinalgOp op);
/// The same for an op on buffers. The caller must ensure that its writes do not
/// overlap reads at other points.
std::optional<NestFacts> getBufferNestFacts(mlir::linalg::LinalgOp op);

/// The remainder of the iterations of the loop `dim` by `step`, if it is known
/// though their number is not constant (kLoopBlocks).
std::optional<int64_t> getKnownRest(mlir::linalg::LinalgOp op, unsigned dim,
                                    int64_t step);

/// The iterations of the loop `dim` for which `op` is planned, if their number
/// is not constant (kLoopSizes); 0 if that is not known.
int64_t getPlannedSize(mlir::linalg::LinalgOp op, unsigned dim);

/// The approximate number of vector instructions of the body of `op`.
unsigned getBodyCost(mlir::linalg::LinalgOp op);

/// Whether `dim`, a reduction, can be the vector loop: all results combine
/// their parts by a reorderable operation.
bool isReorderable(mlir::linalg::LinalgOp op, unsigned dim);

/// The operation that combines the parts of result `index`; null if it is not
/// reorderable.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op, unsigned index);

/// Lanes for a loop of `size` iterations (possibly dynamic) over elements of
/// `elementBits`: those of a register, or fewer if the loop is shorter.
int64_t getLanes(int64_t size, unsigned elementBits, const TargetModel &target);

/// The inputs of `op` that its body reads.
mlir::SmallVector<mlir::OpOperand *> getReadInputs(mlir::linalg::LinalgOp op);

/// Whether `body`, of a structured op, multiplies two of its arguments and adds
/// the product to the third.
bool addsProducts(mlir::Block &body);

/// Whether `op` is a sum of products of two operands, whose maps are projected
/// permutations or panels.
bool isProduct(mlir::linalg::LinalgOp op);

/// Whether the access reads every nth element, for an n small enough that as
/// many loads and shuffles pay off.
bool isEveryNth(Access access);

/// Whether the access does not need to fall back to single elements.
bool isCheap(Access access);

/// Whether all inputs that `op` reads have cheap accesses along `dim`.
bool areCheap(mlir::linalg::LinalgOp op, unsigned dim);

/// Whether some input varies with `vectorDim` but not with `dim`, or not with
/// each iteration, so that its vectors serve several iterations of `dim`.
bool isReusedAlong(mlir::linalg::LinalgOp op, unsigned dim, unsigned vectorDim);

/// How many vectors of `lanes` fit `size` iterations, at least 1, at most
/// `most`.
int64_t getVectorsPerStep(int64_t size, int64_t lanes, int64_t most);

/// The register tile rows and vectors chosen for `op` (choice::kTiles).
std::optional<int64_t> getChosenRows(mlir::linalg::LinalgOp op);
std::optional<int64_t> getChosenVectors(mlir::linalg::LinalgOp op);

/// Whether one vector, or one number without vectors, was chosen for the tile
/// of `op`: its code does not depend on its sizes.
bool hasSmallestTile(mlir::Operation *op);

/// Vectors in the register tile of a matrix product with `rows` rows: as
/// chosen; otherwise more if few rows use each loaded vector, and if loaded
/// elements must be widened, which pays off over more rows than loading does.
int64_t getProductVectors(mlir::linalg::LinalgOp op, int64_t rows);

/// How many times `plan` repeats the body: rows x vectors, over all segments of
/// the loops. `isReduced` says whether the repeated code comes after the
/// reductions.
int64_t countCopies(const NestPlan &plan, const NestFacts &facts,
                    bool isReduced);

/// Whether `copies` of a body are too much code: compile time would be
/// excessive, and the code would not fit the instruction caches.
bool isTooMuchCode(int64_t copies, unsigned bodyCost);

/// Whether `op` becomes scalar loops, which are smaller than any nest, because
/// its code should be small (choice::kCode).
bool isForSize(mlir::Operation *op);

/// Reduces the rows and vectors per step until the code is small enough.
void limitCode(NestPlan &plan, const NestFacts &facts);

/// Splits `size` iterations into as few blocks of at most `most` as possible
/// and returns the block size, balanced so that the last block is nearly as
/// large.
int64_t getBalancedBlock(int64_t size, int64_t most);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_PLAN_H
