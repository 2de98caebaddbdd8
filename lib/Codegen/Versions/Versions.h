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

/// A number of a call, and what it has to be.
struct VersionCondition {
  transforms::EntryValue value;
  int64_t number = 0;
};

/// Calls for which all conditions hold; at least one, of different values.
using Version = std::vector<VersionCondition>;

/// The versions that the choice of `function` asks for, in the order of their
/// numbers. Those that do not apply to it are left out, with a warning each.
std::vector<Version> readVersions(mlir::func::FuncOp function);

/// Makes the arguments of `function` what `version` says.
void specialize(mlir::func::FuncOp function, const Version &version);

/// Takes static sizes and constant values on to all ops of `function`. Fails
/// when a loop may change a size that it begins with: later passes take for
/// granted that none does, and would make something else of the function.
llvm::LogicalResult refine(mlir::func::FuncOp function);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_VERSIONS_VERSIONS_H
