//===- RepeatFolder.h - Folding of repeats ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_REPEATS_REPEATFOLDER_H
#define MLIR_PROF_LIB_GRAPH_REPEATS_REPEATFOLDER_H

#include "Repeats.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Layout.h"

namespace mlirprof::graph {

/// A member of a cluster: a node, or the number of nodes + cluster.
using Place = uint32_t;

/// `repeats` times `period` members of a cluster, from `begin` on.
struct Stretch {
  size_t begin = 0;
  size_t period = 0;
  size_t repeats = 0;

  size_t saved() const { return period * (repeats - 1); }
};

/// An edge between members of one cluster.
struct MemberEdge {
  uint32_t cluster;
  Place from, to;
};

/// Implements foldRepeats(). Repeats.cpp finds repeats and their counterparts,
/// RepeatWriter.cpp builds the graph.
class RepeatFolder {
public:
  explicit RepeatFolder(const Graph &graph)
      : graph(graph), tree(graph, kMaxDrawnDepth),
        nodeCount(uint32_t(graph.nodes.size())), root(tree.getRoot()) {}

  CollapsedGraph run();

private:
  static constexpr size_t kLeastRepeats = 3, kLeastFolded = 8;

  struct Fold {
    uint32_t cluster;
    std::string name;
    /// The repeated place, if the period is a single cluster with its own name:
    /// then it becomes the fold's cluster; else kNoNode.
    Place only = kNoNode;
    uint32_t newCluster = kNoCluster;
  };

  void findKeys();
  void findSatellites();
  void findMembers();
  void findEdges();
  void signNodes();
  void signClusters();
  void foldCluster(uint32_t cluster);
  std::vector<Stretch> findStretches(llvm::ArrayRef<Place> members) const;
  Stretch longestChain(llvm::ArrayRef<Place> members,
                       const Stretch &stretch) const;
  void fold(uint32_t cluster, llvm::ArrayRef<Place> members,
            const Stretch &stretch);
  bool isAlike(Place a, Place b) const;
  void stand(Place first, Place other);
  Place firstOf(Place place) const {
    while (standsFor[place] != place)
      place = standsFor[place];
    return place;
  }
  void standSatellites();
  uint32_t newClusterOf(uint32_t node) const;
  std::string getName(llvm::ArrayRef<Place> members,
                      const Stretch &stretch) const;
  void writeClusters();
  void writeNodes();
  void writeEdges();

  bool isCluster(Place place) const { return place >= nodeCount; }
  llvm::ArrayRef<Place> membersOf(uint32_t cluster) const {
    return members[cluster];
  }
  /// The name of a place, without trailing numbers.
  llvm::StringRef nameOf(Place place) const;

  const Graph &graph;
  ClusterTree tree;
  uint32_t nodeCount, root;
  /// By place: its topological position, its number of nodes, and the signature
  /// that its counterparts must share.
  std::vector<uint64_t> keys, sizes, signatures;
  std::vector<std::vector<Place>> members;
  /// Sorted by cluster, then by the target member.
  std::vector<MemberEdge> edges;
  /// Index of each place among the members of its cluster.
  std::vector<uint32_t> indexOf;
  /// For a node of a kind without inputs, the first place in its cluster that
  /// uses it, or its cluster if nothing does; else kNoNode. Such nodes, and
  /// incidental ones, need not exist in all repeats.
  std::vector<Place> anchors;
  /// The counterpart of each place in an earlier repeat, or the place itself.
  std::vector<Place> standsFor;
  std::vector<bool> isDropped;
  std::vector<Fold> folds;
  /// The fold that contains each place of a first repeat, or kNoCluster.
  std::vector<uint32_t> foldOf;
  uint64_t foldedNodes = 0;
  CollapsedGraph result;
  std::vector<uint32_t> newCluster;
};

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_REPEATS_REPEATFOLDER_H
