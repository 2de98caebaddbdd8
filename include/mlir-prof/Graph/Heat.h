//===- Heat.h - Colors for measured times -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_HEAT_H
#define MLIR_PROF_GRAPH_HEAT_H

#include "mlir-prof/Graph/Graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::graph {

enum class Palette : uint8_t {
  /// Pale to red, the default.
  Heat,
  /// Pale yellow over green to dark blue: distinguishable with any color
  /// vision.
  Viridis,
};

/// Names of the palettes, in order of the enumeration.
llvm::ArrayRef<llvm::StringLiteral> getPaletteNames();

/// How a time maps to a position on the color scale.
enum class Scale : uint8_t {
  /// Proportional to the longest time, the default: a tenth of the time has a
  /// tenth of the heat.
  Linear,
  /// Logarithmic, which distinguishes short times.
  Log,
};

struct Color {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;

  /// "#rrggbb".
  std::string toHex() const;
  /// Relative luminance by WCAG 2, from 0 to 1.
  double luminance() const;
};

/// Contrast ratio of two colors by WCAG 2, from 1 to 21.
double contrast(Color a, Color b);
/// Black or white, whichever is easier to read on `background`. Its contrast is
/// always above 4.5.
Color textColorOn(Color background);

/// Maps durations to colors. The longest duration has the hottest color. The
/// palest color means zero on the linear scale; on the logarithmic scale it is
/// the shortest duration, or 1/10,000 of the longest.
class HeatScale {
public:
  HeatScale(Palette palette, Scale scale, const Graph &graph);
  HeatScale(Palette palette, Scale scale, int64_t shortestPs,
            int64_t longestPs);

  /// Position of a duration on the scale, from 0 to 1.
  double positionOf(int64_t ps) const;
  /// Color at a position; darkens monotonically.
  Color colorAt(double position) const;
  Color colorOf(int64_t ps) const { return colorAt(positionOf(ps)); }
  /// The color of nodes without a measurement.
  static Color unmeasured() { return {0xe9, 0xec, 0xef}; }

  /// The time of the palest color.
  int64_t getShortest() const { return shortest; }
  int64_t getLongest() const { return longest; }
  Scale getScale() const { return scale; }
  /// Whether no measurement has a duration.
  bool isEmpty() const { return longest <= 0; }

private:
  Palette palette;
  Scale scale;
  int64_t shortest = 0;
  int64_t longest = 0;
};

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_HEAT_H
