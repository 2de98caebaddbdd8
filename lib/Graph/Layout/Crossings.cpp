//===- Crossings.cpp - Reducing crossings ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayeredGraph.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// The position at which a link meets a layer: the vertex's order, then the
/// offset within the vertex.
using Meeting = std::pair<uint32_t, double>;

/// Counts inversions of a sequence of ranks (a Fenwick tree).
class InversionCounter {
public:
  explicit InversionCounter(uint32_t ranks) : tree(size_t(ranks) + 1) {}

  /// Adds `rank` and returns how many greater ranks were added before.
  uint64_t add(uint32_t rank) {
    uint64_t notGreater = 0;
    for (uint32_t i = rank + 1; i > 0; i &= i - 1)
      notGreater += tree[i];
    for (uint32_t i = rank + 1; i < tree.size(); i += i & (0 - i))
      ++tree[i];
    return total++ - notGreater;
  }

private:
  std::vector<uint32_t> tree;
  uint64_t total = 0;
};

} // namespace

static Meeting upperEnd(const LayeredGraph &graph, uint32_t link) {
  const Link &l = graph.links[link];
  return {graph.vertices[l.upper].order, l.upperOffset};
}

static Meeting lowerEnd(const LayeredGraph &graph, uint32_t link) {
  const Link &l = graph.links[link];
  return {graph.vertices[l.lower].order, l.lowerOffset};
}

/// Crossings among `links`, which join two neighboring layers.
static uint64_t countAmong(const LayeredGraph &graph,
                           std::vector<uint32_t> &links) {
  llvm::sort(links, [&](uint32_t a, uint32_t b) {
    return std::make_pair(lowerEnd(graph, a), upperEnd(graph, a)) <
           std::make_pair(lowerEnd(graph, b), upperEnd(graph, b));
  });
  struct Ranked {
    Meeting upper;
    uint32_t rank;
  };
  // Links that meet below have equal ranks, so that they do not count as
  // crossing.
  std::vector<Ranked> ranked;
  uint32_t rank = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    if (i && lowerEnd(graph, links[i]) != lowerEnd(graph, links[i - 1]))
      ++rank;
    ranked.push_back({upperEnd(graph, links[i]), rank});
  }
  llvm::sort(ranked, [](const Ranked &a, const Ranked &b) {
    return std::tie(a.upper, a.rank) < std::tie(b.upper, b.rank);
  });
  InversionCounter counter(rank + 1);
  uint64_t crossings = 0;
  for (const Ranked &link : ranked)
    crossings += counter.add(link.rank);
  return crossings;
}

/// Crossings between `layer` and the one below.
static uint64_t countBelow(const LayeredGraph &graph, uint32_t layer) {
  std::vector<uint32_t> links;
  for (uint32_t vertex : graph.layers[layer])
    llvm::append_range(links, graph.linksBelow(vertex));
  return links.size() < 2 ? 0 : countAmong(graph, links);
}

uint64_t graph::countCrossings(const LayeredGraph &graph) {
  uint64_t crossings = 0;
  for (uint32_t layer = 0; layer + 1 < graph.layers.size(); ++layer)
    crossings += countBelow(graph, layer);
  return crossings;
}

namespace {

enum class Side : uint8_t { Above, Below };

class CrossingReducer {
public:
  explicit CrossingReducer(LayeredGraph &graph) : graph(graph) {}

  uint64_t run();

private:
  /// Limit on the link visits after which no further sweep begins.
  static constexpr uint64_t kBudget = 4'000'000;
  static constexpr unsigned kSweeps = 24;
  static constexpr unsigned kPatience = 5;

