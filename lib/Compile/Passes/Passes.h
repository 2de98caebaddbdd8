//===- Passes.h - Passes of the pipelines -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H
#define MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof {

/// Takes tosa to linalg, where a module has any.
std::unique_ptr<mlir::Pass> createLowerTosaPass();
/// Takes linalg ops that stand for several (softmax, pack, unpack ...) apart.
std::unique_ptr<mlir::Pass> createDecomposePass();
/// Applies the named sequence `__transform_main` of the file `path`.
std::unique_ptr<mlir::Pass> createApplySchedulePass(std::string path);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H
