//===- Optimize.h - LLVM's passes on code of a model ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_OPTIMIZE_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_OPTIMIZE_H

#include "mlir-prof/Compile/Backend.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlirprof::compile {

/// Runs the passes of `options` on `module`.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const BackendOptions &options);

/// Extends the factors of products that are wider than a register in the block
/// of the product.
void extendNearProducts(llvm::Module &module);

/// Computes roundings to the nearest even number for which the machine does not
/// have an instruction.
void expandRoundEven(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_OPTIMIZE_H