  void orderByDepthFirstSearch();
  void sweep(Side side);
  void sortLayer(uint32_t layer, Side side);
  bool exchangeNeighbors();
  bool exchangeInLayer(uint32_t layer);
  void centerLines(Side side);
  void centerInLayer(std::vector<uint32_t> &order, Side side);
  uint64_t crossingsOfPair(uint32_t left, uint32_t right, Side side) const;
  void numberAll() {
    for (uint32_t layer = 0; layer < graph.layers.size(); ++layer)
      graph.numberLayer(layer);
  }
  llvm::ArrayRef<uint32_t> linksOf(uint32_t vertex, Side side) const {
    return side == Side::Above ? graph.linksAbove(vertex)
                               : graph.linksBelow(vertex);
  }
  Meeting farEnd(uint32_t link, Side side) const {
    return side == Side::Above ? upperEnd(graph, link) : lowerEnd(graph, link);
  }

  LayeredGraph &graph;
  /// Whether to swap vertices with equal positions, to leave a local minimum.
  bool reverseEquals = false;
  uint64_t work = 0;
};

} // namespace

/// Gives trees an order without crossings, and other graphs a good start.
void CrossingReducer::orderByDepthFirstSearch() {
  uint32_t count = uint32_t(graph.vertices.size());
  std::vector<bool> seen(count);
  std::vector<uint32_t> stack;
  std::vector<std::vector<uint32_t>> layers(graph.layers.size());
  std::vector<std::vector<uint32_t>> attached(count);
  for (const Attachment &attachment : graph.attachments) {
    attached[attachment.vertex].push_back(attachment.bend);
    attached[attachment.bend].push_back(attachment.vertex);
  }
  auto push = [&](uint32_t vertex) {
    if (!seen[vertex])
      stack.push_back(vertex);
  };
  for (const std::vector<uint32_t> &layer : graph.layers)
    for (uint32_t root : layer) {
      push(root);
      while (!stack.empty()) {
        uint32_t vertex = stack.back();
        stack.pop_back();
        if (seen[vertex])
          continue;
        seen[vertex] = true;
        layers[graph.vertices[vertex].layer].push_back(vertex);
        for (uint32_t other : attached[vertex])
          push(other);
        for (uint32_t link : llvm::reverse(graph.linksBelow(vertex)))
          push(graph.links[link].lower);
        for (uint32_t link : llvm::reverse(graph.linksAbove(vertex)))
          push(graph.links[link].upper);
      }
    }
  graph.layers = std::move(layers);
  numberAll();
}

void CrossingReducer::sortLayer(uint32_t layer, Side side) {
  struct Wish {
    double place;
    uint32_t vertex;
    int64_t tie;
  };
  std::vector<Wish> wishes;
  std::vector<uint32_t> &order = graph.layers[layer];
  for (uint32_t vertex : order) {
    llvm::ArrayRef<uint32_t> links = linksOf(vertex, side);
    work += links.size() + 1;
    double sum = 0;
    for (uint32_t link : links) {
      auto [place, offset] = farEnd(link, side);
      const Link &l = graph.links[link];
      double width =
          graph.vertices[side == Side::Above ? l.upper : l.lower].width;
      sum += place + (width > 0 ? 0.8 * offset / width : 0);
    }
    int64_t tie = graph.vertices[vertex].order;
    wishes.push_back({links.empty() ? -1 : sum / double(links.size()), vertex,
                      reverseEquals ? -tie : tie});
  }
  // Vertices without a link on this side keep their positions among the others.
  std::vector<Wish> moving;
  for (const Wish &wish : wishes)
    if (wish.place >= -0.5)
      moving.push_back(wish);
  llvm::sort(moving, [](const Wish &a, const Wish &b) {
    return std::tie(a.place, a.tie) < std::tie(b.place, b.tie);
  });
  size_t next = 0;
  for (size_t i = 0; i < order.size(); ++i)
    if (wishes[i].place >= -0.5)
      order[i] = moving[next++].vertex;
  graph.numberLayer(layer);
}

void CrossingReducer::sweep(Side side) {
  uint32_t count = uint32_t(graph.layers.size());
  for (uint32_t i = 0; i < count; ++i)
    sortLayer(side == Side::Above ? i : count - 1 - i, side);
}

/// Crossings on one side between the links of two vertices, the first of which
/// is to the left.
uint64_t CrossingReducer::crossingsOfPair(uint32_t left, uint32_t right,
                                          Side side) const {
  uint64_t crossings = 0;
  for (uint32_t a : linksOf(left, side))
    for (uint32_t b : linksOf(right, side))
      crossings += farEnd(a, side) > farEnd(b, side);
  return crossings;
}

