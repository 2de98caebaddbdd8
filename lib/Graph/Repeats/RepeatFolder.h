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

/// A member of a cluster: a node, or number of nodes + cluster.
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

/// Does what foldRepeats() says. Repeats.cpp finds what repeats and what stands
/// for what, RepeatWriter.cpp makes the graph.
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
    /// The place that is repeated, when it is a cluster that has a name of its
    /// own only: then it is the fold's cluster; else kNoNode.
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
  /// The name of a place, without numbers at its end.
  llvm::StringRef nameOf(Place place) const;

  const Graph &graph;
  ClusterTree tree;
  uint32_t nodeCount, root;
  /// By place: where it stands in topological order, its content in nodes, and
  /// what it has to share with its counterparts.
  std::vector<uint64_t> keys, sizes, signatures;
  std::vector<std::vector<Place>> members;
  /// By cluster, then by the member that they lead to.
  std::vector<MemberEdge> edges;
  /// Index of each place among the members of its cluster.
  std::vector<uint32_t> indexOf;
  /// Of a node of a kind that needs nothing the first place of its cluster that
  /// needs it, or its cluster when nothing does; else kNoNode. Such nodes, and
  /// incidental ones, need not be there in all repeats.
  std::vector<Place> anchors;
  /// The counterpart of each place in an earlier repeat, or itself.
  std::vector<Place> standsFor;
  std::vector<bool> isDropped;
  std::vector<Fold> folds;
  /// The fold that each place of a first repeat is in, or kNoCluster.
  std::vector<uint32_t> foldOf;
  uint64_t foldedNodes = 0;
  CollapsedGraph result;
  std::vector<uint32_t> newCluster;
};

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_REPEATS_REPEATFOLDER_H
