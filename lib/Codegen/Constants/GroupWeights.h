//===- GroupWeights.h - Factors in groups -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CONSTANTS_GROUPWEIGHTS_H
#define MLIR_PROF_LIB_CODEGEN_CONSTANTS_GROUPWEIGHTS_H

#include "../Nest/Plan.h"
#include "Weights.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace mlirprof::codegen {

/// A constant as the loops of an op read it.
struct Source {
  Weights weights;
  /// Elements between neighbors along each loop of the op; of the loop over
  /// columns, within a panel.
  mlir::SmallVector<int64_t> strides;
  /// The columns of its panels and the elements between these; 0: it is in
  /// none.
  int64_t panel = 0;
  int64_t panelStride = 0;

  int64_t getColumn(int64_t column, unsigned vectorDim) const {
    return panel ? column / panel * panelStride +
                       column % panel * strides[vectorDim]
                 : column * strides[vectorDim];
  }
};

/// What is to be done to the weights of one op.
struct Grouping {
  mlir::linalg::LinalgOp op;
  DotProduct dot;
  NestFacts facts;
  GroupedLayout layout;
  unsigned vectorDim = 0;
  int64_t panel = 1;
  int64_t lanes = 1;
  /// None where the weights are no constant.
  std::optional<Source> source;

  /// MLIR's handles have no const members.
  mlir::linalg::LinalgOp getOp() const { return op; }
  mlir::Value getWeights() const { return op->getOperand(dot.weights); }
  /// The shape of the grouped weights; the last dimension is a row of a panel.
  mlir::SmallVector<int64_t> getShape() const;
  /// The shape of what results start from: the loops outside, and all columns.
  mlir::SmallVector<int64_t> getStartShape() const;
};

/// Grouped weights, and for each column (and loop outside of it) what the
/// result starts from; null where no sign was flipped.
struct GroupedConstant {
  mlir::DenseResourceElementsAttr weights;
  mlir::DenseElementsAttr starts;
};

/// The constant weights of `op` as its loops read them; none where they are no
/// constant.
std::optional<Source> findSource(mlir::linalg::LinalgOp op,
                                 const DotProduct &dot, unsigned vectorDim);

/// Constants that have been grouped: those that several functions use, such as
/// the versions of one, are there once.
class GroupedConstants {
public:
  GroupedConstant get(const Grouping &grouping);

private:
  /// The constant, and all that says how it is grouped.
  using Key = std::pair<const void *, std::vector<int64_t>>;

  std::map<Key, GroupedConstant> known;
};

/// Code that groups weights which are no constant.
mlir::Value emitGroups(mlir::RewriterBase &rewriter, const Grouping &grouping);
/// Code for what results start from then.
mlir::Value emitStarts(mlir::RewriterBase &rewriter, const Grouping &grouping);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONSTANTS_GROUPWEIGHTS_H
