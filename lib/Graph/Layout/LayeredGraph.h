//===- LayeredGraph.h - Boxes in layers -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_LAYOUT_LAYEREDGRAPH_H
#define MLIR_PROF_LIB_GRAPH_LAYOUT_LAYEREDGRAPH_H

#include "mlir-prof/Graph/Graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::graph {

/// The kind of a vertex in a layer.
enum class VertexKind : uint8_t {
  /// A box: a node, or a frame laid out before.
  Item,
  /// The point where a line passes through the layer.
  Bend,
};

struct Vertex {
  VertexKind kind = VertexKind::Bend;
  uint32_t layer = 0;
  /// Order within the layer, from the left.
  uint32_t order = 0;
  double width = 0;
  /// Center.
  double x = 0;
};

/// A segment of a line from a vertex to one in the next layer. Offsets are the
/// attachment points, relative to the vertices' centers.
struct Link {
  uint32_t upper = 0;
  uint32_t lower = 0;
  double upperOffset = 0;
  double lowerOffset = 0;
};

/// A bend that should be close to a vertex of the same layer.
struct Attachment {
  uint32_t vertex = 0;
  uint32_t bend = 0;
};

/// A graph whose edges all lead from one layer to the next (Sugiyama's proper
/// layered graph).
struct LayeredGraph {
  std::vector<Vertex> vertices;
  std::vector<Link> links;
  /// Vertices of each layer from the left; Vertex::order is the inverse.
  std::vector<std::vector<uint32_t>> layers;
  /// Bends next to a vertex of their own layer: ends of lines that go up.
  std::vector<Attachment> attachments;
  /// For each vertex, the straight link to the vertex above it, or kNoLink
  /// (alignVertices).
  std::vector<uint32_t> straight;
  static constexpr uint32_t kNoLink = ~uint32_t(0);

  /// Builds the lists of links at each vertex; call it after the links changed.
  void indexLinks();
  llvm::ArrayRef<uint32_t> linksAbove(uint32_t vertex) const {
    return slice(above, aboveBegin, vertex);
  }
  llvm::ArrayRef<uint32_t> linksBelow(uint32_t vertex) const {
    return slice(below, belowBegin, vertex);
  }
  /// Writes Vertex::order from `layers`.
  void numberLayer(uint32_t layer);

private:
  static llvm::ArrayRef<uint32_t> slice(const std::vector<uint32_t> &list,
                                        const std::vector<uint32_t> &begin,
                                        uint32_t index) {
    return llvm::ArrayRef<uint32_t>(list).slice(begin[index], begin[index + 1] -
                                                                  begin[index]);
  }
  std::vector<uint32_t> above, aboveBegin, below, belowBegin;
};

/// Layer of each item: the longest path to it, except that sources are directly
/// above their first user, and a layer wider than `maxWidth` is spread over
/// several. Every edge not in `ignored` goes down.
struct Layering {
  std::vector<uint32_t> layerOf;
  uint32_t layers = 0;
};
Layering assignLayers(llvm::ArrayRef<double> widths, llvm::ArrayRef<Edge> edges,
                      double maxWidth);

/// Orders the layers so that few links cross: barycenter sweeps, kept if they
/// help, then exchanges of neighbors. Stops after a fixed amount of work.
/// Returns the remaining crossings.
uint64_t reduceCrossings(LayeredGraph &graph);

/// Pairs of links that cross. O(links log links).
uint64_t countCrossings(const LayeredGraph &graph);

/// Chooses the links that become vertical, at most one above and one below each
/// vertex: those on the longest paths through the graph first, so that a chain
/// of boxes is vertical regardless of links from the side. They do not cross.
/// After Brandes and Koepf (2001), who choose links by medians.
void alignVertices(LayeredGraph &graph);

/// Sets Vertex::x: vertices joined by straight links get one position, each
/// such column is close to the columns linked to it, and neighbors keep their
/// distance. The leftmost edge is at 0. Returns the width.
double placeVertices(LayeredGraph &graph);

/// Minimum distance of the edges of two neighbors in a layer.
double gapBetween(const Vertex &left, const Vertex &right);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_LAYOUT_LAYEREDGRAPH_H
