//===- CollapsePlan.h - What a picture shows --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_COLLAPSEPLAN_H
#define MLIR_PROF_LIB_GRAPH_COLLAPSEPLAN_H

#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Format.h"

namespace mlirprof::graph {

/// Which nodes a picture shows by themselves and which together.
struct CollapsePlan {
  /// What becomes one box.
  struct Group {
    /// The open cluster that the box is in, or the root.
    uint32_t cluster = 0;
    std::vector<uint32_t> nodes;
    /// The cluster that the box stands for, or kNoCluster.
    uint32_t region = kNoCluster;
    /// A node by itself, not a box that stands for one.
    bool isNode = false;
  };

  /// Clusters that are drawn as frames; the root is last.
  std::vector<bool> isOpen;
  /// All nodes, each in one group; in the order of the picture.
  std::vector<Group> groups;
};

CollapsePlan planCollapse(const Graph &graph, const ClusterTree &tree,
                          const DrawOptions &options);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_COLLAPSEPLAN_H
