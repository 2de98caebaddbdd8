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

/// What stands at a place in a layer.
enum class VertexKind : uint8_t {
  /// A box: a node, or a frame that was laid out before.
  Item,
  /// Where a line passes through the layer.
  Bend,
};

struct Vertex {
  VertexKind kind = VertexKind::Bend;
  uint32_t layer = 0;
  /// Place within the layer, from the left.
  uint32_t order = 0;
  double width = 0;
  /// Center.
  double x = 0;
};

/// A piece of a line from a vertex to one in the next layer. Offsets are where
/// it meets them, from their centers.
struct Link {
  uint32_t upper = 0;
  uint32_t lower = 0;
  double upperOffset = 0;
  double lowerOffset = 0;
};

/// A bend that is to stand near a vertex of the same layer.
struct Attachment {
  uint32_t vertex = 0;
  uint32_t bend = 0;
};

/// A graph whose edges all go from one layer to the next (Sugiyama's proper
/// layered graph).
struct LayeredGraph {
  std::vector<Vertex> vertices;
  std::vector<Link> links;
  /// Vertices of each layer from the left; Vertex::order is the inverse.
  std::vector<std::vector<uint32_t>> layers;
  /// Bends that belong beside a vertex of their own layer: ends of the lines
  /// that go up.
  std::vector<Attachment> attachments;
  /// Of each vertex the link to the one right above it, or kNoLink
  /// (alignVertices).
  std::vector<uint32_t> straight;
  static constexpr uint32_t kNoLink = ~uint32_t(0);

  /// Builds the lists of links at each vertex; call after the links changed.
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

/// Layer of each item: the longest path that leads to it, but sources stand
/// right above the first that needs them, and a layer wider than `maxWidth` is
/// spread over several. Every edge that `ignored` does not name goes down.
struct Layering {
  std::vector<uint32_t> layerOf;
  uint32_t layers = 0;
};
Layering assignLayers(llvm::ArrayRef<double> widths, llvm::ArrayRef<Edge> edges,
                      double maxWidth);

/// Orders the layers so that few links cross: sweeps of barycenters, kept when
/// they help, then exchanges of neighbors. Stops after a fixed amount of work.
/// Returns the crossings that are left.
uint64_t reduceCrossings(LayeredGraph &graph);

/// Pairs of links that cross. O(links log links).
uint64_t countCrossings(const LayeredGraph &graph);

/// Chooses the links that become vertical, at most one above and one below each
/// vertex: those on the longest ways through the graph first, so that a chain
/// of boxes stands upright whatever joins it from the side. They do not cross.
/// After Brandes and Koepf (2001), whose links are chosen by medians.
void alignVertices(LayeredGraph &graph);

/// Sets Vertex::x: vertices that straight links join at one place, each such
/// column near those that it is linked to, neighbors apart. The leftmost edge
/// is at 0. Returns the width.
double placeVertices(LayeredGraph &graph);

/// Least distance of the edges of two neighbors in a layer.
double gapBetween(const Vertex &left, const Vertex &right);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_LAYOUT_LAYEREDGRAPH_H
