//===- LevelLayout.h - Layout of the content of one cluster -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_LAYOUT_LEVELLAYOUT_H
#define MLIR_PROF_LIB_GRAPH_LAYOUT_LEVELLAYOUT_H

#include "mlir-prof/Graph/Layout.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::graph {

/// A box within a level: a node or a frame.
struct LevelItem {
  double width = 0;
  double height = 0;
  bool selfLoop = false;
};

/// The point where a line meets an item.
struct LevelEnd {
  /// Index of the item, or kBorder: the level's own bottom (for a start: top).
  uint32_t item = 0;
  /// Distance from the item's left, or kAnywhere: the layout chooses.
  double offset = 0;

  static constexpr uint32_t kBorder = ~uint32_t(0);
  static constexpr double kAnywhere = -1;
};

/// All lines of one result; they share their path as far as possible.
struct LevelWire {
  LevelEnd start;
  llvm::SmallVector<LevelEnd, 2> ends;
  /// Ends whose path should be complete, even where it shares the path of
  /// others.
  llvm::SmallVector<bool, 2> isWhole;
};

struct LevelGraph {
  std::vector<LevelItem> items;
  std::vector<LevelWire> wires;
};

struct LevelPath {
  uint32_t wire = 0;
  /// Index in LevelWire::ends.
  uint32_t end = 0;
  /// Begins where the wire does, or branches off an earlier path of the wire.
  Point start;
  std::vector<Segment> segments;
  bool isBranch = false;
};

/// Positions relative to the level's top left.
struct LevelLayout {
  std::vector<Point> items;
  std::vector<LevelPath> paths;
  /// Where each wire crosses the level's top and bottom, if it does.
  std::vector<double> entryX, exitX;
  double width = 0;
  double height = 0;
  uint64_t crossings = 0;
  uint64_t undrawnEnds = 0;
};

/// Disconnected parts are laid out separately and packed.
LevelLayout layOutLevel(const LevelGraph &level);

/// The part of `level` in layers, without packing.
LevelLayout layOutConnected(const LevelGraph &level);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_LAYOUT_LEVELLAYOUT_H
