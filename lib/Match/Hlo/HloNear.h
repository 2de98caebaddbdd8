//===- HloNear.h - Surroundings of products ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLONEAR_H
#define MLIR_PROF_LIB_MATCH_HLO_HLONEAR_H

#include "HloPairing.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlirprof::match {

/// Finds items between products by those before and after them.
class HloNear {
public:
  /// Narrows what pairProducts found by the surroundings of each product; what
  /// loses all its ops becomes contested. `pairing` must outlive it.
  explicit HloNear(HloPairing &pairing);

  /// Whether the tables stay within a bound.
  static bool isSmall(const HloPairing &pairing);
  /// The possible ops of an instruction at a place whose name has the label.
  OwnerCandidates findBetween(uint32_t place, uint32_t label) const;
  /// The number of directions in which all products next to a place are found.
  unsigned countKnownSides(uint32_t place) const;
  /// Whether two places have the same products next to them.
  bool areBetweenTheSame(uint32_t place, uint32_t other) const {
    return hloMarks.before[place] == hloMarks.before[other] &&
           hloMarks.behind[place] == hloMarks.behind[other];
  }

private:
  using Found = HloPairing::Found;
  /// The possible products near an instruction, in one direction.
  struct Near {
    /// One per product that is found.
    llvm::SmallVector<const Found *> sets;
    /// Products that certainly differ from these.
    llvm::BitVector others;
    /// Whether there are any, and whether one of them may belong to an op that
    /// another may be.
    bool isAny = false, isContested = false;
  };
  Near getNear(const llvm::BitVector &marks) const;
  /// Whether each set has one of `marks`.
  static bool agree(const Near &near, const llvm::BitVector &marks) {
    return llvm::all_of(near.sets, [&](const Found *set) {
      return llvm::any_of(*set, [&](uint32_t r) { return marks.test(r); });
    });
  }
  void findMarks();
  void dropContradicted();
  void findRepeated();
  bool onlyMoves(uint32_t item) const;
  std::optional<OwnerCandidates> findAtProduct(uint32_t place,
                                               uint32_t label) const;

  HloPairing &pairing;
  NearestMarks hloMarks;
  /// Products of the module with only one possible recorded one.
  llvm::BitVector certain;
  NearestMarks opMarks;
  /// The same without passing through products.
  NearestMarks strictMarks;
  /// By op: the product that it is, as position in `products`.
  llvm::DenseMap<uint32_t, uint32_t> productOf;
  /// By label: whether it has ops or instructions between different products.
  llvm::BitVector repeated;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLONEAR_H
