//===- Coordinates.cpp - Horizontal places --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayeredGraph.h"

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

enum class Neighbours : uint8_t { Above, Below, Both };

class VertexPlacer {
public:
  explicit VertexPlacer(LayeredGraph &graph)
      : graph(graph), beside(graph.vertices.size(), kNoNode) {
    for (const Attachment &attachment : graph.attachments)
      beside[attachment.bend] = attachment.vertex;
  }

  double run();

private:
  struct Wish {
    double place;
    double weight;
  };

  static double distance(const Vertex &left, const Vertex &right) {
    return (left.width + right.width) / 2 + gapBetween(left, right);
  }
  void packLeft();
  void sweep(Neighbours neighbours);
  Wish wishOf(uint32_t vertex, Neighbours neighbours) const;
  void placeLayer(llvm::ArrayRef<uint32_t> layer, Neighbours neighbours);
  void straightenLines();
  void straighten(llvm::ArrayRef<uint32_t> line);
  std::pair<double, double> roomOf(uint32_t vertex) const;
  double normalise();

  LayeredGraph &graph;
  /// The vertex that each bend is attached to.
  std::vector<uint32_t> beside;
};

} // namespace

void VertexPlacer::packLeft() {
  for (const std::vector<uint32_t> &layer : graph.layers) {
    double x = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      Vertex &vertex = graph.vertices[layer[i]];
      x += i ? distance(graph.vertices[layer[i - 1]], vertex) : 0;
      vertex.x = x;
    }
  }
}

VertexPlacer::Wish VertexPlacer::wishOf(uint32_t vertex,
                                        Neighbours neighbours) const {
  Wish wish = {0, 0};
  const Vertex &self = graph.vertices[vertex];
  auto add = [&](uint32_t other, double ownOffset, double otherOffset) {
    const Vertex &far = graph.vertices[other];
    // Lines are to be straight; bends and boxes follow the lines.
    bool bends = self.kind == VertexKind::Bend && far.kind == VertexKind::Bend;
    bool boxes = self.kind == VertexKind::Item && far.kind == VertexKind::Item;
    double weight = bends ? 8 : boxes ? 1 : 2;
    wish.place += weight * (far.x + otherOffset - ownOffset);
    wish.weight += weight;
  };
  if (neighbours != Neighbours::Below)
    for (uint32_t link : graph.linksAbove(vertex)) {
      const Link &l = graph.links[link];
      add(l.upper, l.lowerOffset, l.upperOffset);
    }
  if (neighbours != Neighbours::Above)
    for (uint32_t link : graph.linksBelow(vertex)) {
      const Link &l = graph.links[link];
      add(l.lower, l.upperOffset, l.lowerOffset);
    }
  if (uint32_t side = beside[vertex]; side != kNoNode) {
    wish.place += graph.vertices[side].x;
    wish.weight += 1;
  }
  if (wish.weight == 0)
    return {self.x, 0.05};
  // Many boxes on one line must not pull it aside, layer after layer.
  constexpr double kLeaf = 0.2;
  bool isLeaf =
      self.kind == VertexKind::Item &&
      graph.linksAbove(vertex).size() + graph.linksBelow(vertex).size() == 1;
  return {wish.place / wish.weight, wish.weight * (isLeaf ? kLeaf : 1)};
}

