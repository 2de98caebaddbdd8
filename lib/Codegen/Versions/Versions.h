//===- Versions.h - Versions of a function ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_VERSIONS_VERSIONS_H
#define MLIR_PROF_LIB_CODEGEN_VERSIONS_VERSIONS_H

#include "mlir-prof/Transforms/EntryValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace mlirprof::codegen {

/// A number of a call, and its required value.
struct VersionCondition {
  transforms::EntryValue value;
  int64_t number = 0;
};

/// A version applies to calls that meet all conditions: at least one, on
/// different values.
using Version = std::vector<VersionCondition>;

/// The versions in the choice of `function`, in numeric order. Versions that do
/// not apply to the function are left out, with a warning each.
std::vector<Version> readVersions(mlir::func::FuncOp function);

/// Sets the argument types and values of `function` that `version` requires.
void specialize(mlir::func::FuncOp function, const Version &version);

/// Propagates static sizes and constant values to all ops of `function`. Fails
/// if a loop may change the initial size of a value: later passes assume that
/// loops do not, and would miscompile the function.
llvm::LogicalResult refine(mlir::func::FuncOp function);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_VERSIONS_VERSIONS_H
