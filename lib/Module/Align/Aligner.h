//===- Aligner.h - Finding counterparts step by step ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_ALIGNER_H
#define MLIR_PROF_LIB_MODULE_ALIGN_ALIGNER_H

#include "SizePairs.h"

namespace mlirprof::module::align {

/// All steps of an alignment, one after the other.
class Aligner : SizePairs {
public:
  using SizePairs::SizePairs;

  Alignment run();

private:
  void pairInOrder();
  void pairByOrder();
  void shareTheRest();
  void contestBetween();
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_ALIGNER_H
