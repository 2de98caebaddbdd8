//===- LoopOwners.h - Ops in machine-code loops -----------------*- C++ -*-===//
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

/// The ops of one level to which the instructions of a loop belong.
struct LoopOwners {
  /// Ascending.
  std::vector<uint32_t> nodes;
  /// The number of instructions of each, in units of `unit`. In a loop with
  /// divisions or square roots, which occupy a separate unit for long, the
  /// time, in instructions, that the loop would save without the op.
  std::vector<uint64_t> weights;
  uint64_t unit = 1;
};

/// Finds the owners for loops of a program that do not contain calls, on
/// demand.
class LoopOwnerTable {
public:
  /// Both must outlive this.
  LoopOwnerTable(const profile::Program &program,
                 profile::AncestorTable &ancestors);

  /// The owners in `instance` (AncestorTable). The result does not have nodes
  /// for a loop that calls functions, or that has too many ops for a meaningful
  /// split. It is valid until the next call.
  const LoopOwners &get(uint32_t loop, uint32_t instance);

private:
  LoopOwners find(uint32_t loop, uint32_t instance) const;

  const profile::Program &program;
  profile::AncestorTable &ancestors;
  /// Instructions by loop.
  std::vector<uint32_t> instructions;
  std::vector<size_t> begins;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, LoopOwners> known;
};

} // namespace mlirprof::attribution

#endif // MLIR_PROF_LIB_ATTRIBUTION_LOOPOWNERS_H
