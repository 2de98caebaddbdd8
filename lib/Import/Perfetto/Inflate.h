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

#include <memory>
#include <optional>

namespace mlirprof::importer::perfetto {

/// Inflates one compressed message after another, in one buffer.
class Inflater {
public:
  Inflater();
  ~Inflater();

  /// Inflates data compressed by zlib or gzip; none if it is damaged. The
  /// result lives until the next call. Throws TooLarge if it exceeds `budget`.
  std::optional<llvm::StringRef> inflate(llvm::StringRef bytes,
                                         MemoryBudget &budget);

private:
  struct State;
  std::unique_ptr<State> state;
  llvm::SmallVector<char, 0> out;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_INFLATE_H
