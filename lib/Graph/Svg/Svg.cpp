//===- Svg.cpp - Graphs as pictures ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Formats/Formats.h"
#include "../Repeats/Repeats.h"
#include "SvgPage.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Collapse.h"
#include "mlir-prof/Graph/Text.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::trace;

namespace {

/// The text of a box.
struct BoxText {
  std::string name;
  std::string detail;
};

class SvgWriter {
public:
  /// `folded` is `original`, or `original` with its repeats folded.
  SvgWriter(const Graph &original, const Graph &folded,
            const DrawOptions &options, llvm::raw_ostream &os)
      : original(original), options(options), os(os),
        collapsed(collapse(folded, options)), graph(collapsed.graph),
        tree(graph, kMaxDrawnDepth),
        scale(options.palette, options.scale, graph),
        total(totalTime(original)) {
    sizes = measure();
    layout = layOut(graph, sizes);
  }

  /// The fraction of the picture that a few screens can show; 1 for all.
  double shareOnScreen() const {
    constexpr double kWidth = 2 * 1920, kHeight = 4 * 1080;
    return std::min({1.0, kWidth / layout.width, kHeight / layout.height});
  }
  uint32_t countBoxes() const { return uint32_t(graph.nodes.size()); }
  void write(llvm::ArrayRef<std::string> notes);

private:
  static constexpr double kBar = 22, kPadding = 11, kWidest = 300;

  LayoutSizes measure();
  BoxText textOf(const Node &node) const;
  std::string titleOf(uint32_t cluster) const;
  svg::Heading makeHeading(llvm::ArrayRef<std::string> notes) const;
  void writeNode(uint32_t node);
  void writeWire(const Wire &wire);
  void openFrame(uint32_t cluster);
  void writeBar(uint32_t cluster);
  void writeContent(uint32_t cluster);
  void writeClusters();
  void writeTooltip(const Node &node);
  void writePoint(Point point) {
    svg::writeNumber(os, point.x);
    os << ',';
    svg::writeNumber(os, point.y);
  }
  void attribute(llvm::StringRef name, double value) {
    os << ' ' << name << "=\"";
    svg::writeNumber(os, value);
    os << '"';
  }

  const Graph &original;
  const DrawOptions &options;
  llvm::raw_ostream &os;
  CollapsedGraph collapsed;
  const Graph &graph;
  ClusterTree tree;
  HeatScale scale;
  int64_t total;
  std::vector<BoxText> texts;
  std::vector<std::string> titles;
  /// Time of each cluster including its content.
  std::vector<int64_t> clusterTimes;
  LayoutSizes sizes;
  Layout layout;
  /// Wires of each cluster.
  std::vector<uint32_t> wireBegin, wires;
};

} // namespace

BoxText SvgWriter::textOf(const Node &node) const {
  BoxText text;
  text.name = fitText(node.name, svg::kNameSize, kWidest);
  if (!node.measured) {
    text.detail = fitText(node.detail, svg::kDetailSize, kWidest);
    return text;
  }
  std::string time = describeTime(node, total);
  if (node.calls)
    time += " \xC2\xB7 " + std::to_string(node.calls) + "\xC3\x97";
  if (node.detail.empty()) {
    text.detail = time;
    return text;
  }
  time = " \xC2\xB7 " + time;
  text.detail = fitText(node.detail, svg::kDetailSize,
                        kWidest - textWidth(time, svg::kDetailSize)) +
                time;
  return text;
}

