//===- Passes.h - Passes of the compiler for other drivers ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_PASSES_H
#define MLIR_PROF_COMPILE_PASSES_H

namespace mlirprof {

/// Makes `prof-apply-rules` known to pass pipelines of this process: the rules
/// of the default pipeline, for a target that its options describe.
void registerCompilePasses();

} // namespace mlirprof

#endif // MLIR_PROF_COMPILE_PASSES_H
