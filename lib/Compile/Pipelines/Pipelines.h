//===- Pipelines.h - Declares all pipelines ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PIPELINES_PIPELINES_H
#define MLIR_PROF_LIB_COMPILE_PIPELINES_PIPELINES_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile::pipeline {
#define MLIRPROF_PIPELINE(NAME) Pipeline NAME();
#include "Pipelines.def"
} // namespace mlirprof::compile::pipeline

#endif // MLIR_PROF_LIB_COMPILE_PIPELINES_PIPELINES_H
