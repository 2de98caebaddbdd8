//===- ConnectedLayout.cpp - Boxes in layers with lines -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayeredGraph.h"
#include "LevelLayout.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// Limit on the bends of one level: longer lines beyond it are not drawn.
constexpr uint64_t kMaxBends = 60'000;
constexpr double kLoopWidth = 18;

/// The route to one end of a wire.
struct Route {
  uint32_t wire;
  uint32_t end;
  /// Vertices from the layer below the start to the layer above the end; for a
  /// line that goes up, from the end's layer to the start's.
  std::vector<uint32_t> bends;
  /// Index of the last link, which carries the offset at the end.
  uint32_t link = ~uint32_t(0);
  uint32_t firstLink = ~uint32_t(0);
  bool goesUp = false;
};

class ConnectedLayouter {
public:
  explicit ConnectedLayouter(const LevelGraph &level) : level(level) {}

  LevelLayout run();

private:
  void makeItems();
  void makeBorders();
  void makeRoutes();
  void routeWire(uint32_t wire);
  void routeDown(uint32_t wire, llvm::ArrayRef<uint32_t> ends);
  void routeUp(uint32_t wire, uint32_t end);
  uint32_t addBend(uint32_t layer, double width = 0);
  uint32_t addLink(uint32_t upper, uint32_t lower, double upperOffset,
                   double lowerOffset);
  void spreadArrivals();
  void placeLayers();
  void writeItems();
  void writePaths();
  LevelPath pathOf(const Route &route) const;
  LevelPath pathDown(const Route &route) const;
  LevelPath pathUp(const Route &route) const;
  LevelPath selfLoop(uint32_t wire, uint32_t end, uint32_t item) const;

  uint32_t layerOf(uint32_t vertex) const {
    return graph.vertices[vertex].layer;
  }
  double fullWidth(uint32_t item) const {
    return level.items[item].width +
           (level.items[item].selfLoop ? kLoopWidth : 0);
  }
  /// Offset from the center of the item's vertex.
  double offsetIn(const LevelEnd &end) const {
    if (end.offset == LevelEnd::kAnywhere)
      return middleOf(end.item);
    return end.offset - fullWidth(end.item) / 2;
  }
  /// Middle of the item's box, which is to the left of its self-loop.
  double middleOf(uint32_t item) const {
    return (level.items[item].width - fullWidth(item)) / 2;
  }
  uint32_t startVertex(uint32_t wire) const {
    const LevelEnd &start = level.wires[wire].start;
    return start.item == LevelEnd::kBorder ? entries[wire] : start.item;
  }
  double startOffset(uint32_t wire) const {
    const LevelEnd &start = level.wires[wire].start;
    return start.item == LevelEnd::kBorder ? 0 : offsetIn(start);
  }
  uint32_t endVertex(uint32_t wire, uint32_t end) const {
    const LevelEnd &e = level.wires[wire].ends[end];
    return e.item == LevelEnd::kBorder ? exits[wire] : e.item;
  }

  const LevelGraph &level;
  LayeredGraph graph;
  LevelLayout result;
  std::vector<uint32_t> entries, exits;
  std::vector<Route> routes;
  std::vector<double> layerTop, layerHeight;
  bool hasUpward = false;
  uint64_t bends = 0;
};

} // namespace

static constexpr uint32_t kNoVertex = ~uint32_t(0);

void ConnectedLayouter::makeItems() {
  std::vector<double> widths;
  double area = 0, widest = 0;
  for (uint32_t item = 0; item < level.items.size(); ++item) {
    constexpr double kAround = 40;
    widths.push_back(fullWidth(item) + 22);
    widest = std::max(widest, widths.back());
    area += widths.back() * (level.items[item].height + kAround);
  }
  std::vector<Edge> edges;
  for (const LevelWire &wire : level.wires)
    for (const LevelEnd &end : wire.ends)
      if (wire.start.item != LevelEnd::kBorder && end.item != LevelEnd::kBorder)
        edges.push_back({wire.start.item, end.item});
  double maxWidth = std::max({1500.0, 1.5 * std::sqrt(area), widest});
  Layering layering = assignLayers(widths, edges, maxWidth);
  // Layer 0 is the top border.
  for (uint32_t item = 0; item < level.items.size(); ++item)
    graph.vertices.push_back(
        {VertexKind::Item, layering.layerOf[item] + 1, 0, fullWidth(item), 0});
  graph.layers.resize(size_t(layering.layers) + 2);
}

uint32_t ConnectedLayouter::addBend(uint32_t layer, double width) {
  graph.vertices.push_back({VertexKind::Bend, layer, 0, width, 0});
  ++bends;
  return uint32_t(graph.vertices.size() - 1);
}

