//===- Bufferization.h - Bufferization of dispatches ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIALECT_DISPATCH_BUFFERIZATION_H
#define MLIR_PROF_LIB_DIALECT_DISPATCH_BUFFERIZATION_H

#include "mlir/IR/DialectRegistry.h"

namespace mlirprof::dispatch {

/// Lets one-shot bufferization turn runs on tensors into runs on buffers.
void registerBufferization(mlir::DialectRegistry &registry);

} // namespace mlirprof::dispatch

#endif // MLIR_PROF_LIB_DIALECT_DISPATCH_BUFFERIZATION_H
