//===- HloPairs.h - Pairing products ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOPAIRS_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOPAIRS_H

#include "HloProducts.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::match {

/// Pairs the products of a program with those of the module by their names,
/// their sizes, and their order along the data.
class HloPairs : public HloProducts {
public:
  using HloProducts::HloProducts;
  using Found = llvm::SmallVector<uint32_t, 2>;

  /// To be called once, after collect().
  void pairProducts() {
    addLabels();
    alignProducts();
  }
  /// The labels of an instruction's names; for a product that is named after an
  /// op folded into it (`opcode`), those of the product.
  llvm::SmallVector<uint32_t, 2> getLabels(llvm::StringRef name,
                                           llvm::StringRef opcode);

  /// Whether the label is of products only, and of some.
  bool isOfProducts(uint32_t label) const;

  /// Names without the numbers of places, and the ops that have them.
  llvm::StringMap<uint32_t> labels;
  std::vector<std::vector<uint32_t>> byLabel;
  std::vector<llvm::SmallVector<uint32_t, 1>> labelsOf;
  /// By recorded product: positions in `products`, ascending.
  std::vector<Found> found;
  /// By recorded product: whether others fit the same ops, so that it may not
  /// have one.
  llvm::BitVector contested;
  /// Products of the module that may remain without a recorded one.
  llvm::BitVector spare;

private:
  void addLabels();
  uint32_t addLabel(const ScopeName &name, size_t count) {
    return labels.try_emplace(numbers.getLabel(name, count), labels.size())
        .first->second;
  }
  void alignProducts();
  void findLone(std::vector<Found> &found);
  void addOtherSizes(std::vector<Found> &bySize);

  ScopeNumbers numbers;
  /// Products of the module that are found.
  llvm::BitVector taken;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOPAIRS_H