/// Places a layer as near to the wishes as the distances allow, by least
/// squares: with the distances taken off it is a regression to an ascending
/// sequence, which pooling neighbours that are out of order solves exactly.
void VertexPlacer::placeLayer(llvm::ArrayRef<uint32_t> layer,
                              Neighbours neighbours) {
  struct Pool {
    double place;
    double weight;
    size_t size;
  };
  std::vector<Pool> pools;
  std::vector<double> offsets;
  for (size_t i = 0; i < layer.size(); ++i) {
    offsets.push_back(
        i ? offsets.back() +
                distance(graph.vertices[layer[i - 1]], graph.vertices[layer[i]])
          : 0);
    Wish wish = wishOf(layer[i], neighbours);
    Pool pool = {wish.place - offsets.back(), wish.weight, 1};
    while (!pools.empty() && pools.back().place >= pool.place) {
      const Pool &left = pools.back();
      double weight = left.weight + pool.weight;
      pool = {(left.place * left.weight + pool.place * pool.weight) / weight,
              weight, left.size + pool.size};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  size_t next = 0;
  for (const Pool &pool : pools)
    for (size_t i = 0; i < pool.size; ++i, ++next)
      graph.vertices[layer[next]].x = pool.place + offsets[next];
}

void VertexPlacer::sweep(Neighbours neighbours) {
  if (neighbours == Neighbours::Below) {
    for (const std::vector<uint32_t> &layer : llvm::reverse(graph.layers))
      placeLayer(layer, neighbours);
    return;
  }
  for (const std::vector<uint32_t> &layer : graph.layers)
    placeLayer(layer, neighbours);
}

/// Least and greatest place that the neighbours leave to a vertex; it stands
/// within. Rounding must not make the range empty.
std::pair<double, double> VertexPlacer::roomOf(uint32_t index) const {
  const Vertex &vertex = graph.vertices[index];
  llvm::ArrayRef<uint32_t> layer = graph.layers[vertex.layer];
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  if (vertex.order > 0) {
    const Vertex &left = graph.vertices[layer[vertex.order - 1]];
    low = left.x + distance(left, vertex);
  }
  if (vertex.order + 1 < layer.size()) {
    const Vertex &right = graph.vertices[layer[vertex.order + 1]];
    high = right.x - distance(vertex, right);
  }
  return {std::min(low, vertex.x), std::max(high, vertex.x)};
}

/// Moves the bends of a line onto as few verticals as the room between their
/// neighbours allows.
void VertexPlacer::straighten(llvm::ArrayRef<uint32_t> line) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  double low = -kFar, high = kFar, sum = 0;
  size_t first = 0;
  auto placeRun = [&](size_t last) {
    double x = std::clamp(sum / double(last - first), low, high);
    for (size_t i = first; i < last; ++i)
      graph.vertices[line[i]].x = x;
    first = last;
    sum = 0;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    auto [left, right] = roomOf(line[i]);
    if (std::max(low, left) > std::min(high, right)) {
      placeRun(i);
      low = -kFar;
      high = kFar;
    }
    low = std::max(low, left);
    high = std::min(high, right);
    sum += graph.vertices[line[i]].x;
  }
  placeRun(line.size());
}
void VertexPlacer::straightenLines() {
  auto nextBend = [&](uint32_t vertex) {
    for (uint32_t link : graph.linksBelow(vertex))
      if (graph.vertices[graph.links[link].lower].kind == VertexKind::Bend)
        return graph.links[link].lower;
    return kNoNode;
  };
  auto isFirst = [&](uint32_t vertex) {
    return llvm::none_of(graph.linksAbove(vertex), [&](uint32_t link) {
      return graph.vertices[graph.links[link].upper].kind == VertexKind::Bend;
    });
  };
  std::vector<uint32_t> line;
  for (uint32_t vertex = 0; vertex < graph.vertices.size(); ++vertex) {
    if (graph.vertices[vertex].kind != VertexKind::Bend || !isFirst(vertex))
      continue;
    line.clear();
    for (uint32_t bend = vertex; bend != kNoNode; bend = nextBend(bend))
      line.push_back(bend);
    straighten(line);
  }
}

double VertexPlacer::normalise() {
  double left = std::numeric_limits<double>::infinity(), right = -left;
  for (const Vertex &vertex : graph.vertices) {
    left = std::min(left, vertex.x - vertex.width / 2);
    right = std::max(right, vertex.x + vertex.width / 2);
  }
  if (graph.vertices.empty())
    return 0;
  for (Vertex &vertex : graph.vertices)
    vertex.x -= left;
  return right - left;
}

double VertexPlacer::run() {
  constexpr unsigned kRounds = 8;
  packLeft();
  for (unsigned i = 0; i < kRounds; ++i) {
    sweep(Neighbours::Above);
    sweep(Neighbours::Below);
  }
  for (unsigned i = 0; i < kRounds; ++i)
    sweep(Neighbours::Both);
  straightenLines();
  return normalise();
}

double graph::placeVertices(LayeredGraph &graph) {
  return VertexPlacer(graph).run();
}
