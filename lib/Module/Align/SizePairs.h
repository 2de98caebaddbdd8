//===- SizePairs.h - Pairs of ops of other sizes ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_SIZEPAIRS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_SIZEPAIRS_H

#include "NeighborPairs.h"

namespace mlirprof::module::align {

/// Pairs ops that have other sizes or another form now.
class SizePairs : public NeighborPairs {
public:
  using NeighborPairs::NeighborPairs;

protected:
  /// Returns the number of new pairs.
  size_t pairOtherSizes();
  void pairScaled();
  void pairRewritten();

private:
  Colors colorProducts(const Side &side) const;
  void dropUnclearSizes(Unique &found) const;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_SIZEPAIRS_H
