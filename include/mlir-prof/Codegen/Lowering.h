//===- Lowering.h - Types of a target in the LLVM dialect -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_LOWERING_H
#define MLIR_PROF_CODEGEN_LOWERING_H

#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::codegen {

/// Gives `index` the width of an address of the target in the data layout of
/// `module`; that of 64 bits is the default of MLIR.
void setIndexBits(mlir::ModuleOp module, unsigned addressBits);

/// How the types of `module` become those of LLVM, by its data layout.
mlir::LowerToLLVMOptions getLoweringOptions(mlir::ModuleOp module);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_LOWERING_H
