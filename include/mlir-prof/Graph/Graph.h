//===- Graph.h - The graph model for layout and drawing ---------*- C++ -*-===//
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

/// The source of a graph's nodes and edges.
enum class GraphKind : uint8_t {
  /// Not specified; treated as a dependence graph.
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
/// None if there is no kind of that name.
std::optional<GraphKind> parseGraphKind(llvm::StringRef name);
/// Whether edges represent times rather than dependences, so that there is no
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
  /// Second line of the box, may be empty. Drawings append the time.
  std::string detail;
  /// Long text shown on hovering; may have several lines.
  std::string tooltip;
  int64_t beginPs = 0;
  /// The time that determines its color (total time: sole + estimated).
  int64_t durationPs = 0;
  /// The part of durationPs that is the node's share of time measured only for
  /// a group of nodes that ran as one.
  int64_t estimatedPs = 0;
  /// The part of durationPs that was measured for all instances of the op
  /// together (see instanceOf) and split among them.
  int64_t splitPs = 0;
  /// If the op has a node for each place where its function is called: the id
  /// of the first of them. Else kNoNode.
  uint32_t instanceOf = kNoNode;
  /// Number of places where the op runs that this node represents; 0 if they
  /// cannot be counted.
  uint32_t places = 1;
  /// False for nodes without a measurement, which are drawn gray.
  bool measured = false;
  /// Shown only because of its time (a constant, an allocation, a terminator):
  /// similar parts of a graph need not all have it.
  bool incidental = false;
  /// On the critical path (markCriticalPath).
  bool critical = false;
  uint32_t cluster = kNoCluster;
  /// For a function in a call graph: how often it was called along its path,
  /// and its time including its callees (durationPs excludes them). Else 0.
  uint64_t calls = 0;
  int64_t inclusivePs = 0;
  /// Number of nodes that this box represents, if it was created by collapsing
  /// (see Collapse.h); else 0.
  uint32_t hidden = 0;
  /// Number of nodes, each in another repeat of the same part of the graph,
  /// that this node represents (see Repeats.h); else 0.
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
  /// Drawings show this node as the title bar of the frame. The node itself
  /// belongs to `parent`; at most one cluster may name it.
  uint32_t owner = kNoNode;
  /// Whether one thread runs the content in order, regardless of the edges: the
  /// body of a loop over scalars, the blocks of a function.
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
