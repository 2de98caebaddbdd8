//===- BranchCarrier.h - Branch counts on conditions ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization and the lowering to branches drop the attributes of scf.if and
// scf.while; on scf.for, only attributes whose type belongs to the LLVM dialect
// survive. So the counts of a branch are attached to an op of the LLVM dialect
// through which its condition passes, and which no pattern touches before the
// end.
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

/// In BranchWeights.cpp: gives branches of the LLVM dialect the counts that
/// loops and conditions carry, and removes the carriers.
void lowerBranchCarriers(mlir::ModuleOp module);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CHOICES_BRANCHCARRIER_H