std::string SvgWriter::titleOf(uint32_t cluster) const {
  uint32_t owner = tree.ownerOf(cluster);
  llvm::StringRef name = graph.clusters[cluster].name;
  bool hasTime = clusterTimes[cluster] > 0;
  int64_t time = clusterTimes[cluster];
  if (owner != kNoNode) {
    name = graph.nodes[owner].name;
    hasTime |= graph.nodes[owner].measured;
    time = saturatingAdd(time, graph.nodes[owner].durationPs);
  }
  std::string title = fitText(name, svg::kNameSize, kWidest, FontWeight::Bold);
  if (!hasTime)
    return title;
  title += " \xC2\xB7 ";
  // The owner's own time, out of the time of its frame.
  if (owner != kNoNode && graph.nodes[owner].measured && clusterTimes[cluster])
    title += shortTime(graph.nodes[owner].durationPs) + " of ";
  title += shortTime(time);
  return total > 0 ? title + " \xC2\xB7 " + shortShare(time, total) : title;
}

LayoutSizes SvgWriter::measure() {
  constexpr double kLeast = 48, kOneLine = 24, kTwoLines = 38, kSign = 22;
  LayoutSizes result;
  for (const Node &node : graph.nodes) {
    texts.push_back(textOf(node));
    double width = std::max(textWidth(texts.back().name, svg::kNameSize),
                            textWidth(texts.back().detail, svg::kDetailSize));
    result.nodes.push_back(
        {0, 0, std::max(kLeast, width + 2 * kPadding),
         texts.back().detail.empty() ? kOneLine : kTwoLines});
  }
  clusterTimes.assign(graph.clusters.size() + 1, 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    int64_t &time = clusterTimes[tree.clusterOf(node)];
    time = saturatingAdd(time, graph.nodes[node].durationPs);
  }
  for (uint32_t cluster = tree.getRoot(); cluster-- > 0;) {
    int64_t &time = clusterTimes[tree.parentOf(cluster)];
    time = saturatingAdd(time, clusterTimes[cluster]);
  }
  for (uint32_t cluster = 0; cluster < tree.getRoot(); ++cluster) {
    titles.push_back(titleOf(cluster));
    double width = textWidth(titles.back(), svg::kNameSize, FontWeight::Bold);
    result.titles.push_back({0, 0, width + kSign + 2 * kPadding, kBar});
  }
  return result;
}

svg::Heading SvgWriter::makeHeading(llvm::ArrayRef<std::string> notes) const {
  svg::Heading heading;
  heading.title = options.title.empty() ? original.name : options.title;
  if (heading.title.empty())
    heading.title = "graph";
  int64_t critical = 0;
  size_t measured = 0, onPath = 0;
  for (const Node &node : original.nodes) {
    measured += node.measured;
    onPath += node.critical;
    if (node.critical)
      critical = saturatingAdd(critical, node.durationPs);
  }
  heading.hasCritical = onPath > 0;
  heading.pieces = {"total time " + shortTime(total),
                    formatCount(original.nodes.size(), "node") + ", " +
                        std::to_string(measured) + " measured, " +
                        formatCount(original.edges.size(), "edge")};
  if (onPath)
    heading.pieces.push_back("critical path " + shortTime(critical) + " (" +
                             shortShare(critical, total) + ") over " +
                             formatCount(onPath, "node"));
  llvm::append_range(heading.pieces, notes);
  llvm::append_range(heading.pieces, collapsed.notes);
  if (layout.undrawnEdges)
    heading.pieces.push_back(formatCount(layout.undrawnEdges, "long edge") +
                             " not drawn");
  return heading;
}

void SvgWriter::writeTooltip(const Node &node) {
  os << "<title>";
  writeXml(os, node.name);
  if (node.measured) {
    os << "\n" << shortTime(node.durationPs);
    if (total > 0) {
      os << ", ";
      writeXml(os, shortShare(node.durationPs, total));
      os << " of the total";
    }
    if (node.calls)
      os << "\n"
         << shortTime(node.inclusivePs) << " including callees, "
         << formatCount(node.calls, "call");
    os << "\nbegins at " << shortTime(node.beginPs);
  } else {
    os << "\nnot measured";
  }
  auto writeLine = [&](llvm::StringRef line) {
    if (line.empty())
      return;
    os << "\n";
    writeXml(os, line);
  };
  writeLine(node.detail);
  writeLine(node.tooltip);
  os << "</title>";
}

