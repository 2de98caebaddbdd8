//===- LoopAnnotations.h - Loop hints for LLVM ------------------*- C++ -*-===//
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPANNOTATIONS_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPANNOTATIONS_H

#include "mlir/IR/Operation.h"

namespace mlirprof::codegen {

/// The name that upstream's lowerings from loops to branches use. They set it
/// on branches of the LLVM dialect as a discardable attribute, which the
/// translation ignores.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

struct LoopHints {
  bool isNotUnrolled = false;
  bool isNotVectorized = false;
  /// 0: LLVM decides.
  unsigned unrollCount = 0;
};

/// Adds hints to those of `loop`; existing hints on unrolling or vectorization
/// stay. In LimitUnrolling.cpp.
void addLoopHints(mlir::Operation *loop, const LoopHints &hints);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPANNOTATIONS_H
