//===- SequenceAlign.h - Aligning two sequences -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_SEQUENCEALIGN_H
#define MLIR_PROF_LIB_MATCH_SEQUENCEALIGN_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlirprof::match {

/// The other elements with which an element may be paired without loss.
struct EquallyGood {
  /// The right elements in all best alignments, ascending, including the chosen
  /// one; only the first ones of very many.
  static constexpr size_t kMost = 64;
  llvm::SmallVector<uint32_t, 1> right;
  /// Whether one of the best alignments leaves it alone.
  bool mayBeNone = false;
  /// Whether there are more than kMost.
  bool isCut = false;
};

/// Pairs `left` elements with `right` elements without crossing, maximizing the
/// sum of `score(l, r)`; elements with score 0 are not paired. Returns the
/// right element of each left one, or kNone. Sequences that differ so much that
/// the best alignment would cost too much are aligned greedily. `equallyGood`
/// gets an element for each left one, which for greedily aligned parts only has
/// the chosen pair; `isSpare` gets one for each right one, whether one of the
/// best alignments leaves it alone.
std::vector<uint32_t>
align(uint32_t left, uint32_t right,
      llvm::function_ref<uint32_t(uint32_t l, uint32_t r)> score,
      std::vector<EquallyGood> *equallyGood = nullptr,
      llvm::BitVector *isSpare = nullptr);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_SEQUENCEALIGN_H
