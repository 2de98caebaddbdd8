//===- Rules.h - Declares all rules -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_RULES_RULES_H
#define MLIR_PROF_LIB_ADVISE_RULES_RULES_H

#include "mlir-prof/Advise/Advise.h"

namespace mlirprof::advise::rule {
#define MLIRPROF_ADVICE_RULE(NAME) AdviceRule NAME();
#include "Rules.def"
} // namespace mlirprof::advise::rule

#endif // MLIR_PROF_LIB_ADVISE_RULES_RULES_H
