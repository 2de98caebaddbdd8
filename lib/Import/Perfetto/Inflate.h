//===- Inflate.h - Compressed packets ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_INFLATE_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_INFLATE_H

#include "mlir-prof/Support/MemoryBudget.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::perfetto {

/// Inflates what zlib or gzip made; false when it is damaged. Throws TooLarge
/// when the result passes `budget`.
bool inflate(llvm::StringRef bytes, MemoryBudget &budget,
             llvm::SmallVectorImpl<char> &out);

} // namespace mlirprof::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_INFLATE_H
