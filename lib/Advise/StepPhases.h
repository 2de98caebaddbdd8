//===- StepPhases.h - Phases of the steps of a profile -------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_STEPPHASES_H
#define MLIR_PROF_LIB_ADVISE_STEPPHASES_H

#include "Context.h"

namespace mlirprof::advise {

/// Sums over the steps of the report by step trace, without the first step of
/// each recording, whose begin is not known.
struct StepPhases {
  uint64_t steps = 0;
  int64_t totalPs = 0;
  int64_t intervalPs = 0;
  int64_t tailPs = 0;
};
StepPhases getStepPhases(const AdviseContext &context);

} // namespace mlirprof::advise

#endif // MLIR_PROF_LIB_ADVISE_STEPPHASES_H