bool CrossingReducer::exchangeInLayer(uint32_t layer) {
  std::vector<uint32_t> &order = graph.layers[layer];
  bool changed = false;
  for (size_t i = 0; i + 1 < order.size() && work < kBudget; ++i) {
    uint32_t a = order[i], b = order[i + 1];
    work += 1 +
            linksOf(a, Side::Above).size() * linksOf(b, Side::Above).size() +
            linksOf(a, Side::Below).size() * linksOf(b, Side::Below).size();
    uint64_t now =
        crossingsOfPair(a, b, Side::Above) + crossingsOfPair(a, b, Side::Below);
    if (now == 0)
      continue;
    uint64_t then =
        crossingsOfPair(b, a, Side::Above) + crossingsOfPair(b, a, Side::Below);
    if (then >= now)
      continue;
    std::swap(order[i], order[i + 1]);
    std::swap(graph.vertices[a].order, graph.vertices[b].order);
    changed = true;
  }
  return changed;
}

bool CrossingReducer::exchangeNeighbors() {
  bool changed = false;
  for (uint32_t layer = 0; layer < graph.layers.size(); ++layer)
    changed |= exchangeInLayer(layer);
  return changed;
}

static void moveTo(std::vector<uint32_t> &list, size_t from, size_t to) {
  auto begin = list.begin();
  if (from < to)
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  else
    std::rotate(begin + to, begin + from, begin + from + 1);
}

/// Among neighbors linked to the same vertex on `side`, all but one of which do
/// not have another link, moves that one into the middle: it does not cross
/// anything there, and long lines with many ends stay straight.
void CrossingReducer::centerInLayer(std::vector<uint32_t> &order, Side side) {
  Side other = side == Side::Above ? Side::Below : Side::Above;
  auto hasOneLink = [&](uint32_t vertex) {
    return linksOf(vertex, side).size() == 1;
  };
  auto endOf = [&](uint32_t vertex) {
    return farEnd(linksOf(vertex, side).front(), side);
  };
  size_t begin = 0, end = 0;
  for (; begin < order.size(); begin = end) {
    end = begin + 1;
    if (!hasOneLink(order[begin]))
      continue;
    size_t leading = 0, leads = order.size();
    auto look = [&](size_t at) {
      if (linksOf(order[at], other).empty())
        return;
      ++leading;
      leads = at;
    };
    look(begin);
    for (; end < order.size() && hasOneLink(order[end]) &&
           endOf(order[end]) == endOf(order[begin]);
         ++end)
      look(end);
    if (leading == 1)
      moveTo(order, leads, begin + (end - begin) / 2);
  }
}

void CrossingReducer::centerLines(Side side) {
  for (uint32_t layer = 0; layer < graph.layers.size(); ++layer) {
    centerInLayer(graph.layers[layer], side);
    graph.numberLayer(layer);
  }
}

uint64_t CrossingReducer::run() {
  orderByDepthFirstSearch();
  uint64_t best = countCrossings(graph);
  std::vector<std::vector<uint32_t>> bestLayers = graph.layers;
  unsigned fruitless = 0;
  for (unsigned round = 0;
       round < kSweeps && best > 0 && work < kBudget && fruitless < kPatience;
       ++round) {
    reverseEquals = round % 4 >= 2;
    sweep(round % 2 == 0 ? Side::Above : Side::Below);
    for (unsigned i = 0; i < 4 && exchangeNeighbors(); ++i)
      ;
    uint64_t crossings = countCrossings(graph);
    ++fruitless;
    if (crossings >= best)
      continue;
    best = crossings;
    bestLayers = graph.layers;
    fruitless = 0;
  }
  graph.layers = std::move(bestLayers);
  numberAll();
  centerLines(Side::Above);
  centerLines(Side::Below);
  return best;
}

uint64_t graph::reduceCrossings(LayeredGraph &graph) {
  return CrossingReducer(graph).run();
}
