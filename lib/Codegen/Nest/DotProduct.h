//===- DotProduct.h - Sums of groups of products ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machines multiply narrow numbers in groups: each lane of an accumulator adds
// the products of a group of neighbors. For that, the vectorized operand is
// stored in groups,
//
//   W[outer][n / panel][inner][k / group][(n mod panel) * group + k mod group]
//
// zero-padded (by GroupWeights.cpp). The other operand is contiguous along k;
// each of its groups is one word, broadcast to all lanes. In a depthwise
// convolution, it is contiguous along n instead: each lane has a group of its
// own, whose elements come from as many vectors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_DOTPRODUCT_H
#define MLIR_PROF_LIB_CODEGEN_NEST_DOTPRODUCT_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlirprof::codegen {

struct NestFacts;

/// How a group of products is added to a lane.
enum class DotKind {
  /// vpdpbusd: four unsigned bytes by four signed bytes, exact.
  Bytes,
  /// vpmaddwd: two signed 16-bit numbers by two, to which bytes of either
  /// signedness are extended, exact. Four bytes are extended at once, so a
  /// broadcast group has two lanes of the accumulator, which are added up last.
  Words,
  /// vdpbf16ps: two bf16 by two into f32. Treats numbers below 2^-126 as zeros.
  BFloats,
  /// SMLAD: two signed 16-bit numbers by two, twice for four bytes that SXTB16
  /// extends, exact. For one number at a time.
  Pairs,
};

/// A sum of products of two inputs of an op, computed by such an instruction.
struct DotProduct {
  DotKind kind = DotKind::Bytes;
  /// The reduction loop, of static size, that is split into groups of `group`.
  unsigned groupDim = 0;
  int64_t group = 4;
  /// The input that is the same in all lanes, and the one that differs.
  unsigned broadcast = 0;
  /// Whether the former differs too: each lane has a column of its own.
  bool isPerLane = false;
  unsigned weights = 1;
  /// Whether the body treats their bytes as signed.
  bool isBroadcastSigned = true;
  bool areWeightsSigned = true;
  /// Whether the body flips the sign bits of the broadcast input before
  /// extending it.
  bool isFlipped = false;
  /// The 32-bit lanes of a register: an accumulator may take two.
  int64_t registerLanes = 4;
  /// The number of columns per panel of grouped weights; 0 if they are not
  /// grouped yet.
  int64_t panel = 0;

  /// Whether sign bits must be flipped, which adds 128 to each number or
  /// subtracts it: the instruction takes one unsigned and one signed operand.
  bool needsFlip() const {
    return kind == DotKind::Bytes && isBroadcastSigned == areWeightsSigned;
  }

  /// The lanes of an accumulator for each column.
  int64_t getColumnLanes() const {
    return kind == DotKind::Words ? group / 2 : 1;
  }
};

/// How `op` can be computed by groups on `target`: the weights are grouped or
/// can be. None if the machine does not have an instruction for it, or if the
/// instruction rounds and no error is allowed.
std::optional<DotProduct> findDotProduct(mlir::linalg::LinalgOp op,
                                         const NestFacts &facts,
                                         const TargetModel &target);

/// The assembler mnemonic.
llvm::StringRef getDotInstruction(DotKind kind);

/// The number of accumulator lanes for `columns` of the result.
int64_t getDotLanes(int64_t columns, const TargetModel &target);

/// The indexing map of grouped weights, derived from a projected permutation or
/// a map into panels, and the loops of the packed tensor outside and inside of
/// the loop over panels (the last inner loop is `dot.groupDim`).
struct GroupedLayout {
  llvm::SmallVector<unsigned> outerDims, innerDims;
  mlir::AffineMap map;
};
GroupedLayout getGroupedLayout(mlir::linalg::LinalgOp op, const DotProduct &dot,
                               unsigned vectorDim, const NestFacts &facts,
                               int64_t panel);

/// Converts a group of the broadcast input, a vector of `dot.group` elements,
/// to the instruction's operand. Not for DotKind::Pairs.
mlir::Value createDotWord(mlir::OpBuilder &builder, mlir::Location location,
                          const DotProduct &dot, mlir::Value group);
/// The same if each lane has a group of its own: `elements` has a vector of
/// lanes for each element of the group, or for the first ones; the others are
/// zeros.
mlir::Value createLaneWords(mlir::OpBuilder &builder, mlir::Location location,
                            const DotProduct &dot, mlir::ValueRange elements);
/// The same for `lanes` groups of the weights.
mlir::Value createDotWeights(mlir::OpBuilder &builder, mlir::Location location,
                             const DotProduct &dot, mlir::Value groups);
/// `sum` plus the products of the operands that these two functions created.
mlir::Value createDot(mlir::OpBuilder &builder, mlir::Location location,
                      const DotProduct &dot, mlir::Value sum, mlir::Value word,
                      mlir::Value weights);

/// `columns`, a number for each column, as an accumulator.
mlir::Value spreadColumns(mlir::OpBuilder &builder, mlir::Location location,
                          const DotProduct &dot, mlir::Value columns);
/// The sums of the lanes of each column.
mlir::Value sumColumns(mlir::OpBuilder &builder, mlir::Location location,
                       const DotProduct &dot, mlir::Value lanes);

/// The same at once for DotKind::Pairs: `sums`, row by row, plus the products
/// of the groups of the rows, `words`, and those of the columns, `weights`.
llvm::SmallVector<mlir::Value> createPairs(mlir::OpBuilder &builder,
                                           mlir::Location location,
                                           mlir::ValueRange sums,
                                           mlir::ValueRange words,
                                           mlir::ValueRange weights);

/// Declares that the intrinsics created here only compute, without memory
/// effects.
void registerDotEffects(mlir::DialectRegistry &registry);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_DOTPRODUCT_H