void SvgWriter::writeNode(uint32_t index) {
  const Node &node = graph.nodes[index];
  const Box &box = layout.nodes[index];
  const BoxText &text = texts[index];
  Color fill =
      node.measured ? scale.colorOf(node.durationPs) : HeatScale::unmeasured();
  os << "<g class=\"n" << (node.hidden ? " more" : "")
     << (node.critical ? " k" : "") << "\" transform=\"translate(";
  writePoint({box.x, box.y});
  os << ")\" fill=\"" << textColorOn(fill).toHex() << "\">";
  writeTooltip(node);
  os << "<rect";
  attribute("width", box.width);
  attribute("height", box.height);
  os << " rx=\"4\" fill=\"" << fill.toHex() << "\"/>";
  auto writeLine = [&](llvm::StringRef line, double y, llvm::StringRef style) {
    os << "<text" << style;
    attribute("x", box.width / 2);
    attribute("y", y);
    os << '>';
    writeXml(os, line);
    os << "</text>";
  };
  writeLine(text.name, text.detail.empty() ? 16 : 15.5, "");
  if (!text.detail.empty())
    writeLine(text.detail, 30.5, " class=\"d\"");
  os << "</g>\n";
}

void SvgWriter::writeWire(const Wire &wire) {
  bool arrives = wire.target != kNoNode;
  os << "<path class=\"w" << (arrives ? " a" : "")
     << (wire.critical ? " k" : "") << "\" d=\"M";
  writePoint(wire.start);
  for (const Segment &segment : wire.segments) {
    if (segment.kind == Segment::Kind::Curve) {
      os << 'C';
      writePoint(segment.control1);
      os << ' ';
      writePoint(segment.control2);
      os << ' ';
    } else {
      os << 'L';
    }
    writePoint(segment.to);
  }
  os << "\"><title>";
  writeXml(os, graph.nodes[wire.source].name);
  os << " \xE2\x86\x92 ";
  if (arrives)
    writeXml(os, graph.nodes[wire.target].name);
  else
    os << "\xE2\x80\xA6";
  os << "</title></path>\n";
}

void SvgWriter::writeBar(uint32_t cluster) {
  const Box &frame = layout.clusters[cluster];
  uint32_t owner = tree.ownerOf(cluster);
  bool isHot = owner != kNoNode && graph.nodes[owner].measured;
  Color fill = isHot ? scale.colorOf(graph.nodes[owner].durationPs)
                     : Color{0xdd, 0xe3, 0xe9};
  Color text = isHot ? textColorOn(fill) : Color{0x16, 0x20, 0x2b};
  bool isCritical = owner != kNoNode && graph.nodes[owner].critical;
  os << "<g class=\"h" << (isCritical ? " k" : "")
     << "\" transform=\"translate(";
  writePoint({frame.x, frame.y});
  os << ")\" fill=\"" << text.toHex() << "\">";
  if (owner != kNoNode) {
    writeTooltip(graph.nodes[owner]);
  } else {
    os << "<title>";
    writeXml(os, graph.clusters[cluster].name);
    os << "\n" << shortTime(clusterTimes[cluster]) << " inside</title>";
  }
  os << "<rect";
  attribute("width", frame.width);
  attribute("height", kBar);
  os << " rx=\"4\" fill=\"" << fill.toHex()
     << "\"/><path class=\"sign\" d=\"M6,8L16,8L11,15Z\"/><text x=\"22\" "
        "y=\"15.5\">";
  writeXml(os, titles[cluster]);
  os << "</text></g>\n";
}

void SvgWriter::openFrame(uint32_t cluster) {
  const Box &frame = layout.clusters[cluster];
  os << "<g class=\"c" << (tree.depthOf(cluster) % 2 ? "" : " odd") << "\"";
  attribute("data-least", sizes.titles[cluster].width);
  os << "><rect class=\"f\"";
  attribute("x", frame.x);
  attribute("y", frame.y);
  attribute("width", frame.width);
  attribute("height", frame.height);
  os << " rx=\"4\"/>\n";
  writeBar(cluster);
  os << "<g class=\"b\">\n";
}

