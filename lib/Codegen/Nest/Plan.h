//===- Plan.h - How a structured op becomes vector loops --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op is turned into loops around one-dimensional vectors directly
// (Nest.h), and not through upstream's vectorizer: that one makes vectors
// of whole tiles, whose lowering needs memory and time out of all proportion
// for odd shapes, and whose accumulators leave their registers when a pattern
// does not match. What the loops look like is a plan; each rule makes its own.
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

/// How the element that an affine map picks moves when one loop steps by one.
enum class AccessKind {
  /// Not at all.
  Invariant,
  /// To the next element of the last dimension.
  Contiguous,
  /// By a constant number of elements of the last dimension.
  Spread,
  /// By constants, but in other dimensions too.
  Scattered,
  /// Not by a constant.
  Irregular
};

struct Access {
  AccessKind kind = AccessKind::Invariant;
  /// For Spread.
  int64_t stride = 0;
  /// For Contiguous: the elements after which the next panel begins, where the
  /// operand is in panels (d floordiv panel, ..., d mod panel); else 0. Vectors
  /// of a plan do not straddle panels when its lanes divide this.
  int64_t panel = 0;
};

/// How `map` moves with the loop `dim`.
Access getAccess(mlir::AffineMap map, unsigned dim);

/// The loops of a nest. Dimensions are those of the op's iteration space.
struct NestPlan {
  /// The loop whose iterations are the lanes of the vectors.
  unsigned vectorDim = 0;
  int64_t lanes = 1;
  /// Vectors along vectorDim that one iteration handles.
  int64_t vectorsPerStep = 1;
  /// Whether the vector loop is one, whose last vector may be masked, and not
  /// cut into whole vectors and a rest: less code.
  bool isOneLoop = false;
  /// A parallel loop that is unrolled, so that what does not depend on it is
  /// loaded once for several of its iterations.
  std::optional<unsigned> rowDim;
  int64_t rowsPerStep = 1;
  /// All parallel loops, outermost first.
  mlir::SmallVector<unsigned> parallelOrder;
  /// All reduction loops, outermost first. When vectorDim is one, it is last.
  mlir::SmallVector<unsigned> reductionOrder;
  /// How the body becomes sums of groups of products, where it does. Its loop
  /// is the last of reductionOrder.
  std::optional<DotProduct> dot;
};

/// The facts about an op that all rules need. None when it has no plan at all:
/// what it computes per element is not arithmetic, an operand holds something
/// else than numbers of whole bytes, or a result is not written once per point
/// of the parallel loops.
struct NestFacts {
  mlir::SmallVector<int64_t> sizes;
  mlir::SmallVector<unsigned> parallelDims;
  mlir::SmallVector<unsigned> reductionDims;
  /// The parallel loop along which all results are contiguous, where there is
  /// one and it has more than one iteration.
  std::optional<unsigned> contiguousDim;
  /// Bits of the widest number that it handles.
  unsigned elementBits = 32;
  /// Operations per point.
  unsigned bodySize = 0;
  /// Instructions per point, about: a function is many.
  unsigned bodyCost = 0;
};
std::optional<NestFacts> getNestFacts(mlir::linalg::LinalgOp op);
/// The same for an op on buffers. That what it writes overlaps what it reads at
/// other points only is for the caller to know.
std::optional<NestFacts> getBufferNestFacts(mlir::linalg::LinalgOp op);

/// Whether `dim`, a reduction, can be the vector loop: all results combine
/// their parts by an operation that may be reordered.
bool isReorderable(mlir::linalg::LinalgOp op, unsigned dim);

/// The operation that combines the parts of result `index`, null when there is
/// none that may be reordered.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op, unsigned index);

/// Lanes for a loop of `size` iterations (maybe dynamic) over numbers of
/// `elementBits`: those of a register, or fewer when the loop is shorter.
int64_t getLanes(int64_t size, unsigned elementBits, const TargetModel &target);

/// The inputs of `op` that its body reads.
mlir::SmallVector<mlir::OpOperand *> getReadInputs(mlir::linalg::LinalgOp op);

/// Whether `body`, of a structured op, multiplies two of its arguments and adds
/// the product to the third.
bool addsProducts(mlir::Block &body);

/// Whether `op` is a sum of products of two operands, whose maps are projected
/// permutations or panels.
bool isProduct(mlir::linalg::LinalgOp op);

/// Whether the access is every nth element, for n that are that many loads and
/// shuffles.
bool isEveryNth(Access access);

/// Whether the access can be made without falling back to single elements.
bool isCheap(Access access);

/// Whether all inputs that `op` reads are cheap along `dim`.
bool areCheap(mlir::linalg::LinalgOp op, unsigned dim);

/// Whether some input that moves with `vectorDim` does not with `dim`, so that
/// its vectors serve several iterations of `dim`.
bool isReusedAlong(mlir::linalg::LinalgOp op, unsigned dim, unsigned vectorDim);

/// How many vectors of `lanes` fit `size` iterations, at least 1, at most
/// `most`.
int64_t getVectorsPerStep(int64_t size, int64_t lanes, int64_t most);

/// Rows and vectors of a register tile that were chosen for `op`
/// (choice::kTiles).
std::optional<int64_t> getChosenRows(mlir::linalg::LinalgOp op);
std::optional<int64_t> getChosenVectors(mlir::linalg::LinalgOp op);

/// Vectors of the register tile of a product with so many rows in it: as was
/// chosen; else more where few rows use what was loaded, and where what is
/// loaded has to be widened, which pays for more rows than loading does.
int64_t getProductVectors(mlir::linalg::LinalgOp op, int64_t rows);

/// How many times `plan` repeats the body: rows x vectors, in all parts that
/// the loops are cut into. `isReduced` says whether what is repeated comes
/// after the reductions.
int64_t countCopies(const NestPlan &plan, const NestFacts &facts,
                    bool isReduced);

/// Whether `copies` of a body are too much code: the time to compile it is out
/// of proportion, and it does not fit the caches for code.
bool isTooMuchCode(int64_t copies, unsigned bodyCost);

/// Whether `op` becomes plain loops, which are smaller than any nest: its code
/// is to be small (choice::kCode).
bool isForSize(mlir::Operation *op);

/// Lowers the rows and vectors per step until the code is not too much.
void limitCode(NestPlan &plan, const NestFacts &facts);

/// Splits `size` iterations into the fewest blocks of at most `most` and
/// returns the size of a block, so that the last one is nearly as large.
int64_t getBalancedBlock(int64_t size, int64_t most);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_PLAN_H
