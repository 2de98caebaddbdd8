//===- DumpOps.h - Ops of IREE's modules of the stream phase ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_DUMPOPS_H
#define MLIR_PROF_LIB_IMPORT_IREE_DUMPOPS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlirprof::importer::iree {

enum class OpOfInterest : uint8_t {
  Executable,
  Export,
  Function,
  Execute,
  Dispatch,
  /// A copy or a fill: it takes a position among the commands.
  Transfer,
  /// Commands with or without barriers between them.
  Serial,
  Concurrent,
};

/// None for an op that does not affect places and bodies.
std::optional<OpOfInterest> getOpOfInterest(llvm::StringRef name);

/// Whether an op of a body is work of the model: neither loads and stores, nor
/// the arithmetic of offsets.
bool isWork(llvm::StringRef op);

/// Whether an op only changes the layout of a value: it has the name of the op
/// that needs the layout, which runs elsewhere.
bool isLayoutChange(llvm::StringRef op);

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_DUMPOPS_H
