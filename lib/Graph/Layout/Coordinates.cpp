//===- Coordinates.cpp - Horizontal positions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayeredGraph.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Order.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::graph;

double graph::gapBetween(const Vertex &left, const Vertex &right) {
  constexpr double kItems = 22, kMixed = 14, kBends = 9;
  unsigned items =
      (left.kind == VertexKind::Item) + (right.kind == VertexKind::Item);
  return items == 2 ? kItems : items == 1 ? kMixed : kBends;
}

namespace {

/// Places columns: vertically aligned vertices joined by straight links.
class ColumnPlacer {
public:
  explicit ColumnPlacer(LayeredGraph &graph) : graph(graph) {}

  double run();

private:
  static double distance(const Vertex &left, const Vertex &right) {
    return (left.width + right.width) / 2 + gapBetween(left, right);
  }
  void makeColumns();
  void sortColumns();
  void pack();
  void relax(uint32_t column);
  void addWish(uint32_t vertex, double &place, double &weight) const;
  double normalize();

  llvm::ArrayRef<uint32_t> verticesOf(uint32_t column) const {
    return llvm::ArrayRef<uint32_t>(vertices).slice(
        vertexBegin[column], vertexBegin[column + 1] - vertexBegin[column]);
  }
  double placeOf(uint32_t vertex) const { return places[columnOf[vertex]]; }

  LayeredGraph &graph;
  std::vector<uint32_t> columnOf;
  /// The vertices of each column.
  std::vector<uint32_t> vertices, vertexBegin;
  /// The vertex to which each bend is attached.
  std::vector<uint32_t> beside;
  /// From left to right.
  std::vector<uint32_t> order;
  std::vector<double> places;
};

} // namespace

void ColumnPlacer::makeColumns() {
  columnOf.assign(graph.vertices.size(), 0);
  uint32_t columns = 0;
  for (const std::vector<uint32_t> &layer : graph.layers)
    for (uint32_t vertex : layer) {
      uint32_t link = graph.straight[vertex];
      columnOf[vertex] = link == LayeredGraph::kNoLink
                             ? columns++
                             : columnOf[graph.links[link].upper];
    }
  groupIndices(columnOf, columns, vertexBegin, vertices);
  places.assign(columns, 0);
  beside.assign(graph.vertices.size(), kNoNode);
  for (const Attachment &attachment : graph.attachments)
    beside[attachment.bend] = attachment.vertex;
}

/// Columns that do not cross are ordered from left to right without cycles.
void ColumnPlacer::sortColumns() {
  std::vector<Edge> neighbors;
  for (const std::vector<uint32_t> &layer : graph.layers)
    for (size_t i = 1; i < layer.size(); ++i)
      neighbors.push_back({columnOf[layer[i - 1]], columnOf[layer[i]]});
  order = computeOrder(uint32_t(places.size()), neighbors).nodes;
}

/// Puts every column into the middle of the range that the others allow, which
/// keeps all distances.
void ColumnPlacer::pack() {
  auto neighborOf = [&](uint32_t index, int side) -> const Vertex * {
    const Vertex &vertex = graph.vertices[index];
    llvm::ArrayRef<uint32_t> layer = graph.layers[vertex.layer];
    int64_t at = int64_t(vertex.order) + side;
    return at < 0 || at >= int64_t(layer.size()) ? nullptr
                                                 : &graph.vertices[layer[at]];
  };
  auto columnAt = [&](const Vertex *vertex) {
    return columnOf[vertex - graph.vertices.data()];
  };
  std::vector<double> left(places.size()), right(places.size());
  double width = 0;
  for (uint32_t column : order) {
    for (uint32_t vertex : verticesOf(column))
      if (const Vertex *other = neighborOf(vertex, -1))
        left[column] = std::max(left[column],
                                left[columnAt(other)] +
                                    distance(*other, graph.vertices[vertex]));
    width = std::max(width, left[column]);
  }
  for (uint32_t column : llvm::reverse(order)) {
    right[column] = width;
    for (uint32_t vertex : verticesOf(column))
      if (const Vertex *other = neighborOf(vertex, 1))
        right[column] = std::min(right[column],
                                 right[columnAt(other)] -
                                     distance(graph.vertices[vertex], *other));
    places[column] = (left[column] + right[column]) / 2;
  }
}

/// Adds the position to which the links of a vertex to other columns pull it.
void ColumnPlacer::addWish(uint32_t vertex, double &place,
                           double &weight) const {
  auto add = [&](uint32_t other, double ownOffset, double otherOffset) {
    if (columnOf[other] == columnOf[vertex])
      return;
    // Lines should be straight; bends and boxes follow the lines.
    unsigned items = (graph.vertices[vertex].kind == VertexKind::Item) +
                     (graph.vertices[other].kind == VertexKind::Item);
    double own = items == 0 ? 8 : items == 1 ? 2 : 1;
    place += own * (placeOf(other) + otherOffset - ownOffset);
    weight += own;
  };
  for (uint32_t link : graph.linksAbove(vertex)) {
    const Link &l = graph.links[link];
    add(l.upper, l.lowerOffset, l.upperOffset);
  }
  for (uint32_t link : graph.linksBelow(vertex)) {
    const Link &l = graph.links[link];
    add(l.lower, l.upperOffset, l.lowerOffset);
  }
  if (uint32_t side = beside[vertex]; side != kNoNode) {
    place += placeOf(side);
    weight += 1;
  }
}

/// Moves a column to the mean of its links' positions, as far as its neighbors
/// leave room. Rounding must not make the room empty.
void ColumnPlacer::relax(uint32_t column) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  double place = 0, weight = 0;
  for (uint32_t index : verticesOf(column)) {
    const Vertex &vertex = graph.vertices[index];
    llvm::ArrayRef<uint32_t> layer = graph.layers[vertex.layer];
    addWish(index, place, weight);
    if (vertex.order > 0) {
      uint32_t other = layer[vertex.order - 1];
      low = std::max(low,
                     placeOf(other) + distance(graph.vertices[other], vertex));
    }
    if (vertex.order + 1 < layer.size()) {
      uint32_t other = layer[vertex.order + 1];
      high = std::min(high,
                      placeOf(other) - distance(vertex, graph.vertices[other]));
    }
  }
  low = std::min(low, places[column]);
  high = std::max(high, places[column]);
  if (weight > 0)
    places[column] = std::clamp(place / weight, low, high);
}

double ColumnPlacer::normalize() {
  if (graph.vertices.empty())
    return 0;
  double left = std::numeric_limits<double>::infinity(), right = -left;
  for (uint32_t index = 0; index < graph.vertices.size(); ++index) {
    Vertex &vertex = graph.vertices[index];
    vertex.x = placeOf(index);
    left = std::min(left, vertex.x - vertex.width / 2);
    right = std::max(right, vertex.x + vertex.width / 2);
  }
  for (Vertex &vertex : graph.vertices)
    vertex.x -= left;
  return right - left;
}

double ColumnPlacer::run() {
  constexpr unsigned kRounds = 12;
  makeColumns();
  sortColumns();
  pack();
  for (unsigned i = 0; i < kRounds; ++i) {
    for (uint32_t column : order)
      relax(column);
    for (uint32_t column : llvm::reverse(order))
      relax(column);
  }
  return normalize();
}

double graph::placeVertices(LayeredGraph &graph) {
  return ColumnPlacer(graph).run();
}
