//===- Repeats.cpp - Repeated consecutive parts ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatFolder.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::graph;

static llvm::StringRef withoutNumber(llvm::StringRef name) {
  llvm::StringRef head = name.rtrim("0123456789");
  return head.empty() ? name.take_front(0) : head.rtrim("._-#");
}

llvm::StringRef RepeatFolder::nameOf(Place place) const {
  if (!isCluster(place))
    return withoutNumber(graph.nodes[place].name);
  uint32_t owner = tree.ownerOf(place - nodeCount);
  return withoutNumber(owner == kNoNode ? graph.clusters[place - nodeCount].name
                                        : graph.nodes[owner].name);
}

/// Topological order, except that nodes without inputs come directly before
/// their users.
void RepeatFolder::findKeys() {
  TopologicalOrder order = computeOrder(nodeCount, graph.edges);
  std::vector<bool> isSource(nodeCount, true);
  std::vector<uint64_t> firstUse(nodeCount, ~uint64_t(0));
  for (auto [index, edge] : llvm::enumerate(graph.edges)) {
    if (order.ignored[index])
      continue;
    isSource[edge.to] = false;
    firstUse[edge.from] =
        std::min<uint64_t>(firstUse[edge.from], order.position[edge.to]);
  }
  keys.assign(size_t(nodeCount) + root + 1, ~uint64_t(0));
  sizes.assign(keys.size(), 0);
  for (uint32_t node = 0; node < nodeCount; ++node) {
    bool isEarly = isSource[node] && firstUse[node] != ~uint64_t(0);
    keys[node] =
        isEarly ? firstUse[node] * 2 : uint64_t(order.position[node]) * 2 + 1;
    sizes[node] = 1;
    uint32_t body = tree.bodyOf(node);
    Place holder =
        nodeCount + (body == kNoCluster ? tree.clusterOf(node) : body);
    keys[holder] = std::min(keys[holder], keys[node]);
    ++sizes[holder];
  }
  for (uint32_t cluster = root; cluster-- > 0;) {
    Place own = nodeCount + cluster, outer = nodeCount + tree.parentOf(cluster);
    keys[outer] = std::min(keys[outer], keys[own]);
    sizes[outer] += sizes[own];
  }
}

static uint64_t hashOf(llvm::ArrayRef<uint64_t> words) {
  return llvm::xxh3_64bits(
      llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words.data()),
                              words.size() * sizeof(uint64_t)));
}

void RepeatFolder::signNodes() {
  signatures.assign(keys.size(), 0);
  for (uint32_t node = 0; node < nodeCount; ++node)
    signatures[node] =
        hashOf({llvm::xxh3_64bits(nameOf(node)),
                llvm::xxh3_64bits(withoutNumber(graph.nodes[node].detail))});
}

void RepeatFolder::findSatellites() {
  std::vector<bool> hasInput(nodeCount);
  anchors.assign(nodeCount, kNoNode);
  for (const Edge &edge : graph.edges) {
    if (edge.from >= nodeCount || edge.to >= nodeCount)
      continue;
    if (!graph.nodes[edge.from].incidental)
      hasInput[edge.to] = true;
    uint32_t home = tree.clusterOf(edge.from), at = tree.clusterOf(edge.to);
    uint32_t body = tree.bodyOf(edge.to);
    Place place = body == kNoCluster ? edge.to : nodeCount + body;
    while (at != home && at != root) {
      place = nodeCount + at;
      at = tree.parentOf(at);
    }
    Place &anchor = anchors[edge.from];
    if (at != home)
      hasInput[edge.from] = true;
    else if (anchor == kNoNode || keys[place] < keys[anchor])
      anchor = place;
  }
  // The first part of a stack has its input from outside of the graph.
  llvm::DenseSet<uint64_t> needing;
  for (uint32_t node = 0; node < nodeCount; ++node)
    if (hasInput[node])
      needing.insert(signatures[node]);
  for (uint32_t node = 0; node < nodeCount; ++node) {
    bool isMember =
        needing.contains(signatures[node]) && !graph.nodes[node].incidental;
    if (isMember || tree.bodyOf(node) != kNoCluster)
      anchors[node] = kNoNode;
    else if (anchors[node] == kNoNode)
      anchors[node] = nodeCount + tree.clusterOf(node);
  }
}

