//===- SvgPage.cpp - The page around the graph in a picture ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SvgPage.h"
#include "mlir-prof/Graph/Text.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::graph;

static constexpr double kMargin = 16, kTitleSize = 16, kTitleLine = 34,
                        kLine = 17, kLegend = 44;

void svg::writeNumber(llvm::raw_ostream &os, double value) {
  int64_t tenths = std::llround(value * 10);
  if (tenths < 0) {
    os << '-';
    tenths = -tenths;
  }
  os << tenths / 10;
  if (tenths % 10)
    os << '.' << tenths % 10;
}

void svg::writeStyle(llvm::raw_ostream &os) {
  os << R"(<style>
text { font-family: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; font-size: 12px; }
.title { font-size: 16px; font-weight: bold; fill: #16202b; }
.line { fill: #4a5560; }
.tick { font-size: 11px; fill: #4a5560; }
.n text { text-anchor: middle; }
.n .d { font-size: 11px; }
.n rect { stroke: #6b7682; stroke-opacity: .55; }
.n.more rect { stroke-dasharray: 4 3; stroke-opacity: 1; }
.n.k rect, .h.k rect { stroke: #16202b; stroke-width: 2.6; stroke-opacity: 1; }
.n:hover rect { stroke: #0b63c5; stroke-width: 2; stroke-opacity: 1; }
.f { fill: #f4f6f8; stroke: #b4bec8; }
.odd > .f { fill: #fff; }
.h { cursor: pointer; }
.h rect { stroke: #b4bec8; }
.h text { font-weight: bold; }
.h:hover rect, .h:focus rect { stroke: #0b63c5; stroke-width: 2; }
.h:focus { outline: none; }
.w { fill: none; stroke: #74808c; stroke-width: 1.1; }
.w.k { stroke: #16202b; stroke-width: 2.6; }
.w:hover { stroke: #0b63c5; stroke-width: 2.6; }
.a { marker-end: url(#arrow); }
.a.k { marker-end: url(#arrow-k); }
.folded > .b { display: none; }
</style>
<defs>
<marker id="arrow" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,.8L8,4L0,7.2Z" fill="#74808c"/></marker>
<marker id="arrow-k" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,.8L8,4L0,7.2Z" fill="#16202b"/></marker>
</defs>
)";
}

double svg::wrapHeading(Heading &heading, double width) {
  // Longer titles are truncated.
  constexpr double kLimit = 900;
  constexpr llvm::StringLiteral kBetween = " \xC2\xB7 ";
  double title = textWidth(heading.title, kTitleSize, FontWeight::Bold);
  width = std::max({width, kLeastWidth, std::min(title, kLimit) + 2 * kMargin});
  for (llvm::StringRef piece : heading.pieces)
    width = std::max(width, textWidth(piece, kNameSize) + 2 * kMargin);
  heading.lines.clear();
  double room = 0;
  for (llvm::StringRef piece : heading.pieces) {
    double needed = textWidth(piece, kNameSize);
    double between = textWidth(kBetween, kNameSize);
    if (heading.lines.empty() || needed + between > room) {
      heading.lines.push_back(piece.str());
      room = width - 2 * kMargin - needed;
      continue;
    }
    heading.lines.back() += (kBetween + piece).str();
    room -= needed + between;
  }
  return width;
}

double svg::headingWidth(const Heading &heading) {
  double width = kLeastWidth - 2 * kMargin;
  for (llvm::StringRef line : heading.lines)
    width = std::max(width, textWidth(line, kNameSize));
  return width + 2 * kMargin;
}

double svg::headingHeight(const Heading &heading) {
  return kTitleLine + kLine * double(heading.lines.size()) + kLegend;
}

static void writeText(llvm::raw_ostream &os, llvm::StringRef style, double x,
                      double y, llvm::StringRef text,
                      llvm::StringRef anchor = "start") {
  os << "<text class=\"" << style << "\" x=\"";
  svg::writeNumber(os, x);
  os << "\" y=\"";
  svg::writeNumber(os, y);
  os << "\" text-anchor=\"" << anchor << "\">";
  writeXml(os, text);
  os << "</text>\n";
}

/// The times between the ends of the scale that get a mark: powers of ten on
/// the logarithmic scale, round steps on the linear scale.
static std::vector<int64_t> getMarks(const HeatScale &scale) {
  std::vector<int64_t> marks;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 10;
  if (scale.getScale() == Scale::Log) {
    for (int64_t ps = 1; ps < scale.getLongest(); ps *= 10) {
      marks.push_back(ps);
      if (ps > kMost)
        break;
    }
    return marks;
  }
  int64_t step = 1;
  while (step <= kMost && step * 10 <= scale.getLongest())
    step *= 10;
  step = scale.getLongest() / step >= 4 ? step : std::max<int64_t>(step / 2, 1);
  for (int64_t ps = step; ps < scale.getLongest() && marks.size() < 16;
       ps += step) {
    marks.push_back(ps);
    if (ps > std::numeric_limits<int64_t>::max() - step)
      break;
  }
  return marks;
}

/// The color bar with the times at its ends and at the marks that fit.
static double writeScale(llvm::raw_ostream &os, const HeatScale &scale,
                         double x, double y) {
  constexpr double kWidth = 220, kHeight = 12, kGap = 8;
  constexpr unsigned kStops = 10;
  // The bar is filled with a gradient of the scale's colors.
  os << "<defs><linearGradient id=\"heat\">";
  for (unsigned i = 0; i <= kStops; ++i)
    os << "<stop offset=\"" << i * 100 / kStops << "%\" stop-color=\""
       << scale.colorAt(double(i) / kStops).toHex() << "\"/>";
  os << "</linearGradient></defs>\n<rect x=\"";
  svg::writeNumber(os, x);
  os << "\" y=\"";
  svg::writeNumber(os, y);
  os << "\" width=\"" << kWidth << "\" height=\"" << kHeight
     << "\" fill=\"url(#heat)\" stroke=\"#6b7682\" stroke-opacity=\".55\">"
        "<title>Time, on a "
     << (scale.getScale() == Scale::Log ? "logarithmic" : "linear")
     << " scale</title></rect>\n";
  // The times at its ends.
  double textY = y + kHeight + 13;
  std::string low = scale.getScale() == Scale::Log
                        ? "\xE2\x89\xA4 " + shortTime(scale.getShortest())
                        : "0";
  std::string high = shortTime(scale.getLongest());
  writeText(os, "tick", x, textY, low);
  writeText(os, "tick", x + kWidth, textY, high, "end");
  // The marks in between, with those labels that fit.
  double left = x + textWidth(low, svg::kDetailSize) + kGap;
  double right = x + kWidth - textWidth(high, svg::kDetailSize) - kGap;
  for (int64_t ps : getMarks(scale)) {
    if (ps <= scale.getShortest())
      continue;
    double at = x + kWidth * scale.positionOf(ps);
    os << "<path stroke=\"#16202b\" stroke-opacity=\".6\" d=\"M";
    svg::writeNumber(os, at);
    os << ',';
    svg::writeNumber(os, y + kHeight - 4);
    os << "v4\"/>\n";
    std::string label = shortTime(ps);
    if (llvm::StringRef(label).contains(".00"))
      label.erase(label.find(".00"), 3);
    if (llvm::StringRef(label).contains(".0 "))
      label.erase(label.find(".0 "), 2);
    double half = textWidth(label, svg::kDetailSize) / 2;
    if (at - half >= left && at + half <= right) {
      writeText(os, "tick", at, textY, label, "middle");
      left = at + half + kGap;
    }
  }
  return x + kWidth;
}

void svg::writeHeading(llvm::raw_ostream &os, const Heading &heading,
                       const HeatScale &scale, double width) {
  double inside = width - 2 * kMargin, y = 28;
  writeText(os, "title", kMargin, y,
            fitText(heading.title, kTitleSize, inside, FontWeight::Bold));
  y += kLine + 3;
  for (llvm::StringRef line : heading.lines) {
    writeText(os, "line", kMargin, y, line);
    y += kLine;
  }
  double x = kMargin;
  y -= 5;
  if (!scale.isEmpty())
    x = writeScale(os, scale, x, y) + 24;
  auto writeSwatch = [&](llvm::StringRef attributes, llvm::StringRef text) {
    os << "<rect x=\"";
    writeNumber(os, x);
    os << "\" y=\"";
    writeNumber(os, y);
    os << "\" width=\"20\" height=\"12\" rx=\"3\" " << attributes << "/>\n";
    writeText(os, "tick", x + 26, y + 10, text);
    x += 26 + textWidth(text, kDetailSize) + 22;
  };
  writeSwatch("fill=\"" + HeatScale::unmeasured().toHex() +
                  "\" stroke=\"#6b7682\" stroke-opacity=\".55\"",
              "not measured");
  if (heading.hasCritical)
    writeSwatch("fill=\"#fff\" stroke=\"#16202b\" stroke-width=\"2.6\"",
                "critical path");
}
