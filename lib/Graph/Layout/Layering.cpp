//===- Layering.cpp - Assigning boxes to layers ---------------------------===//
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
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::graph;

void LayeredGraph::indexLinks() {
  std::vector<uint32_t> uppers, lowers;
  for (const Link &link : links) {
    uppers.push_back(link.upper);
    lowers.push_back(link.lower);
  }
  uint32_t count = uint32_t(vertices.size());
  groupIndices(uppers, count, belowBegin, below);
  groupIndices(lowers, count, aboveBegin, above);
}

void LayeredGraph::numberLayer(uint32_t layer) {
  for (auto [order, vertex] : llvm::enumerate(layers[layer]))
    vertices[vertex].order = uint32_t(order);
}

namespace {

class LayerAssigner {
public:
  LayerAssigner(llvm::ArrayRef<double> widths, llvm::ArrayRef<Edge> edges)
      : widths(widths), edges(edges), count(uint32_t(widths.size())),
        order(computeOrder(count, edges)), successors(count, edges),
        predecessors(count, edges, Adjacency::Direction::Backward) {}

  Layering run(double maxWidth) {
    layerOf.assign(count, 0);
    takeLongestPaths();
    lowerSources();
    if (widestLayer() > maxWidth)
      spread(maxWidth);
    uint32_t layers = layerCount();
    return {std::move(layerOf), layers};
  }

private:
  void takeLongestPaths();
  void lowerSources();
  void spread(double maxWidth);
  double widestLayer() const;
  uint32_t layerCount() const {
    return count ? *llvm::max_element(layerOf) + 1 : 0;
  }

  llvm::ArrayRef<double> widths;
  llvm::ArrayRef<Edge> edges;
  uint32_t count;
  TopologicalOrder order;
  Adjacency successors, predecessors;
  std::vector<uint32_t> layerOf;
};

} // namespace

void LayerAssigner::takeLongestPaths() {
  for (uint32_t item : order.nodes)
    for (uint32_t edge : successors.edgesOf(item))
      if (!order.ignored[edge]) {
        uint32_t &layer = layerOf[edges[edge].to];
        layer = std::max(layer, layerOf[item] + 1);
      }
}

/// A constant at the very top would need a line through the whole picture.
void LayerAssigner::lowerSources() {
  for (uint32_t item : llvm::reverse(order.nodes)) {
    auto isUsed = [&](uint32_t edge) { return !order.ignored[edge]; };
    if (llvm::any_of(predecessors.edgesOf(item), isUsed))
      continue;
    uint32_t layer = ~uint32_t(0);
    for (uint32_t edge : successors.edgesOf(item))
      if (isUsed(edge))
        layer = std::min(layer, layerOf[edges[edge].to] - 1);
    if (layer != ~uint32_t(0))
      layerOf[item] = layer;
  }
}

double LayerAssigner::widestLayer() const {
  std::vector<double> total(layerCount());
  for (uint32_t item = 0; item < count; ++item)
    total[layerOf[item]] += widths[item];
  return count ? *llvm::max_element(total) : 0;
}

/// Fills layers from the bottom, each up to `maxWidth`, in the order of the
/// layers given by the longest paths (Coffman and Graham's scheme).
void LayerAssigner::spread(double maxWidth) {
  std::vector<uint32_t> items = order.nodes;
  llvm::sort(items, [&](uint32_t a, uint32_t b) {
    return std::make_pair(layerOf[a], order.position[a]) >
           std::make_pair(layerOf[b], order.position[b]);
  });
  std::vector<uint32_t> height(count);
  std::vector<double> used(size_t(count) + 1);
  // Next layer that may have room, with path halving.
  std::vector<uint32_t> next(size_t(count) + 1);
  std::iota(next.begin(), next.end(), 0);
  auto findRoom = [&](uint32_t layer) {
    while (next[layer] != layer)
      layer = next[layer] = next[next[layer]];
    return layer;
  };
  uint32_t top = 0;
  for (uint32_t item : items) {
    uint32_t lowest = 0;
    for (uint32_t edge : successors.edgesOf(item))
      if (!order.ignored[edge])
        lowest = std::max(lowest, height[edges[edge].to] + 1);
    uint32_t layer = findRoom(lowest);
    used[layer] += widths[item];
    if (used[layer] + widths[item] > maxWidth)
      next[layer] = layer + 1;
    height[item] = layer;
    top = std::max(top, layer);
  }
  for (uint32_t item = 0; item < count; ++item)
    layerOf[item] = top - height[item];
}

Layering graph::assignLayers(llvm::ArrayRef<double> widths,
                             llvm::ArrayRef<Edge> edges, double maxWidth) {
  return LayerAssigner(widths, edges).run(maxWidth);
}
