//===- Buffers.h - From tensors to the buffers of a nest --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of an op on tensors stand in an op cpu.nest, on the buffers that
// bufferization will give it. Loops that carry tensors would take it much
// longer: it compares each unrolled read with each write.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_BUFFERS_H
#define MLIR_PROF_LIB_CODEGEN_NEST_BUFFERS_H

#include "Operands.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {

/// Creates the op for loops that load `loaded` and store to each of
/// `destinations` by the map in `stored`. Replaces the tensors of both by the
/// arguments of the op's body, and moves `rewriter` there.
cpu::NestOp enterNest(mlir::RewriterBase &rewriter, mlir::Location location,
                      llvm::ArrayRef<NestOperand *> loaded,
                      llvm::ArrayRef<mlir::AffineMap> stored,
                      llvm::MutableArrayRef<mlir::Value> destinations);

/// Moves what is the same in all iterations of a loop of `nest` out of the
/// loop, loads of inputs included.
void hoistInvariants(cpu::NestOp nest);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_BUFFERS_H
