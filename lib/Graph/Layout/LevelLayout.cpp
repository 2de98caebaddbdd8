//===- LevelLayout.cpp - Packing of disconnected parts --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LevelLayout.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// A connected part of a level, and its position.
struct Part {
  std::vector<uint32_t> items;
  std::vector<uint32_t> wires;
  LevelLayout layout;
  Point at;
};

/// Splits a level into parts. All items that lines from or to the border reach
/// are one part, the first, since those lines need access to the border.
class PartPacker {
public:
  explicit PartPacker(const LevelGraph &level) : level(level) {}

  LevelLayout run() {
    split();
    for (Part &part : parts)
      layOutPart(part);
    pack();
    return collect();
  }

private:
  void split();
  void layOutPart(Part &part);
  void pack();
  LevelLayout collect();

  const LevelGraph &level;
  std::vector<Part> parts;
  /// Index of each item within its part.
  std::vector<uint32_t> localIndex;
  bool firstHasBorder = false;
  double width = 0, height = 0;
};

} // namespace

static bool isBorder(const LevelEnd &end) {
  return end.item == LevelEnd::kBorder;
}

void PartPacker::split() {
  uint32_t border = uint32_t(level.items.size());
  auto indexOf = [&](const LevelEnd &end) {
    return isBorder(end) ? border : end.item;
  };
  llvm::IntEqClasses classes(border + 1);
  for (const LevelWire &wire : level.wires)
    for (const LevelEnd &end : wire.ends) {
      classes.join(indexOf(wire.start), indexOf(end));
      firstHasBorder |= isBorder(wire.start) || isBorder(end);
    }
  classes.compress();
  // Parts in the order of their first items, the border's part before all
  // others.
  std::vector<uint32_t> partOf(classes.getNumClasses(), ~uint32_t(0));
  if (firstHasBorder) {
    partOf[classes[border]] = 0;
    parts.emplace_back();
  }
  localIndex.resize(border);
  for (uint32_t item = 0; item < border; ++item) {
    uint32_t &part = partOf[classes[item]];
    if (part == ~uint32_t(0)) {
      part = uint32_t(parts.size());
      parts.emplace_back();
    }
    localIndex[item] = uint32_t(parts[part].items.size());
    parts[part].items.push_back(item);
  }
  for (uint32_t wire = 0; wire < level.wires.size(); ++wire)
    parts[partOf[classes[indexOf(level.wires[wire].start)]]].wires.push_back(
        wire);
}

void PartPacker::layOutPart(Part &part) {
  LevelGraph own;
  auto translate = [&](LevelEnd end) {
    if (!isBorder(end))
      end.item = localIndex[end.item];
    return end;
  };
  for (uint32_t item : part.items)
    own.items.push_back(level.items[item]);
  for (uint32_t wire : part.wires) {
    LevelWire copy = {
        translate(level.wires[wire].start), {}, level.wires[wire].isWhole};
    for (const LevelEnd &end : level.wires[wire].ends)
      copy.ends.push_back(translate(end));
    own.wires.push_back(std::move(copy));
  }
  part.layout = layOutConnected(own);
}

/// Rows of parts; the part with lines to the border is on the left.
void PartPacker::pack() {
  constexpr double kGap = 26;
  double area = 0, widest = 0, left = 0;
  for (const Part &part : parts) {
    area += (part.layout.width + kGap) * (part.layout.height + kGap);
    widest = std::max(widest, part.layout.width);
  }
  size_t first = 0;
  if (firstHasBorder) {
    width = left = parts.front().layout.width;
    height = parts.front().layout.height;
    left += kGap;
    first = 1;
    area -= (width + kGap) * (height + kGap);
    widest = 0;
    for (size_t i = first; i < parts.size(); ++i)
      widest = std::max(widest, parts[i].layout.width);
  }
  // Parts of similar height fill rows well.
  std::vector<size_t> order;
  for (size_t i = first; i < parts.size(); ++i)
    order.push_back(i);
  llvm::sort(order, [&](size_t a, size_t b) {
    double x = parts[a].layout.height, y = parts[b].layout.height;
    return x != y ? x > y : a < b;
  });
  double limit = std::max(widest, std::sqrt(std::max(area, 0.0) * 1.7));
  double x = 0, y = 0, rowHeight = 0;
  for (size_t i : order) {
    Part &part = parts[i];
    if (x > 0 && x + part.layout.width > limit) {
      y += rowHeight + kGap;
      x = rowHeight = 0;
    }
    part.at = {left + x, y};
    x += part.layout.width + kGap;
    rowHeight = std::max(rowHeight, part.layout.height);
    width = std::max(width, part.at.x + part.layout.width);
    height = std::max(height, y + part.layout.height);
  }
}

static Point moved(Point point, Point by) {
  return {point.x + by.x, point.y + by.y};
}

LevelLayout PartPacker::collect() {
  LevelLayout result;
  result.width = width;
  result.height = height;
  result.items.resize(level.items.size());
  result.entryX.resize(level.wires.size());
  result.exitX.resize(level.wires.size());
  for (Part &part : parts) {
    for (auto [item, place] : llvm::zip_equal(part.items, part.layout.items))
      result.items[item] = moved(place, part.at);
    for (size_t i = 0; i < part.wires.size(); ++i) {
      result.entryX[part.wires[i]] = part.layout.entryX[i] + part.at.x;
      result.exitX[part.wires[i]] = part.layout.exitX[i] + part.at.x;
    }
    for (LevelPath &path : part.layout.paths) {
      path.wire = part.wires[path.wire];
      path.start = moved(path.start, part.at);
      for (Segment &segment : path.segments) {
        segment.control1 = moved(segment.control1, part.at);
        segment.control2 = moved(segment.control2, part.at);
        segment.to = moved(segment.to, part.at);
      }
      // The bottom may be deeper than the part's own.
      if (isBorder(level.wires[path.wire].ends[path.end]) &&
          path.segments.back().to.y < height)
        path.segments.push_back({Segment::Kind::Straight,
                                 {},
                                 {},
                                 {path.segments.back().to.x, height}});
      result.paths.push_back(std::move(path));
    }
    result.crossings += part.layout.crossings;
    result.undrawnEnds += part.layout.undrawnEnds;
  }
  return result;
}

LevelLayout graph::layOutLevel(const LevelGraph &level) {
  return PartPacker(level).run();
}
