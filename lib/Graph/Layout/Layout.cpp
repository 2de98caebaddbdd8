//===- Layout.cpp - Layout of nested clusters -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Layout.h"
#include "LevelLayout.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// A piece of an edge within one cluster. Pieces with the same source and
/// cluster become one wire.
struct Piece {
  uint32_t cluster = 0;
  uint32_t source = 0;
  /// Nodes, or the number of nodes + cluster, or LevelEnd::kBorder.
  uint32_t start = 0;
  uint32_t end = 0;
  /// The target node of the edge, if `end` is its box or frame.
  uint32_t target = kNoNode;
  bool critical = false;
};

/// A level, and what its items and wires are in the graph.
struct Level {
  LevelGraph graph;
  /// Nodes, or the number of nodes + cluster.
  std::vector<uint32_t> items;
  std::vector<uint32_t> sources;
  /// Pieces of each wire's ends.
  std::vector<llvm::SmallVector<Piece, 2>> ends;
  LevelLayout layout;
  /// Top left of its content in the picture.
  Point at;
};

class Layouter {
public:
  Layouter(const Graph &graph, const LayoutSizes &sizes)
      : graph(graph), sizes(sizes), tree(graph, kMaxDrawnDepth),
        nodeCount(uint32_t(graph.nodes.size())), levels(tree.getRoot() + 1) {}

  Layout run();

private:
  static constexpr double kSide = 12, kTop = 8, kBottom = 12, kMargin = 16;

  void findEmptyClusters();
  void findCriticalEdges();
  void cutEdges();
  void cutEdge(uint32_t edge);
  void makeLevel(uint32_t cluster, llvm::ArrayRef<Piece> own);
  void addWires(Level &level, llvm::ArrayRef<Piece> own);
  LevelEnd endAt(uint32_t place, uint32_t source, uint32_t target,
                 llvm::ArrayRef<uint32_t> localIndex, bool isStart) const;
  Box frameSize(uint32_t cluster) const;
  void placeLevel(uint32_t cluster);
  void writeWires(uint32_t cluster);
  bool isCluster(uint32_t place) const { return place >= nodeCount; }
  /// The place of a node in its cluster: its own box or the frame of its body.
  uint32_t placeOf(uint32_t node) const {
    uint32_t body = tree.bodyOf(node);
    return body == kNoCluster ? node : nodeCount + body;
  }

  const Graph &graph;
  const LayoutSizes &sizes;
  ClusterTree tree;
  uint32_t nodeCount;
  std::vector<Level> levels;
  std::vector<bool> isEmpty;
  std::vector<bool> isCritical;
  std::vector<Piece> pieces;
  /// Level index of each place within its level.
  std::vector<uint32_t> localIndex;
  Layout result;
};

} // namespace

void Layouter::findEmptyClusters() {
  isEmpty.assign(tree.getRoot() + 1, true);
  for (uint32_t cluster = tree.getRoot(); cluster-- > 0;) {
    if (!tree.nodesOf(cluster).empty() || tree.ownerOf(cluster) != kNoNode)
      isEmpty[cluster] = false;
    if (!isEmpty[cluster])
      isEmpty[tree.parentOf(cluster)] = false;
  }
}

/// The critical path consists of the critical nodes in topological order; an
/// edge that skips some of them is not on it, unless they are in the body of
/// its source.
void Layouter::findCriticalEdges() {
  isCritical.assign(graph.edges.size(), false);
  if (llvm::none_of(graph.nodes, [](const Node &n) { return n.critical; }))
    return;
  TopologicalOrder order = computeOrder(nodeCount, graph.edges);
  std::vector<uint32_t> rank(nodeCount, 0);
  uint32_t next = 1;
  for (uint32_t node : order.nodes)
    if (graph.nodes[node].critical)
      rank[node] = next++;
  std::vector<uint32_t> lastIn(tree.getRoot() + 1, 0);
  for (uint32_t node = 0; node < nodeCount; ++node) {
    uint32_t &last = lastIn[tree.clusterOf(node)];
    last = std::max(last, rank[node]);
  }
  for (uint32_t cluster = tree.getRoot(); cluster-- > 0;) {
    uint32_t &last = lastIn[tree.parentOf(cluster)];
    last = std::max(last, lastIn[cluster]);
  }
  for (auto [index, edge] : llvm::enumerate(graph.edges)) {
    if (order.ignored[index] || !rank[edge.from])
      continue;
    uint32_t body = tree.bodyOf(edge.from);
    uint32_t last = body == kNoCluster ? 0 : lastIn[body];
    isCritical[index] = rank[edge.to] == rank[edge.from] + 1 ||
                        (last && rank[edge.to] == last + 1);
  }
}

