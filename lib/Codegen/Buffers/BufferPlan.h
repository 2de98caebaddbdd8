//===- BufferPlan.h - Placing buffers in one allocation ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_BUFFERS_BUFFERPLAN_H
#define MLIR_PROF_LIB_CODEGEN_BUFFERS_BUFFERPLAN_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlirprof::codegen {

/// In bytes: a cache line, and at least a vector of any machine.
inline constexpr int64_t kBufferAlignment = 64;

/// Bytes of a number of `type` in memory, a power of two; 0 if it is not an
/// integer, an index or a float.
int64_t getNumberBytes(mlir::Type type);

/// Bytes of `type`; 0 if the size is unknown or elements are not whole bytes.
int64_t getBufferBytes(mlir::MemRefType type);

/// A buffer of `bytes` that is alive from `begin` to `end`, both included.
struct BufferLife {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t bytes = 0;
  /// Set by planBuffers, a multiple of kBufferAlignment.
  int64_t offset = 0;
};

/// Sets the offsets such that buffers that are alive at the same time do not
/// overlap. Returns the total size in bytes: that of the buffers that are alive
/// together, if an order of placing them is found that leaves no holes.
int64_t planBuffers(llvm::MutableArrayRef<BufferLife> lives);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_BUFFERS_BUFFERPLAN_H
