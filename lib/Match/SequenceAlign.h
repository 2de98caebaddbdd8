//===- SequenceAlign.h - Two sequences, side by side ------------*- C++ -*-===//
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

/// What else an element may stand beside without loss.
struct EquallyGood {
  /// The right elements of all the best ways, ascending, the chosen one too; of
  /// very many only the first.
  static constexpr size_t kMost = 64;
  llvm::SmallVector<uint32_t, 1> right;
  /// Whether one of the best ways leaves it alone.
  bool mayBeNone = false;
  /// Whether there are more than kMost.
  bool isCut = false;
};

/// Puts `left` elements beside `right` elements without crossing, so that the
/// sum of `score(l, r)` is largest; pairs with score 0 are none. Returns the
/// right element of each left one, or kNone. Sequences that differ in so much
/// that the best would cost too much are put side by side greedily.
/// `equallyGood` gets an element for each left one, and is that of the pairs
/// alone for what was put side by side greedily; `isSpare` gets one for each
/// right one, whether one of the best ways leaves it alone.
std::vector<uint32_t>
align(uint32_t left, uint32_t right,
      llvm::function_ref<uint32_t(uint32_t l, uint32_t r)> score,
      std::vector<EquallyGood> *equallyGood = nullptr,
      llvm::BitVector *isSpare = nullptr);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_SEQUENCEALIGN_H