uint32_t ConnectedLayouter::addLink(uint32_t upper, uint32_t lower,
                                    double upperOffset, double lowerOffset) {
  graph.links.push_back({upper, lower, upperOffset, lowerOffset});
  return uint32_t(graph.links.size() - 1);
}

void ConnectedLayouter::makeBorders() {
  uint32_t last = uint32_t(graph.layers.size() - 1);
  entries.assign(level.wires.size(), kNoVertex);
  exits.assign(level.wires.size(), kNoVertex);
  for (uint32_t wire = 0; wire < level.wires.size(); ++wire) {
    if (level.wires[wire].start.item == LevelEnd::kBorder)
      entries[wire] = addBend(0);
    for (const LevelEnd &end : level.wires[wire].ends)
      if (end.item == LevelEnd::kBorder)
        exits[wire] = addBend(last);
  }
}

/// One chain of bends down to the farthest end, from which the other ends
/// branch off.
void ConnectedLayouter::routeDown(uint32_t wire,
                                  llvm::ArrayRef<uint32_t> ends) {
  uint32_t start = startVertex(wire);
  // The chain so far; chain[i] is in layer layerOf(start) + i.
  std::vector<uint32_t> chain = {start};
  std::vector<uint32_t> chainLinks;
  for (uint32_t end : ends) {
    uint32_t target = endVertex(wire, end);
    uint32_t length = layerOf(target) - layerOf(start);
    if (chain.size() < length && bends + length - chain.size() > kMaxBends) {
      ++result.undrawnEnds;
      continue;
    }
    while (chain.size() < length) {
      uint32_t bend = addBend(layerOf(start) + uint32_t(chain.size()));
      chainLinks.push_back(addLink(
          chain.back(), bend, chain.size() == 1 ? startOffset(wire) : 0, 0));
      chain.push_back(bend);
    }
    const LevelEnd &e = level.wires[wire].ends[end];
    Route route;
    route.wire = wire;
    route.end = end;
    route.bends.assign(chain.begin() + 1, chain.begin() + length);
    route.link =
        addLink(chain[length - 1], target, length == 1 ? startOffset(wire) : 0,
                e.item == LevelEnd::kBorder ? 0 : offsetIn(e));
    route.firstLink = length == 1 ? route.link : chainLinks.front();
    routes.push_back(std::move(route));
  }
}

void ConnectedLayouter::routeUp(uint32_t wire, uint32_t end) {
  uint32_t start = startVertex(wire), target = endVertex(wire, end);
  uint32_t length = layerOf(start) - layerOf(target) + 1;
  if (bends + length > kMaxBends) {
    ++result.undrawnEnds;
    return;
  }
  Route route;
  route.wire = wire;
  route.end = end;
  route.goesUp = true;
  for (uint32_t i = 0; i < length; ++i) {
    route.bends.push_back(addBend(layerOf(target) + i));
    if (i)
      addLink(route.bends[i - 1], route.bends[i], 0, 0);
  }
  graph.attachments.push_back({target, route.bends.front()});
  graph.attachments.push_back({start, route.bends.back()});
  hasUpward = true;
  routes.push_back(std::move(route));
}

void ConnectedLayouter::routeWire(uint32_t wire) {
  const LevelWire &w = level.wires[wire];
  llvm::SmallVector<uint32_t> down;
  for (uint32_t end = 0; end < w.ends.size(); ++end) {
    if (w.ends[end].item == w.start.item && w.start.item != LevelEnd::kBorder)
      result.paths.push_back({wire, end, {}, {}, false});
    else if (layerOf(endVertex(wire, end)) > layerOf(startVertex(wire)))
      down.push_back(end);
    else
      routeUp(wire, end);
  }
  llvm::sort(down, [&](uint32_t a, uint32_t b) {
    return std::make_pair(layerOf(endVertex(wire, a)), a) <
           std::make_pair(layerOf(endVertex(wire, b)), b);
  });
  routeDown(wire, down);
}

void ConnectedLayouter::makeRoutes() {
  for (uint32_t wire = 0; wire < level.wires.size(); ++wire)
    routeWire(wire);
  for (uint32_t vertex = 0; vertex < graph.vertices.size(); ++vertex)
    graph.layers[layerOf(vertex)].push_back(vertex);
  for (uint32_t layer = 0; layer < graph.layers.size(); ++layer)
    graph.numberLayer(layer);
  graph.indexLinks();
}