void RepeatFolder::findMembers() {
  members.resize(size_t(root) + 1);
  indexOf.assign(keys.size(), 0);
  for (uint32_t cluster = 0; cluster <= root; ++cluster) {
    std::vector<Place> &own = members[cluster];
    for (uint32_t node : tree.nodesOf(cluster))
      if (anchors[node] == kNoNode)
        own.push_back(node);
    for (uint32_t child : tree.childrenOf(cluster))
      if (sizes[nodeCount + child])
        own.push_back(nodeCount + child);
    llvm::sort(own, [&](Place a, Place b) {
      return std::make_pair(keys[a], a) < std::make_pair(keys[b], b);
    });
    for (auto [index, place] : llvm::enumerate(own))
      indexOf[place] = uint32_t(index);
  }
}

void RepeatFolder::findEdges() {
  auto placeOf = [&](uint32_t node) {
    uint32_t body = tree.bodyOf(node);
    return body == kNoCluster ? node : nodeCount + body;
  };
  for (const Edge &edge : graph.edges) {
    if (edge.from >= nodeCount || edge.to >= nodeCount ||
        anchors[edge.from] != kNoNode || anchors[edge.to] != kNoNode)
      continue;
    uint32_t up = tree.clusterOf(edge.from), down = tree.clusterOf(edge.to);
    Place from = placeOf(edge.from), to = placeOf(edge.to);
    while (up != down) {
      bool goUp = tree.depthOf(up) >= tree.depthOf(down);
      bool goDown = tree.depthOf(down) >= tree.depthOf(up);
      if (goUp) {
        from = nodeCount + up;
        up = tree.parentOf(up);
      }
      if (goDown) {
        to = nodeCount + down;
        down = tree.parentOf(down);
      }
    }
    if (from != to)
      edges.push_back({up, from, to});
  }
  auto key = [&](const MemberEdge &e) {
    return std::make_tuple(e.cluster, indexOf[e.to], indexOf[e.from]);
  };
  llvm::sort(edges, [&](const MemberEdge &a, const MemberEdge &b) {
    return key(a) < key(b);
  });
}

/// From the inside out; the root does not need a signature.
void RepeatFolder::signClusters() {
  std::vector<uint64_t> words;
  for (uint32_t cluster = root; cluster-- > 0;) {
    words = {1, llvm::xxh3_64bits(nameOf(nodeCount + cluster))};
    for (Place place : membersOf(cluster))
      words.push_back(signatures[place]);
    auto begin = llvm::partition_point(
        edges, [&](const MemberEdge &e) { return e.cluster < cluster; });
    for (; begin != edges.end() && begin->cluster == cluster; ++begin)
      words.push_back(uint64_t(indexOf[begin->from]) << 32 |
                      indexOf[begin->to]);
    signatures[nodeCount + cluster] = hashOf(words);
  }
}

/// Stretches in which each member has the signature of the member a period
/// before, those that save most first.
std::vector<Stretch>
RepeatFolder::findStretches(llvm::ArrayRef<Place> own) const {
  constexpr size_t kWork = 50'000'000;
  std::vector<uint64_t> row;
  for (Place place : own)
    row.push_back(signatures[place]);
  std::vector<Stretch> stretches;
  size_t longest = std::min(row.size() / kLeastRepeats,
                            kWork / std::max<size_t>(row.size(), 1));
  for (size_t period = 1; period <= longest; ++period) {
    size_t begin = 0;
    for (size_t i = period; i <= row.size(); ++i) {
      if (i < row.size() && row[i] == row[i - period])
        continue;
      size_t repeats = (i - begin) / period;
      if (repeats >= kLeastRepeats)
        stretches.push_back({begin, period, repeats});
      begin = i + 1 - period;
    }
  }
  llvm::stable_sort(stretches, [](const Stretch &a, const Stretch &b) {
    return a.saved() > b.saved();
  });
  return stretches;
}

