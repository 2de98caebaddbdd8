//===- LoopAnnotations.h - What LLVM is to do with a loop --------*- C++
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

/// As upstream's lowerings from loops to branches know it. A branch of the LLVM
/// dialect gets it under this name, which the translation does not look at.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

struct LoopHints {
  bool isNotUnrolled = false;
  bool isNotVectorized = false;
  /// 0: as LLVM likes.
  unsigned unrollCount = 0;
};

/// Adds hints to those that `loop` has; what it says of unrolling or of vectors
/// stays. In LimitUnrolling.cpp.
void addLoopHints(mlir::Operation *loop, const LoopHints &hints);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPANNOTATIONS_H
