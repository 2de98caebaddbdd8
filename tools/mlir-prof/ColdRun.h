//===- ColdRun.h - What marks a run without a warm-up -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_COLDRUN_H
#define MLIR_PROF_TOOLS_COLDRUN_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/STLExtras.h"

namespace mlirprof {

/// A fact of a run whose first iteration nothing had warmed up.
inline std::pair<std::string, std::string> getColdFact() {
  return {"first iteration", "cold"};
}

inline bool isCold(const Run &run) {
  return llvm::is_contained(run.facts, getColdFact());
}

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_COLDRUN_H
