//===- ChoiceText.h - Choices in words --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SITES_CHOICETEXT_H
#define MLIR_PROF_LIB_OPTIMIZE_SITES_CHOICETEXT_H

#include "mlir-prof/Optimize/Sites.h"

#include <string>

namespace mlirprof::optimize {

/// "tile=4 unroll=2".
std::string describe(const tuning::Choice &choice);
/// All choices as text, for comparing and hashing.
std::string describe(const ChoiceMap &choices);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SITES_CHOICETEXT_H