/// Lines arrive at a box next to each other, in their order. alignVertices()
/// has chosen the straight one.
void ConnectedLayouter::spreadArrivals() {
  std::vector<std::vector<uint32_t>> arrivals(level.items.size());
  for (const Route &route : routes) {
    const LevelEnd &end = level.wires[route.wire].ends[route.end];
    if (end.item != LevelEnd::kBorder && end.offset == LevelEnd::kAnywhere &&
        !route.goesUp)
      arrivals[end.item].push_back(route.link);
  }
  for (uint32_t item = 0; item < arrivals.size(); ++item) {
    std::vector<uint32_t> &links = arrivals[item];
    llvm::sort(links, [&](uint32_t a, uint32_t b) {
      const Link &x = graph.links[a], &y = graph.links[b];
      return std::make_tuple(graph.vertices[x.upper].order, x.upperOffset, a) <
             std::make_tuple(graph.vertices[y.upper].order, y.upperOffset, b);
    });
    // A straight line arrives in the middle.
    double middle = (double(links.size()) - 1) / 2;
    auto straight = llvm::find(links, graph.straight[item]);
    if (straight != links.end())
      middle = double(straight - links.begin());
    double aside = std::max(middle, double(links.size()) - 1 - middle);
    double step =
        std::min(16.0, 0.4 * level.items[item].width / std::max(aside, 0.5));
    for (size_t i = 0; i < links.size(); ++i)
      graph.links[links[i]].lowerOffset =
          middleOf(item) + (double(i) - middle) * step;
  }
}

/// Heights of the layers, and of the gaps by how far lines run sideways in
/// them.
void ConnectedLayouter::placeLayers() {
  constexpr double kGap = 26, kMostExtra = 44, kSlope = 0.06, kBorder = 12,
                   kTurn = 18;
  size_t count = graph.layers.size();
  layerHeight.assign(count, 0);
  layerTop.assign(count, 0);
  for (uint32_t item = 0; item < level.items.size(); ++item) {
    double &height = layerHeight[layerOf(item)];
    height = std::max(height, level.items[item].height);
  }
  std::vector<double> aside(count);
  for (const Link &link : graph.links) {
    const Vertex &upper = graph.vertices[link.upper];
    double from = upper.x + link.upperOffset;
    double to = graph.vertices[link.lower].x + link.lowerOffset;
    aside[upper.layer] = std::max(aside[upper.layer], std::fabs(to - from));
  }
  double margin = hasUpward ? kTurn : 0;
  for (size_t layer = 1; layer < count; ++layer) {
    bool atBorder = layer == 1 || layer + 1 == count;
    bool hasLines = !graph.layers[layer == 1 ? 0 : layer].empty();
    double gap = atBorder ? margin + (hasLines ? kBorder : 0) : kGap + margin;
    layerTop[layer] = layerTop[layer - 1] + layerHeight[layer - 1] + gap +
                      std::min(kMostExtra, kSlope * aside[layer - 1]);
  }
  result.height = layerTop.back();
}

void ConnectedLayouter::writeItems() {
  for (uint32_t item = 0; item < level.items.size(); ++item) {
    const Vertex &vertex = graph.vertices[item];
    double free = layerHeight[vertex.layer] - level.items[item].height;
    // Vertices that only end lines stay close to them, and so do those that
    // only begin lines.
    bool above = !graph.linksAbove(item).empty();
    bool below = !graph.linksBelow(item).empty();
    double down = above == below ? free / 2 : above ? 0 : free;
    result.items.push_back(
        {vertex.x - vertex.width / 2, layerTop[vertex.layer] + down});
  }
}

/// From `from` to `to`, leaving and arriving vertically.
static Segment curveTo(Point from, Point to) {
  if (std::fabs(from.x - to.x) < 0.5)
    return {Segment::Kind::Straight, {}, {}, to};
  double middle = (from.y + to.y) / 2;
  return {Segment::Kind::Curve, {from.x, middle}, {to.x, middle}, to};
}

/// A half turn between two points of equal height; downward if `depth` is
/// positive.
static Segment turnTo(Point from, Point to, double depth) {
  return {
      Segment::Kind::Curve, {from.x, from.y + depth}, {to.x, to.y + depth}, to};
}

static void goDown(LevelPath &path, Point &at, double y) {
  if (y - at.y < 0.5 && at.y - y < 0.5)
    return;
  at.y = y;
  path.segments.push_back({Segment::Kind::Straight, {}, {}, at});
}

LevelPath ConnectedLayouter::pathDown(const Route &route) const {
  LevelPath path = {route.wire, route.end, {}, {}, false};
  uint32_t start = startVertex(route.wire);
  uint32_t target = endVertex(route.wire, route.end);
  bool fromItem = start < level.items.size();
  const Link &first = graph.links[route.firstLink];
  Point at = {graph.vertices[start].x + first.upperOffset,
              fromItem ? result.items[start].y + level.items[start].height
                       : layerTop[0]};
  path.start = at;
  auto bottomOf = [&](uint32_t layer) {
    return layerTop[layer] + layerHeight[layer];
  };
  goDown(path, at, bottomOf(layerOf(start)));
  for (uint32_t bend : route.bends) {
    uint32_t layer = layerOf(bend);
    Point next = {graph.vertices[bend].x, layerTop[layer]};
    path.segments.push_back(curveTo(at, next));
    at = next;
    goDown(path, at, bottomOf(layer));
  }
  const Link &last = graph.links[route.link];
  Point next = {graph.vertices[target].x + last.lowerOffset,
                layerTop[layerOf(target)]};
  path.segments.push_back(curveTo(at, next));
  at = next;
  goDown(path, at,
         target < level.items.size() ? result.items[target].y : result.height);
  return path;
}

