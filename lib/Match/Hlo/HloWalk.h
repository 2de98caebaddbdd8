//===- HloWalk.h - Walking along the data of an HLO program -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOWALK_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOWALK_H

#include "mlir-prof/Profile/HloModule.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace mlirprof::match {

/// Ops and instructions that a search for a neighbor passes through.
inline constexpr size_t kMaxSearch = 64;

enum class Direction : uint8_t { Operands, Users };

/// Walks from instruction to instruction along the data, in and out of fusions
/// and calls.
class HloWalk {
public:
  /// Both must outlive it.
  HloWalk(const profile::HloModule &module, const profile::HloIndex &index);

  /// The nearest instructions from `start` on for which `isFound` holds. The
  /// search continues after fusions and instructions for which `isPassed`
  /// holds.
  llvm::SmallVector<uint32_t>
  find(uint32_t start, Direction direction,
       llvm::function_ref<bool(uint32_t)> isFound,
       llvm::function_ref<bool(uint32_t)> isPassed) const;

  /// Appends the inputs of `at`, across fusions, calls and loops.
  void addInputs(uint32_t at, llvm::SmallVectorImpl<uint32_t> &inputs) const;

private:
  using Visit = llvm::function_ref<void(uint32_t)>;
  void visitOperands(uint32_t at, Visit visit) const;
  void visitUsers(uint32_t at, Visit visit) const;
  /// The users of the result of `at`, which is operand number `id` of theirs.
  void visitUsersOf(uint32_t at, Visit visit) const;
  /// The parameters in the body of `fusion` for operand `id`.
  void visitParameters(uint32_t fusion, int64_t id, Visit visit) const;

  /// The only caller of a computation, or kNone: the operands of a fusion are
  /// the parameters of its computation.
  uint32_t getCaller(uint32_t computation) const;
  /// Index of the computation with number `id`, or kNone.
  uint32_t findComputation(int64_t id) const;
  uint32_t findRoot(int64_t computation) const;
  bool isRoot(uint32_t at) const;
  bool isFusion(uint32_t at) const {
    return module.instructions[at].opcode == "fusion";
  }

  const profile::HloModule &module;
  const profile::HloIndex &index;
  // Any number can be an id, also those that llvm::DenseMap reserves.
  std::map<int64_t, uint32_t> computations;
  std::vector<llvm::SmallVector<uint32_t, 1>> callers;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOWALK_H
