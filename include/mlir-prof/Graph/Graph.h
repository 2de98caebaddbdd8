//===- Graph.h - The graph that is laid out and drawn -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_GRAPH_H
#define MLIR_PROF_GRAPH_GRAPH_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::graph {

inline constexpr uint32_t kNoCluster = ~uint32_t(0);
inline constexpr uint32_t kNoNode = ~uint32_t(0);

/// Where the boxes and lines of a graph come from.
enum class GraphKind : uint8_t {
  /// Not said; taken as a graph of dependence.
  Unknown,
  /// Ops of a module.
  Dataflow,
  /// Instructions of an HLO module.
  Hlo,
  /// Events by overlap in time.
  Overlap,
  /// Events by nesting in time.
  Calls,
};

/// "dataflow", "hlo", "overlap", "calls"; empty for Unknown.
llvm::StringRef toString(GraphKind kind);
/// None when there is none of that name.
std::optional<GraphKind> parseGraphKind(llvm::StringRef name);
/// Whether lines tell of times and not of dependence, so that there is no
/// critical path.
inline bool isOfEvents(GraphKind kind) {
  return kind == GraphKind::Overlap || kind == GraphKind::Calls;
}

/// One box. Times are picoseconds.
struct Node {
  /// Number for other programs; unique in the graph.
  uint32_t id = 0;
  /// Short text in the box ("stablehlo.add").
  std::string name;
  /// Second line of the box, may be empty. Drawings add the time to it.
  std::string detail;
  /// Long text that appears on pointing at it, may have several lines.
  std::string tooltip;
  int64_t beginPs = 0;
  /// What colors it (total time: sole + estimated).
  int64_t durationPs = 0;
  /// Part of durationPs that is the node's share of what ran as one with other
  /// nodes; measured of all together only.
  int64_t estimatedPs = 0;
  /// Part of durationPs that was measured of all instances of the op together
  /// (see instanceOf) and split among them.
  int64_t splitPs = 0;
  /// Of an op that has a node for each place where its function is called: the
  /// id of the first of them. Else kNoNode.
  uint32_t instanceOf = kNoNode;
  /// Places where the op runs that this one node stands for; 0 when they cannot
  /// be counted.
  uint32_t places = 1;
  /// False for nodes without any measurement, which are drawn gray.
  bool measured = false;
  /// Shown only for the time that it has (a constant, an allocation, a
  /// terminator): parts of a graph that are alike need not all have it.
  bool incidental = false;
  /// On the critical path (markCriticalPath).
  bool critical = false;
  uint32_t cluster = kNoCluster;
  /// Of a function in a graph of calls: how often it was called along its path,
  /// and its time with that of what it called (durationPs is without). Else 0.
  uint64_t calls = 0;
  int64_t inclusivePs = 0;
  /// Nodes that this box stands for, when it was made by collapsing (see
  /// Collapse.h); 0 for a node of its own.
  uint32_t hidden = 0;
  /// Nodes, each of another repeat of the same part of the graph, that this one
  /// stands for (see Repeats.h); 0 for a node of its own.
  uint32_t repeats = 0;
};

/// An edge between positions in Graph::nodes.
struct Edge {
  uint32_t from = 0;
  uint32_t to = 0;
};

/// A function, region or scope.
struct Cluster {
  std::string name;
  uint32_t parent = kNoCluster;
  /// Position of the node whose body this is (a fusion, a loop), or kNoNode.
  /// Drawings show that node as the title bar of the frame. The node itself
  /// belongs to `parent`; at most one cluster may name it.
  uint32_t owner = kNoNode;
  /// Whether one thread runs what is inside in order, whatever the edges say:
  /// the body of a loop over scalars, the blocks of a function.
  bool runsInOrder = false;
};

struct Graph {
  GraphKind kind = GraphKind::Unknown;
  std::string name;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  /// A parent comes before its children.
  std::vector<Cluster> clusters;
};

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_GRAPH_H
