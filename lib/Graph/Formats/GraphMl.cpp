//===- GraphMl.cpp - Graphs as GraphML ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Collapse.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Text.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

struct Key {
  llvm::StringLiteral name;
  llvm::StringLiteral type;
};

} // namespace

static constexpr Key kKeys[] = {
    {"name", "string"},      {"detail", "string"},  {"begin_ps", "long"},
    {"duration_ps", "long"}, {"share_ppm", "long"}, {"measured", "boolean"},
    {"critical", "boolean"}, {"cluster", "string"}, {"count", "long"},
    {"inclusive_ps", "long"}};

/// "main / while.3 / body" for each cluster.
static std::vector<std::string> clusterPaths(const Graph &graph) {
  // Keeps paths short; deeper clusters have their ancestor's path.
  constexpr uint32_t kDepth = 32;
  ClusterTree tree(graph, kDepth);
  std::vector<std::string> paths(graph.clusters.size());
  for (uint32_t cluster = 0; cluster < paths.size(); ++cluster) {
    uint32_t parent = tree.parentOf(cluster);
    if (parent == tree.getRoot())
      paths[cluster] = graph.clusters[cluster].name;
    else
      paths[cluster] = paths[parent] + " / " + graph.clusters[cluster].name;
  }
  return paths;
}

static void writeNode(const Node &node, uint32_t position, int64_t total,
                      llvm::ArrayRef<std::string> paths,
                      llvm::raw_ostream &os) {
  auto writeString = [&](llvm::StringRef key, llvm::StringRef value) {
    if (value.empty())
      return;
    os << "<data key=\"" << key << "\">";
    writeXml(os, value);
    os << "</data>";
  };
  auto writeFlag = [&](llvm::StringRef key, bool value) {
    os << "<data key=\"" << key << "\">" << (value ? "true" : "false")
       << "</data>";
  };
  os << "    <node id=\"n" << position << "\">";
  writeString("name", node.name);
  writeString("detail", node.detail);
  os << "<data key=\"begin_ps\">" << node.beginPs << "</data>"
     << "<data key=\"duration_ps\">" << node.durationPs << "</data>";
  if (node.measured && total > 0)
    os << "<data key=\"share_ppm\">"
       << std::llround(1e6 * double(node.durationPs) / double(total))
       << "</data>";
  writeFlag("measured", node.measured);
  writeFlag("critical", node.critical);
  if (node.cluster < paths.size())
    writeString("cluster", paths[node.cluster]);
  if (node.calls)
    os << "<data key=\"count\">" << node.calls << "</data>"
       << "<data key=\"inclusive_ps\">" << node.inclusivePs << "</data>";
  os << "</node>\n";
}

void graph::writeGraphMl(const Graph &graph, const DrawOptions &options,
                         llvm::raw_ostream &os) {
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const Key &key : kKeys)
    os << "  <key id=\"" << key.name << "\" for=\"node\" attr.name=\""
       << key.name << "\" attr.type=\"" << key.type << "\"/>\n";
  os << "  <graph id=\"graph\" edgedefault=\"directed\">\n    <desc>";
  writeXml(os, options.title.empty() ? graph.name : options.title);
  os << "</desc>\n";
  std::vector<std::string> paths = clusterPaths(graph);
  int64_t total = totalTime(graph);
  for (auto [position, node] : llvm::enumerate(graph.nodes))
    writeNode(node, uint32_t(position), total, paths, os);
  for (const Edge &edge : graph.edges)
    os << "    <edge source=\"n" << edge.from << "\" target=\"n" << edge.to
       << "\"/>\n";
  os << "  </graph>\n</graphml>\n";
}

GraphFormat graph::format::GraphMl() {
  return {"graphml", "GraphML (yEd, Gephi, NetworkX)", writeGraphMl};
}
