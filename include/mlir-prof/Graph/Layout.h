//===- Layout.h - Positions of boxes and lines ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_LAYOUT_H
#define MLIR_PROF_GRAPH_LAYOUT_H

#include "mlir-prof/Graph/Graph.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlirprof::graph {

struct Point {
  double x = 0;
  double y = 0;
};

/// In pixels, y downward.
struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

/// A segment of a line from the end of the previous one: straight, or a cubic
/// curve.
struct Segment {
  enum class Kind : uint8_t { Straight, Curve } kind = Kind::Straight;
  Point control1;
  Point control2;
  Point to;
};

/// A line within one cluster, for the result of `source`: from its box or from
/// the frame's top to a box or to the frame's bottom.
struct Wire {
  uint32_t source = kNoNode;
  /// The node it leads to, or kNoNode if it only continues into another frame.
  uint32_t target = kNoNode;
  /// The number of clusters if it is outside of all.
  uint32_t cluster = 0;
  /// Follows an edge between consecutive nodes of the critical path.
  bool critical = false;
  Point start;
  std::vector<Segment> segments;
};

struct Layout {
  /// One for each node; for a node that owns a cluster, its frame's title bar.
  std::vector<Box> nodes;
  /// One for each cluster; empty for a cluster without content.
  std::vector<Box> clusters;
  std::vector<Wire> wires;
  double width = 0;
  double height = 0;
  /// Pairs of lines that cross.
  uint64_t crossings = 0;
  /// Edges that are not drawn because the picture would need too many bends.
  uint64_t undrawnEdges = 0;
};

/// Sizes required by the text.
struct LayoutSizes {
  /// One for each node.
  std::vector<Box> nodes;
  /// Title bar of each cluster.
  std::vector<Box> titles;
};

/// Lays a graph out in layers, each cluster separately, from the innermost
/// outward: boxes and frames of one cluster never overlap, edges go down unless
/// they close a cycle, and lines pass between the boxes. Clusters may be nested
/// at most kMaxDrawnDepth deep; deeper ones are dissolved.
Layout layOut(const Graph &graph, const LayoutSizes &sizes);

inline constexpr uint32_t kMaxDrawnDepth = 16;

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_LAYOUT_H
