//===- DecisionTable.h - Decisions by key and by hash -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONTABLE_H
#define MLIR_PROF_TUNING_DECISIONTABLE_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <vector>

namespace mlirprof::tuning {

/// The hash of a signature by which decisions are looked up.
enum class SignatureHash : uint8_t { Exact, ShapeErased, Neighborhood };

/// One decision for each key, with an index by each hash of the signature.
class DecisionTable {
public:
  DecisionTable() = default;
  // The indices point to nodes of a map, which do not move.
  DecisionTable(DecisionTable &&) = default;
  DecisionTable &operator=(DecisionTable &&) = default;

  /// Sets the decision of a key. It counts as the newest of its key, even if
  /// the clock was set back.
  void set(Decision decision);
  /// Adds a decision unless there is a newer one with its key; returns whether
  /// it was added. The order of calls does not matter.
  bool merge(const Decision &decision);
  /// The number of keys of `other` that this table lacks.
  size_t countNew(const DecisionTable &other) const;

  /// Whether there is a decision with `key`.
  bool contains(const DecisionKey &key) const { return decisions.count(key); }
  /// Decisions whose signature has `hash`; none if that is empty.
  llvm::ArrayRef<const Decision *> find(SignatureHash which,
                                        llvm::StringRef hash) const;

  size_t size() const { return decisions.size(); }
  const std::map<DecisionKey, Decision> &get() const { return decisions; }

private:
  using Index = llvm::StringMap<std::vector<const Decision *>>;

  const Index &getIndex(SignatureHash which) const;

  std::map<DecisionKey, Decision> decisions;
  Index byExact, byShapeErased, byNeighborhood;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONTABLE_H
