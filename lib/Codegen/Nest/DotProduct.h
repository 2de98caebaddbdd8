//===- DotProduct.h - Sums of groups of products ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machines multiply narrow numbers in groups: each lane of an accumulator gets
// the sum of the products of a group of neighbors. For that, the operand that
// runs along the vectors stands in groups,
//
//   W[outer][n / panel][inner][k / group][(n mod panel) * group + k mod group]
//
// filled up with zeros (GroupWeights.cpp makes it so), and of the other, which
// is contiguous along k, a group is one word that goes to all lanes.
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
  /// vpdpbusd: four bytes without a sign by four with one, exact.
  Bytes,
  /// vpmaddwd: two numbers of 16 bits by two, both with a sign, which bytes of
  /// either kind are widened to, exact.
  Words,
  /// vdpbf16ps: two bf16 by two into f32. It takes numbers below 2^-126 for
  /// zeros.
  BFloats,
};

/// A sum of products of two inputs of an op by such an instruction.
struct DotProduct {
  DotKind kind = DotKind::Bytes;
  /// The reduction loop that is taken in groups of `group`, of a static size.
  unsigned groupDim = 0;
  int64_t group = 4;
  /// The input that is the same in all lanes, and the one that is not.
  unsigned broadcast = 0;
  unsigned weights = 1;
  /// Whether the body takes their bytes for numbers with a sign.
  bool isBroadcastSigned = true;
  bool areWeightsSigned = true;
  /// Whether the body flips the sign bits of the broadcast input before it
  /// widens it.
  bool isFlipped = false;
  /// The columns of the panels that the weights are grouped in; 0 where they
  /// are not yet.
  int64_t panel = 0;

  /// Whether sign bits have to be flipped, which adds or takes 128 to or from
  /// each number: the instruction takes one kind of each.
  bool needsFlip() const {
    return kind == DotKind::Bytes && isBroadcastSigned == areWeightsSigned;
  }
};

/// How `op` can be computed by groups on `target`: the weights have been put
/// into groups or can be. None where the machine has no
/// instruction for it, or it rounds and no error is allowed.
std::optional<DotProduct> findDotProduct(mlir::linalg::LinalgOp op,
                                         const NestFacts &facts,
                                         const TargetModel &target);

/// As assemblers name it.
llvm::StringRef getDotInstruction(DotKind kind);

/// Lanes of an accumulator, for `columns` of the result.
int64_t getDotLanes(int64_t columns, const TargetModel &target);

/// The indexing map of grouped weights for one that is a projected permutation
/// or picks from panels, and the loops of the packed tensor before and after
/// that over panels (the last of these is `dot.groupDim`).
struct GroupedLayout {
  llvm::SmallVector<unsigned> outerDims, innerDims;
  mlir::AffineMap map;
};
GroupedLayout getGroupedLayout(mlir::linalg::LinalgOp op, const DotProduct &dot,
                               unsigned vectorDim, const NestFacts &facts,
                               int64_t panel);

/// From a group of the broadcast input, a vector of `dot.group` elements, to
/// what the instruction takes.
mlir::Value createDotWord(mlir::OpBuilder &builder, mlir::Location location,
                          const DotProduct &dot, int64_t lanes,
                          mlir::Value group);
/// The same for `lanes` groups of the weights.
mlir::Value createDotWeights(mlir::OpBuilder &builder, mlir::Location location,
                             const DotProduct &dot, mlir::Value groups);
/// `sum` and the products of what these two made.
mlir::Value createDot(mlir::OpBuilder &builder, mlir::Location location,
                      const DotProduct &dot, mlir::Value sum, mlir::Value word,
                      mlir::Value weights);

/// Tells passes that the intrinsics made here do nothing but compute.
void registerDotEffects(mlir::DialectRegistry &registry);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_DOTPRODUCT_H
