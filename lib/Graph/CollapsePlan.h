//===- CollapsePlan.h - Choosing the nodes that a picture shows -*- C++ -*-===//
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

/// Assigns the nodes of a graph to single boxes and group boxes.
struct CollapsePlan {
  /// The nodes that become one box.
  struct Group {
    /// The open cluster that contains the box, or the root.
    uint32_t cluster = 0;
    std::vector<uint32_t> nodes;
    /// The cluster that the box represents, or kNoCluster.
    uint32_t region = kNoCluster;
    /// The box is a single node rather than a group.
    bool isNode = false;
  };

  /// Clusters that are drawn as frames; the root is last.
  std::vector<bool> isOpen;
  /// All nodes, each in one group, in the order of the picture.
  std::vector<Group> groups;
};

CollapsePlan planCollapse(const Graph &graph, const ClusterTree &tree,
                          const DrawOptions &options);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_COLLAPSEPLAN_H
