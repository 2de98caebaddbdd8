//===- Techniques.h - The techniques of Techniques.def ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_TECHNIQUES_TECHNIQUES_H
#define MLIR_PROF_LIB_OPTIMIZE_TECHNIQUES_TECHNIQUES_H

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Optimize/Technique.h"

namespace mlirprof::optimize {

namespace technique {
#define MLIRPROF_TECHNIQUE(NAME) Technique NAME();
#include "Techniques.def"
} // namespace technique

/// Whether trials may go to `site`, which has to take `leastShare` of the
/// model's time for that.
inline bool isWorthTrials(const OpSite &site, const ModelSites &model,
                          double leastShare) {
  return model.effort == Effort::All ||
         site.seconds >= leastShare * model.seconds;
}

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_TECHNIQUES_TECHNIQUES_H
