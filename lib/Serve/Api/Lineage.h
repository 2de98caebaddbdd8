//===- Lineage.h - Links between ops of levels ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_LINEAGE_H
#define MLIR_PROF_LIB_SERVE_API_LINEAGE_H

#include "mlir-prof/Profile/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace mlirprof::serve {

/// An op of another level. Either a node of the program, or, at the level asm,
/// an instruction.
struct LinkedOp {
  uint32_t program = 0;
  /// Index into Program::levels; their number is the level asm.
  uint32_t level = 0;
  /// Index into Program::nodes, or into Program::instructions.
  uint32_t index = 0;
};

/// The ops that node `node` came from, at all earlier levels.
std::vector<LinkedOp> findOrigins(const profile::Program &program,
                                  uint32_t number, uint32_t node);
/// The ops and instructions that it became, at all later levels.
std::vector<LinkedOp> findResults(const profile::Program &program,
                                  uint32_t number, uint32_t node);
/// The nearest nodes that `isShown` accepts, from each of `nodes` back through
/// its origins: the node itself, or the first on each way.
std::vector<uint32_t>
findNearest(const profile::Program &program, llvm::ArrayRef<uint32_t> nodes,
            llvm::function_ref<bool(uint32_t node)> isShown);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_LINEAGE_H
