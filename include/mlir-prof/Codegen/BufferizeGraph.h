//===- BufferizeGraph.h - Buffers for a list of dispatches ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_BUFFERIZEGRAPH_H
#define MLIR_PROF_CODEGEN_BUFFERIZEGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::codegen {

/// Bufferizes `module` and frees its buffers, in linear time, if all of its
/// functions are lists of dispatches, reshapes and constants on tensors of
/// known size; returns whether they are. Other modules do not change: they need
/// upstream's analyses, whose time grows faster than the length of such a list.
bool bufferizeGraph(mlir::ModuleOp module);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_BUFFERIZEGRAPH_H
