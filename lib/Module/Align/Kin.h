//===- Kin.h - Weights to which ops belong ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers that look alike differ in their weights. An op without own weights
// belongs to the layer with the nearest ones: those of the ops whose results
// only it uses, and those of the ops in which all its results end. An op that
// several layers use, such as the sum between two, belongs to neither of these.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_KIN_H
#define MLIR_PROF_LIB_MODULE_ALIGN_KIN_H

#include "Colors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlirprof::module::align {

/// The relation of two nodes by their kin.
enum class Kinship : uint8_t {
  /// The kin of one of them is unknown.
  Unknown,
  /// They have the same values.
  Same,
  /// They have the same values on one side but not on the other, or other
  /// values above them and none below.
  Mixed,
  /// The values of one belong to another op.
  Other,
};

/// The kin of the nodes of one module.
class Kin {
public:
  /// `features` must outlive it.
  explicit Kin(const Features &features);

  /// The relation of `mine` of this module and `theirs` of `other`.
  Kinship compare(uint32_t mine, const Kin &other, uint32_t theirs) const;

  /// If `mine` stands between two layers, it may end the first or begin the
  /// second: the ops of `other` that look like it and have the values above it,
  /// and those that have the values below it. Empty if there are not both, or
  /// if an op has both values. Only ops that are open count; one may occur
  /// twice.
  std::vector<uint32_t> findBetween(uint32_t mine, const Kin &other,
                                    const std::vector<bool> &isOpen) const;

private:
  using Nodes = llvm::DenseMap<Hash, llvm::SmallVector<uint32_t, 2>>;
  using Values = llvm::SmallVector<Hash, 1>;
  void lookAbove(const Features &features, const Colors &values);
  void lookBelow(const Features &features, const Colors &values);
  Kinship compare(const Values &mine, const Kin &other,
                  const Values &theirs) const;

  /// By node, ascending: the nearest values above it, and below it.
  std::vector<Values> above, below;
  /// Nodes with their own values, which are all of those above them.
  std::vector<bool> isDirect;
  /// Nodes with some values below them, of one layer or of many.
  std::vector<bool> leadsToValues;
  /// By node: how it looks.
  const Colors &labels;
  /// Nodes by how they look and a value above or below them.
  Nodes byAbove, byBelow;
  /// All values of the module.
  llvm::DenseSet<Hash> all;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_KIN_H