void Layouter::cutEdge(uint32_t index) {
  const Edge &edge = graph.edges[index];
  if (edge.from >= nodeCount || edge.to >= nodeCount)
    return;
  Piece piece;
  piece.source = edge.from;
  piece.critical = isCritical[index];
  uint32_t up = tree.clusterOf(edge.from), down = tree.clusterOf(edge.to);
  uint32_t from = placeOf(edge.from), to = placeOf(edge.to);
  auto depth = [&](uint32_t cluster) { return tree.depthOf(cluster); };
  auto add = [&](uint32_t cluster, uint32_t start, uint32_t end) {
    Piece copy = piece;
    copy.cluster = cluster;
    copy.start = start;
    copy.end = end;
    copy.target = end == placeOf(edge.to) ? edge.to : kNoNode;
    pieces.push_back(copy);
  };
  while (up != down) {
    bool goUp = depth(up) >= depth(down), goDown = depth(down) >= depth(up);
    if (goUp) {
      add(up, from, LevelEnd::kBorder);
      from = nodeCount + up;
      up = tree.parentOf(up);
    }
    if (goDown) {
      add(down, LevelEnd::kBorder, to);
      to = nodeCount + down;
      down = tree.parentOf(down);
    }
  }
  if (from != to || edge.from == edge.to)
    add(up, from, to);
}

void Layouter::cutEdges() {
  for (uint32_t edge = 0; edge < graph.edges.size(); ++edge)
    cutEdge(edge);
  auto key = [](const Piece &p) {
    return std::make_tuple(p.cluster, p.source, p.end, p.target, !p.critical);
  };
  llvm::sort(pieces,
             [&](const Piece &a, const Piece &b) { return key(a) < key(b); });
  // Among equal pieces the first is the critical one.
  auto isSame = [](const Piece &a, const Piece &b) {
    return std::tie(a.cluster, a.source, a.end, a.target) ==
           std::tie(b.cluster, b.source, b.end, b.target);
  };
  pieces.erase(std::unique(pieces.begin(), pieces.end(), isSame), pieces.end());
}

Box Layouter::frameSize(uint32_t cluster) const {
  const LevelLayout &content = levels[cluster].layout;
  const Box &title = sizes.titles[cluster];
  if (content.items.empty())
    return {0, 0, title.width, title.height};
  return {0, 0, std::max(title.width, content.width + 2 * kSide),
          title.height + kTop + content.height + kBottom};
}

LevelEnd Layouter::endAt(uint32_t place, uint32_t source, uint32_t target,
                         llvm::ArrayRef<uint32_t> local, bool isStart) const {
  if (place == LevelEnd::kBorder)
    return {LevelEnd::kBorder, 0};
  LevelEnd end = {local[place], LevelEnd::kAnywhere};
  if (!isCluster(place))
    return end;
  // A line of the content continues where it meets the frame; a line of the
  // owner begins or ends anywhere on the frame.
  uint32_t cluster = place - nodeCount;
  uint32_t owner = tree.ownerOf(cluster);
  if (owner != kNoNode && owner == (isStart ? source : target))
    return end;
  const Level &inner = levels[cluster];
  auto it = llvm::lower_bound(inner.sources, source);
  size_t wire = size_t(it - inner.sources.begin());
  const std::vector<double> &xs =
      isStart ? inner.layout.exitX : inner.layout.entryX;
  double slack = std::max(
      0.0, (frameSize(cluster).width - inner.layout.width - 2 * kSide) / 2);
  end.offset = xs[wire] + kSide + slack;
  return end;
}

void Layouter::addWires(Level &level, llvm::ArrayRef<Piece> own) {
  for (size_t i = 0; i < own.size();) {
    LevelWire wire;
    uint32_t source = own[i].source;
    wire.start = endAt(own[i].start, source, kNoNode, localIndex, true);
    llvm::SmallVector<Piece, 2> ends;
    for (; i < own.size() && own[i].source == source; ++i) {
      ends.push_back(own[i]);
      // A critical line is drawn over the path that it shares.
      wire.isWhole.push_back(own[i].critical);
      wire.ends.push_back(
          endAt(own[i].end, source, own[i].target, localIndex, false));
      if (wire.ends.back().item == wire.start.item &&
          wire.start.item != LevelEnd::kBorder)
        level.graph.items[wire.start.item].selfLoop = true;
    }
    level.graph.wires.push_back(std::move(wire));
    level.sources.push_back(source);
    level.ends.push_back(std::move(ends));
  }
}

