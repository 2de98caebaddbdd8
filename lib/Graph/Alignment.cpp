//===- Alignment.cpp - Choosing the straight lines ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/LayeredGraph.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

class VertexAligner {
public:
  explicit VertexAligner(LayeredGraph &graph) : graph(graph) {}

  void run();

private:
  /// A link that may become straight; better ones compare less.
  struct Candidate {
    /// Number of boxes on the longest path through the link, negated.
    int64_t boxes;
    /// Links between boxes come before those between bends, links from a box to
    /// a bend last.
    uint32_t kind;
    /// Distance from the middle of its ends' links.
    uint32_t aside;
    uint32_t link;
    bool operator<(const Candidate &other) const {
      return std::tie(boxes, kind, aside, link) <
             std::tie(other.boxes, other.kind, other.aside, other.link);
    }
  };

  void findLongestWays();
  void addCandidates(uint32_t vertex, std::vector<Candidate> &candidates) const;
  void alignLayer(uint32_t layer);
  bool isItem(uint32_t vertex) const {
    return graph.vertices[vertex].kind == VertexKind::Item;
  }

  LayeredGraph &graph;
  /// Number of boxes on the longest path from above to each vertex, and from it
  /// down.
  std::vector<uint32_t> above, below;
};

} // namespace

void VertexAligner::findLongestWays() {
  above.assign(graph.vertices.size(), 0);
  below.assign(graph.vertices.size(), 0);
  for (const std::vector<uint32_t> &layer : graph.layers)
    for (uint32_t vertex : layer) {
      for (uint32_t link : graph.linksAbove(vertex))
        above[vertex] = std::max(above[vertex], above[graph.links[link].upper]);
      above[vertex] += isItem(vertex);
    }
  for (const std::vector<uint32_t> &layer : llvm::reverse(graph.layers))
    for (uint32_t vertex : layer) {
      for (uint32_t link : graph.linksBelow(vertex))
        below[vertex] = std::max(below[vertex], below[graph.links[link].lower]);
      below[vertex] += isItem(vertex);
    }
}

/// Distance of the link at `position` of `links` from their middle.
static uint32_t getAside(size_t position, size_t links) {
  return uint32_t(std::abs(int64_t(2 * position) - int64_t(links - 1)));
}

void VertexAligner::addCandidates(uint32_t vertex,
                                  std::vector<Candidate> &candidates) const {
  auto orderOf = [&](uint32_t link) {
    return graph.vertices[graph.links[link].lower].order;
  };
  llvm::SmallVector<uint32_t> links(graph.linksBelow(vertex));
  llvm::sort(links, [&](uint32_t a, uint32_t b) {
    return std::make_pair(orderOf(a), a) < std::make_pair(orderOf(b), b);
  });
  for (auto [position, link] : llvm::enumerate(links)) {
    uint32_t lower = graph.links[link].lower;
    Candidate candidate;
    candidate.boxes = -int64_t(above[vertex]) - below[lower];
    candidate.kind = isItem(vertex) != isItem(lower) ? 2 : !isItem(vertex);
    candidate.aside = getAside(position, links.size());
    candidate.link = link;
    candidates.push_back(candidate);
  }
}

/// Takes the best links from a layer to the next that do not cross.
void VertexAligner::alignLayer(uint32_t layer) {
  std::vector<Candidate> candidates;
  for (uint32_t vertex : graph.layers[layer])
    addCandidates(vertex, candidates);
  llvm::sort(candidates);
  // Positions of the taken links in this layer, and in the next.
  std::map<uint32_t, uint32_t> taken;
  for (const Candidate &candidate : candidates) {
    const Link &link = graph.links[candidate.link];
    uint32_t upper = graph.vertices[link.upper].order;
    uint32_t lower = graph.vertices[link.lower].order;
    auto right = taken.lower_bound(upper);
    bool fits = right == taken.end() ||
                (right->first != upper && right->second > lower);
    if (right != taken.begin())
      fits &= std::prev(right)->second < lower;
    if (!fits)
      continue;
    taken.emplace_hint(right, upper, lower);
    graph.straight[link.lower] = candidate.link;
  }
}

void VertexAligner::run() {
  graph.straight.assign(graph.vertices.size(), LayeredGraph::kNoLink);
  findLongestWays();
  for (uint32_t layer = 0; layer + 1 < graph.layers.size(); ++layer)
    alignLayer(layer);
}

void graph::alignVertices(LayeredGraph &graph) { VertexAligner(graph).run(); }
