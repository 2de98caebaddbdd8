//===- HloPairing.h - Pairs of recorded products and ops --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of an alignment of a program with a changed module, and what its
// steps ask of it. HloSteps.h has the steps, HloAlign.cpp their order.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOPAIRING_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOPAIRING_H

#include "../ScopeNames.h"
#include "DataGraph.h"
#include "HloProducts.h"
#include "HloWalk.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace mlirprof::match {

/// The matrix products and convolutions of a program and of the matched module,
/// each in the order in which results need them, and which are which.
struct HloPairing {
  using Found = llvm::SmallVector<uint32_t, 2>;

  /// All arguments must outlive it.
  HloPairing(const module::ModuleIndex &index, PathResolver &resolver,
             const ModuleData &data, HloProgram &program)
      : index(index), program(program), walk(program.module, program.index),
        ops(data.graph), resolver(resolver), names(data.names) {}

  int64_t countNameless() const;
  /// The number of parts of a recorded name in an op's own name, or 0.
  size_t countKnownParts(const ScopeName &name) const;
  const OwnerCandidates &resolve(llvm::StringRef name) {
    return resolver.resolve(name, PathStyle::Xla, PathScope::FullThenOwn);
  }
  OwnerCandidate makeCandidate(uint32_t op) const {
    return {op, index.getLocation(op).frame};
  }

  uint32_t addLabel(const ScopeName &name, size_t count) {
    return labels.try_emplace(numbers.getLabel(name, count), labels.size())
        .first->second;
  }
  /// The labels of an instruction's names; for a product that is named after an
  /// op folded into it (`opcode`), those of the product.
  llvm::SmallVector<uint32_t, 2> getLabels(llvm::StringRef name,
                                           llvm::StringRef opcode);
  /// Whether the label is of products only, and of some.
  bool isOfProducts(uint32_t label) const;

  const module::ModuleIndex &index;
  HloProgram &program;
  HloWalk walk;
  /// The graph of the module.
  const DataGraph &ops;

  // collectProducts fills these.

  /// The graph of the program.
  DataGraph hlo;
  std::vector<HloProduct> recorded, products;
  /// Ops whose products were recorded under the names of their transposes.
  llvm::BitVector folded;

  // addLabels fills these.

  /// Names without the numbers of places, and the ops that have them.
  llvm::StringMap<uint32_t> labels;
  std::vector<std::vector<uint32_t>> byLabel;
  std::vector<llvm::SmallVector<uint32_t, 1>> labelsOf;
  ScopeNumbers numbers;

  // pairProducts fills these.

  /// By recorded product: positions in `products`, ascending.
  std::vector<Found> found;
  /// By recorded product: whether others fit the same ops, so that it may not
  /// have one.
  llvm::BitVector contested;
  /// Products of the module that may remain without a recorded one.
  llvm::BitVector spare;

private:
  PathResolver &resolver;
  const llvm::StringSet<> &names;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOPAIRING_H