void Layouter::makeLevel(uint32_t cluster, llvm::ArrayRef<Piece> own) {
  Level &level = levels[cluster];
  auto addItem = [&](uint32_t place, const Box &size) {
    localIndex[place] = uint32_t(level.items.size());
    level.items.push_back(place);
    level.graph.items.push_back({size.width, size.height, false});
  };
  for (uint32_t node : tree.nodesOf(cluster))
    addItem(node, sizes.nodes[node]);
  for (uint32_t child : tree.childrenOf(cluster))
    if (!isEmpty[child])
      addItem(nodeCount + child, frameSize(child));
  addWires(level, own);
  level.layout = layOutLevel(level.graph);
  result.crossings += level.layout.crossings;
  result.undrawnEdges += level.layout.undrawnEnds;
}

void Layouter::placeLevel(uint32_t cluster) {
  Level &level = levels[cluster];
  for (auto [i, place] : llvm::enumerate(level.items)) {
    const Point &item = level.layout.items[i];
    Point at = {level.at.x + item.x, level.at.y + item.y};
    if (!isCluster(place)) {
      result.nodes[place] = {at.x, at.y, sizes.nodes[place].width,
                             sizes.nodes[place].height};
      continue;
    }
    uint32_t child = place - nodeCount;
    Box &frame = result.clusters[child];
    frame = frameSize(child);
    frame.x = at.x;
    frame.y = at.y;
    const Box &title = sizes.titles[child];
    if (uint32_t owner = tree.ownerOf(child); owner != kNoNode)
      result.nodes[owner] = {at.x, at.y, frame.width, title.height};
    double slack = (frame.width - levels[child].layout.width) / 2;
    levels[child].at = {at.x + slack, at.y + title.height + kTop};
  }
}

void Layouter::writeWires(uint32_t cluster) {
  Level &level = levels[cluster];
  bool isRoot = cluster == tree.getRoot();
  for (LevelPath &path : level.layout.paths) {
    const Piece &piece = level.ends[path.wire][path.end];
    Wire wire;
    wire.source = piece.source;
    wire.target = piece.target;
    wire.cluster = cluster;
    wire.critical = piece.critical;
    auto move = [&](Point point) {
      return Point{point.x + level.at.x, point.y + level.at.y};
    };
    wire.start = move(path.start);
    if (!path.isBranch && piece.start == LevelEnd::kBorder && !isRoot) {
      Point inner = wire.start;
      wire.start.y -= kTop;
      wire.segments.push_back({Segment::Kind::Straight, {}, {}, inner});
    }
    for (const Segment &segment : path.segments)
      wire.segments.push_back({segment.kind, move(segment.control1),
                               move(segment.control2), move(segment.to)});
    if (piece.end == LevelEnd::kBorder && !isRoot) {
      Point outer = wire.segments.back().to;
      outer.y += kBottom;
      wire.segments.push_back({Segment::Kind::Straight, {}, {}, outer});
    }
    result.wires.push_back(std::move(wire));
  }
}

Layout Layouter::run() {
  findEmptyClusters();
  findCriticalEdges();
  cutEdges();
  localIndex.resize(size_t(nodeCount) + tree.getRoot());
  result.nodes.resize(nodeCount);
  result.clusters.resize(tree.getRoot());
  // From the inside out. Pieces are sorted by cluster with the root last, and
  // a parent's index is smaller than its children's.
  llvm::ArrayRef<Piece> rest = pieces;
  auto own = [&](uint32_t cluster) {
    auto begin = llvm::partition_point(
        rest, [&](const Piece &p) { return p.cluster < cluster; });
    auto end = llvm::partition_point(
        rest, [&](const Piece &p) { return p.cluster <= cluster; });
    return llvm::ArrayRef<Piece>(begin, end);
  };
  for (uint32_t cluster = tree.getRoot(); cluster-- > 0;)
    if (!isEmpty[cluster])
      makeLevel(cluster, own(cluster));
  uint32_t root = tree.getRoot();
  makeLevel(root, own(root));
  levels[root].at = {kMargin, kMargin};
  placeLevel(root);
  writeWires(root);
  for (uint32_t cluster = 0; cluster < root; ++cluster)
    if (!isEmpty[cluster]) {
      placeLevel(cluster);
      writeWires(cluster);
    }
  result.width = levels[root].layout.width + 2 * kMargin;
  result.height = levels[root].layout.height + 2 * kMargin;
  return std::move(result);
}

Layout graph::layOut(const Graph &graph, const LayoutSizes &sizes) {
  return Layouter(graph, sizes).run();
}
