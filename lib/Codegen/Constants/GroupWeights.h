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
  /// Element strides between neighbors along each loop of the op; for the loop
  /// over columns, the stride within a panel.
  mlir::SmallVector<int64_t> strides;
  /// The number of columns per panel and the element stride between panels; 0
  /// if the constant is not in panels.
  int64_t panel = 0;
  int64_t panelStride = 0;

  int64_t getColumn(int64_t column, unsigned vectorDim) const {
    return panel ? column / panel * panelStride +
                       column % panel * strides[vectorDim]
                 : column * strides[vectorDim];
  }
};

/// How the weights of one op are grouped.
struct Grouping {
  mlir::linalg::LinalgOp op;
  DotProduct dot;
  NestFacts facts;
  GroupedLayout layout;
  unsigned vectorDim = 0;
  int64_t panel = 1;
  int64_t lanes = 1;
  /// None if the weights are not constant.
  std::optional<Source> source;

  /// MLIR's handles do not have const members.
  mlir::linalg::LinalgOp getOp() const { return op; }
  mlir::Value getWeights() const { return op->getOperand(dot.weights); }
  /// The shape of the grouped weights; the last dimension is a panel row.
  mlir::SmallVector<int64_t> getShape() const;
  /// The shape of the results' initial values: the outer loops, and all
  /// columns.
  mlir::SmallVector<int64_t> getStartShape() const;
};

/// Grouped weights, and the result's initial value per column (and outer loop);
/// null if signs were not flipped.
struct GroupedConstant {
  mlir::DenseResourceElementsAttr weights;
  mlir::DenseElementsAttr starts;
};

/// The constant weights of `op` as its loops read them; none if they are not
/// constant.
std::optional<Source> findSource(mlir::linalg::LinalgOp op,
                                 const DotProduct &dot, unsigned vectorDim);

/// Constants that have been grouped. Weights used by several functions, such as
/// versions of one function, are stored once.
class GroupedConstants {
public:
  GroupedConstant get(const Grouping &grouping);

private:
  /// The constant, and everything that determines its grouping.
  using Key = std::pair<const void *, std::vector<int64_t>>;

  std::map<Key, GroupedConstant> known;
};

/// Emits code that groups weights that are not constant.
mlir::Value emitGroups(mlir::RewriterBase &rewriter, const Grouping &grouping);
/// Emits code for the results' initial values in that case.
mlir::Value emitStarts(mlir::RewriterBase &rewriter, const Grouping &grouping);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONSTANTS_GROUPWEIGHTS_H
