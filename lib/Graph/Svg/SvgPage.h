//===- SvgPage.h - The page around the graph in a picture -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_SVG_SVGPAGE_H
#define MLIR_PROF_LIB_GRAPH_SVG_SVGPAGE_H

#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Layout.h"

#include <string>
#include <vector>

namespace mlirprof::graph::svg {

inline constexpr double kNameSize = 12;
inline constexpr double kDetailSize = 11;

/// Writes a coordinate or a length with at most one decimal.
void writeNumber(llvm::raw_ostream &os, double value);

/// Fonts, lines and the states that the script sets.
void writeStyle(llvm::raw_ostream &os);
/// Folds and unfolds frames. Without it the picture is the same but fixed.
void writeScript(llvm::raw_ostream &os);

/// The lines above the graph.
struct Heading {
  std::string title;
  /// Figures and notes on collapsing, in pieces that are not broken across
  /// lines.
  std::vector<std::string> pieces;
  /// The pieces as lines (wrapHeading).
  std::vector<std::string> lines;
  bool hasCritical = false;
};

/// Minimum width of a picture, required by the legend.
inline constexpr double kLeastWidth = 500;
/// Breaks the pieces into lines for a picture whose graph has the width
/// `width`. Returns the width at which the picture shows the lines completely.
double wrapHeading(Heading &heading, double width);
/// Minimum width that shows those lines.
double headingWidth(const Heading &heading);
double headingHeight(const Heading &heading);
/// Writes the heading and the legend of the colors into `width` pixels.
void writeHeading(llvm::raw_ostream &os, const Heading &heading,
                  const HeatScale &scale, double width);

} // namespace mlirprof::graph::svg

#endif // MLIR_PROF_LIB_GRAPH_SVG_SVGPAGE_H
