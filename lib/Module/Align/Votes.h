//===- Votes.h - Pairs that neighbors agree on ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_VOTES_H
#define MLIR_PROF_LIB_MODULE_ALIGN_VOTES_H

#include "llvm/ADT/MapVector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mlirprof::module::align {

/// Evidence for pairs of nodes, added up.
class Votes {
public:
  /// Counts `votes` for the pair of `from` and `to`, unless that is kNone.
  void add(uint32_t from, uint32_t to, uint32_t votes);

  /// The pairs with at least `least` votes, and more than `ratio` times as many
  /// as any other pair of either node: no node is in two.
  std::vector<std::pair<uint32_t, uint32_t>> elect(uint32_t least,
                                                   uint32_t ratio) const;

private:
  llvm::MapVector<std::pair<uint32_t, uint32_t>, uint32_t> pairs;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_VOTES_H