/// The longest part of a stretch whose repeats also agree in their edges.
Stretch RepeatFolder::longestChain(llvm::ArrayRef<Place> own,
                                   const Stretch &stretch) const {
  struct Part {
    std::vector<uint64_t> within, carried;
    /// One more than the latest repeat before the previous one from which an
    /// edge comes.
    size_t far = 0;
  };
  std::vector<Part> parts(stretch.repeats);
  uint32_t cluster = isCluster(own[0]) ? tree.parentOf(own[0] - nodeCount)
                                       : tree.clusterOf(own[0]);
  // Collect the edges of each repeat: those within it, those from the previous
  // repeat, and how far back all others reach.
  size_t end = stretch.begin + stretch.period * stretch.repeats;
  auto edge = llvm::partition_point(edges, [&](const MemberEdge &e) {
    return std::make_pair(size_t(e.cluster), size_t(indexOf[e.to])) <
           std::make_pair(size_t(cluster), stretch.begin);
  });
  for (; edge != edges.end() && edge->cluster == cluster; ++edge) {
    size_t to = indexOf[edge->to], from = indexOf[edge->from];
    if (to >= end)
      break;
    if (from < stretch.begin || from >= end)
      continue;
    size_t target = (to - stretch.begin) / stretch.period;
    size_t source = (from - stretch.begin) / stretch.period;
    uint64_t pair = uint64_t((from - stretch.begin) % stretch.period) << 32 |
                    (to - stretch.begin) % stretch.period;
    if (source == target)
      parts[target].within.push_back(pair);
    else if (source + 1 == target)
      parts[target].carried.push_back(pair);
    else
      parts[std::max(source, target)].far = std::max(
          parts[std::max(source, target)].far, std::min(source, target) + 1);
  }
  // Extend a chain while the next repeat has the edges of the first one,
  // receives the same edges from its predecessor, and no others from within the
  // chain.
  Stretch best = {stretch.begin, stretch.period, 1};
  size_t first = 0;
  for (size_t i = 1; i <= parts.size(); ++i) {
    bool goesOn =
        i < parts.size() && parts[i].within == parts[first].within &&
        !parts[i].carried.empty() && parts[i].far <= first &&
        (i == first + 1 || parts[i].carried == parts[first + 1].carried);
    if (goesOn)
      continue;
    if (i - first > best.repeats)
      best = {stretch.begin + first * stretch.period, stretch.period,
              i - first};
    first = i;
  }
  return best;
}

/// Whether counterparts exist for the entire content of both.
bool RepeatFolder::isAlike(Place a, Place b) const {
  if (isCluster(a) != isCluster(b))
    return false;
  if (!isCluster(a))
    return true;
  uint32_t x = a - nodeCount, y = b - nodeCount;
  if (membersOf(x).size() != membersOf(y).size() ||
      (tree.ownerOf(x) == kNoNode) != (tree.ownerOf(y) == kNoNode))
    return false;
  for (auto [one, other] : llvm::zip_equal(membersOf(x), membersOf(y)))
    if (!isAlike(one, other))
      return false;
  return true;
}

void RepeatFolder::stand(Place first, Place other) {
  standsFor[other] = first;
  if (!isCluster(first))
    return;
  uint32_t x = first - nodeCount, y = other - nodeCount;
  isDropped[y] = true;
  if (tree.ownerOf(x) != kNoNode)
    standsFor[tree.ownerOf(y)] = tree.ownerOf(x);
  for (auto [one, another] : llvm::zip_equal(membersOf(x), membersOf(y)))
    stand(one, another);
}