LevelPath ConnectedLayouter::pathUp(const Route &route) const {
  constexpr double kDepth = 18;
  LevelPath path = {route.wire, route.end, {}, {}, false};
  const LevelWire &wire = level.wires[route.wire];
  uint32_t start = wire.start.item, target = wire.ends[route.end].item;
  Point at = {graph.vertices[start].x + offsetIn(wire.start),
              result.items[start].y + level.items[start].height};
  path.start = at;
  goDown(path, at, layerTop[layerOf(start)] + layerHeight[layerOf(start)]);
  bool isFirst = true;
  for (uint32_t bend : llvm::reverse(route.bends)) {
    uint32_t layer = layerOf(bend);
    Point next = {graph.vertices[bend].x, layerTop[layer] + layerHeight[layer]};
    path.segments.push_back(isFirst ? turnTo(at, next, kDepth)
                                    : curveTo(at, next));
    isFirst = false;
    at = next;
    goDown(path, at, layerTop[layer]);
  }
  // Next to the lines that arrive from above.
  double offset = wire.ends[route.end].offset == LevelEnd::kAnywhere
                      ? middleOf(target) + 0.42 * level.items[target].width
                      : offsetIn(wire.ends[route.end]);
  Point next = {graph.vertices[target].x + offset, at.y};
  path.segments.push_back(turnTo(at, next, -kDepth));
  at = next;
  goDown(path, at, result.items[target].y);
  return path;
}

LevelPath ConnectedLayouter::selfLoop(uint32_t wire, uint32_t end,
                                      uint32_t item) const {
  const LevelItem &box = level.items[item];
  double right = result.items[item].x + box.width, top = result.items[item].y;
  double reach = right + kLoopWidth * 1.25;
  LevelPath path = {wire, end, {right, top + 0.75 * box.height}, {}, false};
  path.segments.push_back({Segment::Kind::Curve,
                           {reach, top + 0.75 * box.height},
                           {reach, top + 0.25 * box.height},
                           {right, top + 0.25 * box.height}});
  return path;
}

/// Number of segments that two whole paths share from their start.
static size_t countShared(const LevelPath &a, const LevelPath &b) {
  auto isSame = [](const Point &x, const Point &y) {
    return x.x == y.x && x.y == y.y;
  };
  size_t limit = std::min(a.segments.size(), b.segments.size());
  size_t shared = 0;
  if (a.wire == b.wire && isSame(a.start, b.start))
    while (shared < limit &&
           isSame(a.segments[shared].to, b.segments[shared].to))
      ++shared;
  return shared;
}

void ConnectedLayouter::writePaths() {
  for (LevelPath &path : result.paths)
    path = selfLoop(path.wire, path.end, level.wires[path.wire].start.item);
  // The farthest end of a wire comes last in its routes and has the whole path;
  // the others begin where they branch off.
  LevelPath before;
  for (const Route &route : llvm::reverse(routes)) {
    LevelPath path = route.goesUp ? pathUp(route) : pathDown(route);
    size_t shared = 0;
    if (!route.goesUp && !level.wires[route.wire].isWhole[route.end])
      shared = std::min(countShared(before, path), path.segments.size() - 1);
    LevelPath own = {path.wire, path.end, path.start, {}, shared > 0};
    if (shared)
      own.start = path.segments[shared - 1].to;
    own.segments.assign(path.segments.begin() + shared, path.segments.end());
    result.paths.push_back(std::move(own));
    if (!route.goesUp)
      before = std::move(path);
  }
}

LevelLayout ConnectedLayouter::run() {
  makeItems();
  makeBorders();
  makeRoutes();
  result.crossings = reduceCrossings(graph);
  alignVertices(graph);
  spreadArrivals();
  result.width = placeVertices(graph);
  placeLayers();
  writeItems();
  writePaths();
  result.entryX.assign(level.wires.size(), 0);
  result.exitX.assign(level.wires.size(), 0);
  for (uint32_t wire = 0; wire < level.wires.size(); ++wire) {
    if (entries[wire] != kNoVertex)
      result.entryX[wire] = graph.vertices[entries[wire]].x;
    if (exits[wire] != kNoVertex)
      result.exitX[wire] = graph.vertices[exits[wire]].x;
  }
  return std::move(result);
}

LevelLayout graph::layOutConnected(const LevelGraph &level) {
  return ConnectedLayouter(level).run();
}
