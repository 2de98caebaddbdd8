//===- Dot.cpp - Graphs for Graphviz --------------------------------------===//
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

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

class DotWriter {
public:
  DotWriter(const Graph &graph, const DrawOptions &options,
            llvm::raw_ostream &os)
      : graph(graph), options(options), os(os), tree(graph, kDepth),
        scale(options.palette, options.scale, graph), total(totalTime(graph)) {}

  void write();

private:
  /// Graphviz reads subgraphs recursively.
  static constexpr uint32_t kDepth = 64;

  void writeText(llvm::StringRef text);
  void writeNode(uint32_t node);
  void writeClusters();
  void openCluster(uint32_t cluster);

  const Graph &graph;
  const DrawOptions &options;
  llvm::raw_ostream &os;
  ClusterTree tree;
  HeatScale scale;
  int64_t total;
};

} // namespace

/// Writes a quoted string. Graphviz decodes XML entities in strings, so beyond
/// XML only backslashes before quotes and line ends need escaping.
void DotWriter::writeText(llvm::StringRef text) {
  std::string xml;
  llvm::raw_string_ostream stream(xml);
  writeXml(stream, text);
  os << '"';
  for (char c : xml) {
    if (c == '\n')
      os << "\\n";
    else if (c == '\\')
      os << "\\\\";
    else
      os << c;
  }
  os << '"';
}

void DotWriter::writeNode(uint32_t position) {
  constexpr double kSize = 12, kWidth = 400;
  const Node &node = graph.nodes[position];
  std::string label = fitText(node.name, kSize, kWidth);
  if (!node.detail.empty())
    label += "\n" + fitText(node.detail, kSize, kWidth);
  if (node.measured)
    label += "\n" + describeTime(node, total);
  Color fill =
      node.measured ? scale.colorOf(node.durationPs) : HeatScale::unmeasured();
  os << "  n" << position << " [label=";
  writeText(label);
  os << ", fillcolor=\"" << fill.toHex() << "\", fontcolor=\""
     << textColorOn(fill).toHex() << "\", tooltip=";
  writeText(node.name + (node.tooltip.empty() ? "" : "\n") + node.tooltip);
  if (node.critical)
    os << ", penwidth=3";
  os << "];\n";
}

void DotWriter::openCluster(uint32_t cluster) {
  os << "subgraph cluster" << cluster << " {\n  label=";
  writeText(graph.clusters[cluster].name);
  os << ";\n";
  if (uint32_t owner = tree.ownerOf(cluster); owner != kNoNode)
    writeNode(owner);
  for (uint32_t node : tree.nodesOf(cluster))
    writeNode(node);
}

void DotWriter::writeClusters() {
  struct Place {
    uint32_t cluster;
    uint32_t next;
  };
  std::vector<Place> stack = {{tree.getRoot(), 0}};
  for (uint32_t node : tree.nodesOf(tree.getRoot()))
    writeNode(node);
  while (!stack.empty()) {
    auto &[cluster, next] = stack.back();
    llvm::ArrayRef<uint32_t> children = tree.childrenOf(cluster);
    if (next < children.size()) {
      uint32_t child = children[next++];
      openCluster(child);
      stack.push_back({child, 0});
      continue;
    }
    if (cluster != tree.getRoot())
      os << "}\n";
    stack.pop_back();
  }
}

void DotWriter::write() {
  os << "digraph ";
  writeText(graph.name);
  os << " {\n  label=";
  writeText(options.title.empty() ? graph.name : options.title);
  os << ";\n  labelloc=t;\n  fontname=\"Helvetica\";\n"
        "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", "
        "fontsize=12];\n"
        "  edge [color=\"#5c6670\"];\n";
  writeClusters();
  for (const Edge &edge : graph.edges)
    os << "  n" << edge.from << " -> n" << edge.to << ";\n";
  os << "}\n";
}

void graph::writeDot(const Graph &graph, const DrawOptions &options,
                     llvm::raw_ostream &os) {
  DotWriter(graph, options, os).write();
}

GraphFormat graph::format::Dot() { return {"dot", "Graphviz", writeDot}; }
