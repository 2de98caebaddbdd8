//===- Pointers.h - Candidates by structure ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_POINTERS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_POINTERS_H

#include "Colors.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::module::align {

/// Factor by which more nodes must hang together to be better evidence.
inline constexpr uint32_t kClearly = 2;

/// Nodes of the other module that may be the counterpart of a node.
using Targets = llvm::SmallVector<uint32_t, 1>;

/// The targets of the nodes of one module in the other one.
struct Pointers {
  explicit Pointers(size_t size = 0)
      : up(size), down(size), both(size), ofUp(size), ofDown(size),
        isUpReal(size), isDownReal(size), isUpDoubtful(size),
        isDownDoubtful(size) {}

  /// By node, the nodes that are alike in everything above them, in everything
  /// below them, and in both.
  std::vector<Targets> up, down, both;
  /// Number of nodes with targets that hang together with the node, above and
  /// below: a whole layer is stronger evidence than one op that looks like
  /// another.
  std::vector<uint32_t> ofUp, ofDown;
  /// Whether some of these only have targets in this direction: it is right for
  /// them, however few they are.
  std::vector<bool> isUpReal, isDownReal;
  /// Whether the nodes above or below the node may as well belong to other
  /// nodes: it is tied, or does not have more evidence than a tied one.
  std::vector<bool> isUpDoubtful, isDownDoubtful;

  /// Whether the two directions point to different nodes.
  bool isTied(uint32_t node) const {
    return !up[node].empty() && !down[node].empty() && both[node].empty();
  }
  /// Whether one direction wins if they point to different nodes, with its
  /// evidence multiplied by `factor`.
  bool isUpBetter(uint32_t node, uint64_t factor = 1) const {
    return !isDownReal[node] &&
           ofUp[node] * factor > uint64_t(ofDown[node]) * kClearly;
  }
  bool isDownBetter(uint32_t node, uint64_t factor = 1) const {
    return !isUpReal[node] &&
           ofDown[node] * factor > uint64_t(ofUp[node]) * kClearly;
  }
  bool isOpenTie(uint32_t node) const {
    return isTied(node) && !isUpBetter(node) && !isDownBetter(node);
  }
  /// Whether the only direction that distinguishes the node is in doubt.
  bool isInDoubt(uint32_t node) const {
    return (up[node].size() != 1 && isDownDoubtful[node]) ||
           (down[node].size() != 1 && isUpDoubtful[node]);
  }
};

/// The targets of the nodes of both modules, each in the other one.
struct BothPointers {
  Pointers ofBefore, ofAfter;
};

/// Colors of the open nodes of both modules; 0 is not a color.
struct PointerColors {
  Colors before, after;
};

/// Finds the targets of the nodes of each side. `isContrary` says that a node
/// before and one after are different.
BothPointers
findPointers(const Features &before, const Features &after,
             const PointerColors &up, const PointerColors &down,
             llvm::function_ref<bool(uint32_t, uint32_t)> isContrary);

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_POINTERS_H
