//===- Forest.h - Parents of scopes -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_FOREST_H
#define MLIR_PROF_LIB_SCOPE_FOREST_H

#include "Blocks.h"

namespace mlirprof::scope {

enum class NodeKind : uint8_t {
  Scope,
  /// A scope that another thread ended: its end is in a record there.
  Mark,
  /// A context, which stands for a scope elsewhere.
  Link,
};

/// A scope, a part of one, or a context, in ticks.
struct Node {
  NodeKind kind = NodeKind::Scope;
  uint32_t site = 0;
  uint32_t thread = 0;
  uint32_t parent = kNoScope;
  uint64_t begin = 0;
  uint64_t end = 0;
  /// By which others refer to it, or 0; of a context, that of its scope.
  uint32_t number = 0;
  /// prof_scope_flags.
  uint32_t flags = 0;
  bool isOpen = false;
  /// Whether begin, end and site are known; always but for marks whose other
  /// half is missing, and contexts.
  bool isKnown = true;
  bool isOutside = false;
  bool isSelfBound = false;
  /// Whether `parent` was found through a context.
  bool isLinked = false;
  /// Then the scope of the thread around it, whose time it takes, or kNoScope.
  uint32_t around = kNoScope;
};

/// An amount that the scope of a node has counted.
struct CountOfNode {
  uint32_t node = 0;
  uint32_t kind = 0;
  uint64_t amount = 0;
};

/// Work that a scope gave to a device.
struct Launch {
  uint32_t device = 0;
  uint64_t correlation = 0;
  /// That of the scope.
  uint32_t number = 0;
};

/// Records that stand next to those of scopes.
struct Extras {
  /// In the order of nodes.
  std::vector<CountOfNode> counts;
  std::vector<Launch> launches;
};

/// All nodes of all host threads, in the order of ends within a thread, with
/// the parents that were open on the same thread, or that contexts tell.
/// Parents come before or after. `endTicks` is the end of the recording.
std::vector<Node> buildForest(const Blocks &blocks, uint64_t endTicks,
                              LossList &losses, Extras &extras);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_FOREST_H
