//===- NodeLookup.h - The node that owns an op's measurements ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NODELOOKUP_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NODELOOKUP_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::transforms {

/// Reads the program of `module`. If there is none, starts it with the level
/// "input". Emits an error if it is malformed.
llvm::LogicalResult getOrStartProgram(mlir::ModuleOp module,
                                      profile::Program &program);

/// Finds one node for each measured op, and counts the ops for which that loses
/// information.
class NodeLookup {
public:
  explicit NodeLookup(const profile::Program &program);

  /// The first identity in the location of `op`; for a function without one,
  /// the latest node of its name; kNone if there is none.
  uint32_t find(mlir::Operation *op);

  /// Number of queried ops without an identity, or with several.
  uint64_t getLost() const { return lost; }
  uint64_t getShared() const { return shared; }

private:
  size_t nodes;
  llvm::StringMap<uint32_t> functions;
  uint64_t lost = 0;
  uint64_t shared = 0;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_NODELOOKUP_H
