//===- TimesOfCode.h - Searches that measure nothing ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_TIMESOFCODE_H
#define MLIR_PROF_OPTIMIZE_TIMESOFCODE_H

#include "mlir-prof/Optimize/Optimizer.h"

namespace mlirprof::optimize {

/// `tools` whose servers say that a run takes a time that follows from the
/// size of the model's code: the more code, the faster, as with unrolled loops.
/// Tests of whole searches use it, so that their outcome does not depend on
/// what else the machine does. Servers build and run the model all the same:
/// each call of run() runs it once.
SearchTools useTimesOfCode(SearchTools tools);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_TIMESOFCODE_H
