//===- NeighborPairs.h - Pairs that their neighbors tell --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_NEIGHBORPAIRS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_NEIGHBORPAIRS_H

#include "StructurePairs.h"

namespace mlirprof::module::align {

/// Pairs by the counterparts of neighbors.
class NeighborPairs : public StructurePairs {
public:
  using StructurePairs::StructurePairs;

protected:
  /// Returns the number of new pairs.
  size_t pairBySurroundings();
  void pairMerged();
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_NEIGHBORPAIRS_H
