//===- SwapBuffers.h - Two buffers for what a loop carries ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_SWAPBUFFERS_H
#define MLIR_PROF_CODEGEN_SWAPBUFFERS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlirprof::codegen {

/// Where bufferization allocates a buffer in each iteration of an scf.for for
/// the value of the next one, and copies it there, lets the loop compute in two
/// halves of one buffer, which is allocated before it. On functions.
std::unique_ptr<mlir::Pass> createSwapBuffersPass();

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_SWAPBUFFERS_H
