//===- BufferFlow.h - Data flow through memory ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_BUFFERFLOW_H
#define MLIR_PROF_LIB_MATCH_HLO_BUFFERFLOW_H

#include "mlir-prof/Module/ModuleIndex.h"

namespace mlirprof::match {

/// For each op, the numbers of the ops before it in its block that wrote a
/// buffer which it reads; an op with regions reads and writes everything that
/// the ops in it do. Buffers of different arguments and allocations differ; a
/// view is its buffer. An op with unknown effects reads and writes all its
/// operands. O(n log n) for usual blocks.
std::vector<llvm::SmallVector<uint32_t, 1>>
findBufferSources(const module::ModuleIndex &index);

/// Whether the ops in `op` are the code of one thread, which runs them
/// sequentially: a region of several blocks, or a body that computes single
/// elements and no tensors.
bool runsInOrder(mlir::Operation *op);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_BUFFERFLOW_H