void SvgWriter::writeContent(uint32_t cluster) {
  llvm::ArrayRef<uint32_t> own = llvm::ArrayRef<uint32_t>(wires).slice(
      wireBegin[cluster], wireBegin[cluster + 1] - wireBegin[cluster]);
  // The critical path is drawn over the other lines.
  for (bool critical : {false, true})
    for (uint32_t wire : own)
      if (layout.wires[wire].critical == critical)
        writeWire(layout.wires[wire]);
  for (uint32_t node : tree.nodesOf(cluster))
    writeNode(node);
}

void SvgWriter::writeClusters() {
  std::vector<uint32_t> clusterOf;
  for (const Wire &wire : layout.wires)
    clusterOf.push_back(wire.cluster);
  groupIndices(clusterOf, tree.getRoot() + 1, wireBegin, wires);
  struct Place {
    uint32_t cluster;
    uint32_t next;
  };
  std::vector<Place> stack = {{tree.getRoot(), 0}};
  writeContent(tree.getRoot());
  while (!stack.empty()) {
    auto &[cluster, next] = stack.back();
    llvm::ArrayRef<uint32_t> children = tree.childrenOf(cluster);
    if (next == children.size()) {
      if (cluster != tree.getRoot())
        os << "</g></g>\n";
      stack.pop_back();
      continue;
    }
    uint32_t child = children[next++];
    if (layout.clusters[child].height == 0)
      continue;
    openFrame(child);
    writeContent(child);
    stack.push_back({child, 0});
  }
}

void SvgWriter::write(llvm::ArrayRef<std::string> notes) {
  svg::Heading heading = makeHeading(notes);
  double width = svg::wrapHeading(heading, layout.width);
  double least = svg::headingWidth(heading);
  double top = svg::headingHeight(heading), height = layout.height + top;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  attribute("width", width);
  attribute("height", height);
  os << " viewBox=\"0 0 ";
  svg::writeNumber(os, width);
  os << ' ';
  svg::writeNumber(os, height);
  os << '"';
  attribute("data-width", layout.width);
  attribute("data-height", layout.height);
  attribute("data-top", top);
  attribute("data-least", least);
  attribute("data-bar", kBar);
  os << ">\n<title>";
  writeXml(os, heading.title);
  os << "</title>\n";
  svg::writeStyle(os);
  os << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  svg::writeHeading(os, heading, scale, width);
  os << "<g transform=\"translate(0,";
  svg::writeNumber(os, top);
  os << ")\">\n";
  writeClusters();
  os << "</g>\n";
  svg::writeScript(os);
  os << "</svg>\n";
}

void graph::writeSvg(const Graph &graph, const DrawOptions &options,
                     llvm::raw_ostream &os) {
  DrawOptions smaller = options;
  smaller.maxNodes = std::max(options.maxNodes, 1u);
  CollapsedGraph folded;
  if (options.repeats == Repeats::Folded)
    folded = foldRepeats(graph);
  bool isFolded = !folded.shownBy.empty();
  smaller.repeats = Repeats::Unfolded;
  while (true) {
    SvgWriter writer(graph, isFolded ? folded.graph : graph, smaller, os);
    bool mayShrink = options.size == PictureSize::Screen &&
                     smaller.maxNodes > DrawOptions::kLeastFit;
    double share = writer.shareOnScreen();
    if (share == 1 || !mayShrink) {
      writer.write(folded.notes);
      return;
    }
    double boxes = std::min(smaller.maxNodes, writer.countBoxes());
    smaller.maxNodes = std::max(DrawOptions::kLeastFit,
                                uint32_t(boxes * std::clamp(share, 0.4, 0.85)));
  }
}

GraphFormat graph::format::Svg() {
  return {"svg", "picture with its own layout; opens in any browser", writeSvg};
}
