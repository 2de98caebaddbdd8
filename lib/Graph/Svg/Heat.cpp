//===- Heat.cpp - Colors for measured times -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Heat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::graph;

static constexpr llvm::StringLiteral kPaletteNames[] = {"heat", "viridis"};

/// Evenly spaced stops, each darker than the one before.
static constexpr std::array<Color, 6> kStops[] = {{{{0xff, 0xfa, 0xf0},
                                                    {0xff, 0xe2, 0xb3},
                                                    {0xff, 0xb3, 0x66},
                                                    {0xf4, 0x72, 0x3f},
                                                    {0xd6, 0x2a, 0x1d},
                                                    {0x94, 0x0b, 0x12}}},
                                                  {{{0xfb, 0xf6, 0xb8},
                                                    {0xc2, 0xe0, 0x6c},
                                                    {0x5c, 0xbf, 0x7c},
                                                    {0x2a, 0x8f, 0x8c},
                                                    {0x34, 0x57, 0x88},
                                                    {0x3a, 0x14, 0x56}}}};

llvm::ArrayRef<llvm::StringLiteral> graph::getPaletteNames() {
  return kPaletteNames;
}

std::string Color::toHex() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("#%02x%02x%02x", red, green, blue);
  return text;
}

double Color::luminance() const {
  auto linear = [](uint8_t channel) {
    double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92
                            : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

double graph::contrast(Color a, Color b) {
  double x = a.luminance(), y = b.luminance();
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Color graph::textColorOn(Color background) {
  constexpr Color kBlack = {0, 0, 0}, kWhite = {255, 255, 255};
  return contrast(background, kBlack) >= contrast(background, kWhite) ? kBlack
                                                                      : kWhite;
}

HeatScale::HeatScale(Palette palette, Scale scale, int64_t shortestPs,
                     int64_t longestPs)
    : palette(palette), scale(scale), shortest(shortestPs), longest(longestPs) {
  constexpr int64_t kRange = 10000;
  shortest = scale == Scale::Linear
                 ? 0
                 : std::max({shortest, longest / kRange, int64_t(1)});
}

static std::pair<int64_t, int64_t> findExtremes(const Graph &graph) {
  int64_t shortest = std::numeric_limits<int64_t>::max(), longest = 0;
  for (const Node &node : graph.nodes) {
    if (!node.measured || node.durationPs <= 0)
      continue;
    shortest = std::min(shortest, node.durationPs);
    longest = std::max(longest, node.durationPs);
  }
  return {longest ? shortest : 0, longest};
}

HeatScale::HeatScale(Palette palette, Scale scale, const Graph &graph)
    : HeatScale(palette, scale, findExtremes(graph).first,
                findExtremes(graph).second) {}

double HeatScale::positionOf(int64_t ps) const {
  if (ps <= shortest && ps < longest)
    return 0;
  if (ps >= longest)
    return longest > 0 && ps > 0 ? 1 : 0;
  if (scale == Scale::Linear)
    return double(ps) / double(longest);
  return std::log(double(ps) / double(shortest)) /
         std::log(double(longest) / double(shortest));
}

Color HeatScale::colorAt(double position) const {
  const auto &stops = kStops[unsigned(palette)];
  double scaled = std::clamp(position, 0.0, 1.0) * (stops.size() - 1);
  size_t index = std::min(size_t(scaled), stops.size() - 2);
  double fraction = scaled - double(index);
  auto mix = [&](uint8_t a, uint8_t b) {
    return uint8_t(std::lround(a + (int(b) - int(a)) * fraction));
  };
  const Color &a = stops[index], &b = stops[index + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}
