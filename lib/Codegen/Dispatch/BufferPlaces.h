//===- BufferPlaces.h - Bytes of buffers ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_BUFFERPLACES_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_BUFFERPLACES_H

#include "Conflicts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlirprof::codegen {

/// A part of a larger buffer, `offset` bytes behind its begin.
struct BufferPlace {
  mlir::Value base;
  int64_t offset = 0;
};

/// Follows views of known places.
BufferPlace findPlace(mlir::Value buffer);

/// The type of `buffer` before casts that hide sizes.
mlir::MemRefType getKnownType(mlir::Value buffer);

/// Bytes of a buffer; none if they are not known.
std::optional<int64_t> getStaticBytes(mlir::MemRefType type);

/// The bytes of an operand of type `type` at `place`.
ByteAccess getAccess(BufferPlace place, mlir::MemRefType type, bool isWrite);

/// The address of the first byte of `buffer`, without its offset.
mlir::Value extractAddress(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::Value buffer);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_BUFFERPLACES_H
