//===- BranchCarrier.h - Counts of a branch, on its condition ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes of scf.if and scf.while are gone after bufferization and after the
// lowering to branches; of scf.for those of the LLVM dialect's types stay. So
// the counts of a branch stand on an op of the LLVM dialect that its condition
// goes through, which no pass before the end has a pattern for.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CHOICES_BRANCHCARRIER_H
#define MLIR_PROF_LIB_CODEGEN_CHOICES_BRANCHCARRIER_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlirprof::codegen {

/// How often a condition was true and false.
struct BranchCounts {
  int32_t taken = 0;
  int32_t notTaken = 0;
};

/// The counts that `condition` carries.
std::optional<BranchCounts> getCarriedCounts(mlir::Value condition);

/// In BranchWeights.cpp: gives branches of the LLVM dialect what loops and
/// conditions carry, and takes the carriers off.
void lowerBranchCarriers(mlir::ModuleOp module);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CHOICES_BRANCHCARRIER_H
