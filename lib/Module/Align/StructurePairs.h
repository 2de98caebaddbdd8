//===- StructurePairs.h - Pairs of what is alike above or below -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_STRUCTUREPAIRS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_STRUCTUREPAIRS_H

#include "KnownPairs.h"
#include "Pointers.h"

namespace mlirprof::module::align {

/// Pairs by all that an op is computed from, and all that is computed from it.
class StructurePairs : public KnownPairs {
public:
  using KnownPairs::KnownPairs;

protected:
  size_t pairByStructure();
  void sharePointedTo();

  /// From nodes of `before`, and back from those of `after`.
  Pointers pointers, pointersBack;

private:
  void findPointersNow();
  void followUsers();
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_STRUCTUREPAIRS_H
