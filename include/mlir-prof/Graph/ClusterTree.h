//===- ClusterTree.h - The nesting of clusters ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_CLUSTERTREE_H
#define MLIR_PROF_GRAPH_CLUSTERTREE_H

#include "mlir-prof/Graph/Graph.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::graph {

/// The clusters of a graph as a tree. The graph itself is one more cluster, the
/// root, whose index is the number of clusters. Invalid references in the graph
/// are treated as missing.
class ClusterTree {
public:
  /// Clusters nested deeper than `maxDepth` are dissolved: their content counts
  /// as their parent's, and they remain as empty leaves.
  explicit ClusterTree(const Graph &graph, uint32_t maxDepth = kAnyDepth);

  static constexpr uint32_t kAnyDepth = ~uint32_t(0);

  uint32_t getRoot() const { return root; }
  uint32_t parentOf(uint32_t cluster) const { return parents[cluster]; }
  /// 0 for the root.
  uint32_t depthOf(uint32_t cluster) const { return depths[cluster]; }
  /// The node whose body the cluster is, or kNoNode.
  uint32_t ownerOf(uint32_t cluster) const { return owners[cluster]; }
  /// The cluster whose owner the node is, or kNoCluster.
  uint32_t bodyOf(uint32_t node) const { return bodies[node]; }
  /// The cluster that directly contains the node. An owner is not in its body.
  uint32_t clusterOf(uint32_t node) const { return homes[node]; }

  /// Nodes directly in a cluster, without those that own one.
  llvm::ArrayRef<uint32_t> nodesOf(uint32_t cluster) const {
    return slice(nodes, nodeBegin, cluster);
  }
  /// Clusters directly in a cluster.
  llvm::ArrayRef<uint32_t> childrenOf(uint32_t cluster) const {
    return slice(children, childBegin, cluster);
  }
  /// Number of clusters dissolved because of their depth.
  uint32_t getDissolved() const { return dissolved; }

private:
  void readParents(const Graph &graph, uint32_t maxDepth);
  void readOwners(const Graph &graph);
  void readMembers(const Graph &graph);

  static llvm::ArrayRef<uint32_t> slice(const std::vector<uint32_t> &list,
                                        const std::vector<uint32_t> &begin,
                                        uint32_t index) {
    return llvm::ArrayRef<uint32_t>(list).slice(begin[index], begin[index + 1] -
                                                                  begin[index]);
  }

  uint32_t root;
  uint32_t dissolved = 0;
  std::vector<uint32_t> parents, depths, owners;
  /// The cluster to which the content of a cluster belongs: itself unless it
  /// was dissolved.
  std::vector<uint32_t> stands;
  std::vector<uint32_t> bodies, homes;
  std::vector<uint32_t> nodes, nodeBegin, children, childBegin;
};

/// Groups indices: `begin` receives the bounds of each of `groups` groups in
/// `list`, which contains the indices of `groupOf` in order (a value of
/// `groups` or more leaves the index out).
void groupIndices(llvm::ArrayRef<uint32_t> groupOf, uint32_t groups,
                  std::vector<uint32_t> &begin, std::vector<uint32_t> &list);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CLUSTERTREE_H
