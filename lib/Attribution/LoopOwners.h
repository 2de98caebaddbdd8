//===- LoopOwners.h - The ops of loops of machine code ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ATTRIBUTION_LOOPOWNERS_H
#define MLIR_PROF_LIB_ATTRIBUTION_LOOPOWNERS_H

#include "mlir-prof/Attribution/ProgramMatch.h"

namespace mlirprof::attribution {

/// The ops of one level that the instructions of a loop belong to.
struct LoopOwners {
  /// Ascending.
  std::vector<uint32_t> nodes;
  /// How many instructions each has, in units of `unit`; in a loop with
  /// divisions or square roots, which keep a unit of their own busy for long,
  /// how many instructions' time the loop would be shorter by without the op.
  std::vector<uint64_t> weights;
  uint64_t unit = 1;
};

/// Finds them for the loops of a program that call nothing, when asked.
class LoopOwnerTable {
public:
  /// Both must outlive this.
  LoopOwnerTable(const profile::Program &program,
                 const profile::AncestorTable &ancestors);

  /// Without nodes for a loop that calls functions, and for one that has more
  /// ops than a split says anything of.
  const LoopOwners &get(uint32_t loop);

private:
  LoopOwners find(uint32_t loop) const;

  const profile::Program &program;
  const profile::AncestorTable &ancestors;
  /// Instructions by loop.
  std::vector<uint32_t> instructions;
  std::vector<size_t> begins;
  llvm::DenseMap<uint32_t, LoopOwners> known;
};

} // namespace mlirprof::attribution

#endif // MLIR_PROF_LIB_ATTRIBUTION_LOOPOWNERS_H
