//===- TargetOptions.h - The target that options of a pass describe *- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_TARGETOPTIONS_H
#define MLIR_PROF_CODEGEN_TARGETOPTIONS_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof::codegen {

/// The target described by the options that passes share (TargetOptions of
/// Passes.td). Values that do not fit any machine are an error at `op`, which
/// names `pass`.
mlir::FailureOr<TargetModel>
makeTarget(const mlir::Pass &pass, mlir::Operation *op, unsigned vectorBits,
           unsigned vectorRegisters, llvm::StringRef features, double maxError);

/// Emits an error at `op` unless `threads` is a valid number of threads.
mlir::LogicalResult checkThreads(const mlir::Pass &pass, mlir::Operation *op,
                                 unsigned threads);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_TARGETOPTIONS_H