/// Satellites of counterparts are counterparts by name; the first of them is
/// shown if the first repeat does not have one.
void RepeatFolder::standSatellites() {
  std::map<std::tuple<Place, uint64_t, uint32_t>, uint32_t> shown;
  std::map<std::pair<Place, uint64_t>, uint32_t> counts;
  for (bool isCopy : {false, true})
    for (uint32_t node = 0; node < nodeCount; ++node) {
      Place anchor = anchors[node];
      if (anchor == kNoNode || (firstOf(anchor) != anchor) != isCopy)
        continue;
      uint32_t number = counts[{anchor, signatures[node]}]++;
      standsFor[node] =
          shown.try_emplace({firstOf(anchor), signatures[node], number}, node)
              .first->second;
    }
}

void RepeatFolder::fold(uint32_t cluster, llvm::ArrayRef<Place> own,
                        const Stretch &stretch) {
  uint32_t number = uint32_t(folds.size());
  folds.push_back({cluster, getName(own, stretch)});
  llvm::ArrayRef<Place> first = own.slice(stretch.begin, stretch.period);
  if (stretch.period == 1 && isCluster(first[0]) &&
      tree.ownerOf(first[0] - nodeCount) == kNoNode)
    folds.back().only = first[0];
  else
    for (Place place : first)
      foldOf[place] = number;
  for (size_t repeat = 1; repeat < stretch.repeats; ++repeat)
    for (auto [place, other] : llvm::zip_equal(
             first, own.slice(stretch.begin + repeat * stretch.period,
                              stretch.period)))
      stand(place, other);
}

void RepeatFolder::foldCluster(uint32_t cluster) {
  llvm::ArrayRef<Place> own = membersOf(cluster);
  if (own.size() < kLeastRepeats)
    return;
  std::vector<bool> isTaken(own.size());
  constexpr size_t kTried = 256;
  std::vector<Stretch> stretches = findStretches(own);
  for (const Stretch &wide : llvm::ArrayRef<Stretch>(stretches).take_front(
           std::min(kTried, stretches.size()))) {
    if (isTaken[wide.begin] ||
        isTaken[wide.begin + wide.period * wide.repeats - 1])
      continue;
    Stretch stretch = longestChain(own, wide);
    auto range = own.slice(stretch.begin, stretch.period * stretch.repeats);
    uint64_t nodes = 0;
    for (Place place : range.drop_front(stretch.period))
      nodes += sizes[place];
    bool fits = stretch.repeats >= kLeastRepeats && nodes >= kLeastFolded;
    for (size_t i = stretch.period; fits && i < range.size(); ++i)
      fits = isAlike(range[i % stretch.period], range[i]);
    for (size_t i = 0; fits && i < range.size(); ++i)
      fits = !isTaken[stretch.begin + i];
    if (!fits)
      continue;
    std::fill_n(isTaken.begin() + stretch.begin, range.size(), true);
    fold(cluster, own, stretch);
  }
}

CollapsedGraph RepeatFolder::run() {
  // Clusters dissolved because of their depth do not have copies to compare.
  if (nodeCount < kLeastFolded || tree.getDissolved())
    return {};
  findKeys();
  signNodes();
  findSatellites();
  findMembers();
  findEdges();
  signClusters();
  for (Place place = 0; place < keys.size(); ++place)
    standsFor.push_back(place);
  isDropped.assign(size_t(root) + 1, false);
  foldOf.assign(keys.size(), kNoCluster);
  foldCluster(root);
  for (uint32_t cluster = 0; cluster < root; ++cluster)
    if (!isDropped[cluster])
      foldCluster(cluster);
  if (folds.empty())
    return {};
  standSatellites();
  result.graph.name = graph.name;
  writeClusters();
  writeNodes();
  writeEdges();
  result.notes.push_back(std::to_string(foldedNodes) +
                         " nodes of repeated parts folded (--unfold draws "
                         "each)");
  return std::move(result);
}

CollapsedGraph graph::foldRepeats(const Graph &graph) {
  return RepeatFolder(graph).run();
}
