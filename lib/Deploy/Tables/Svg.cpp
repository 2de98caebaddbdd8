//===- Svg.cpp - Sizes of packages as a picture ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::deploy;

namespace {
/// Draws a bar for each number of each package; lengths are logarithms.
class SizePicture {
public:
  SizePicture(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os);

  void write();

private:
  static constexpr int kLeft = 150, kScale = 560, kRight = 70, kTop = 64;
  static constexpr int kBar = 11, kGap = 10;

  int getGroupHeight() const;
  /// The position of a number of bytes.
  double getPosition(uint64_t bytes) const;
  void writeText(double x, double y, llvm::StringRef text,
                 llvm::StringRef anchor);
  void writeLegend();
  void writeScale(int height);
  void writeRow(const SizeRow &row, int y);

  llvm::ArrayRef<SizeRow> rows;
  llvm::raw_ostream &os;
  /// Powers of ten that the scale has.
  unsigned decades = 1;
};
} // namespace

/// Told apart also by those who see few colors, and in gray.
static constexpr llvm::StringLiteral kColors[] = {
    "#1b4f72", "#d35400", "#7d3c98", "#27ae60", "#c0392b", "#95a5a6"};

SizePicture::SizePicture(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os)
    : rows(rows), os(os) {
  uint64_t largest = 1;
  for (const SizeRow &row : rows)
    for (const SizeColumn &column : getSizeColumns())
      largest = std::max(largest, column.get(row));
  decades = std::max(1u, unsigned(std::ceil(std::log10(double(largest)))));
}

int SizePicture::getGroupHeight() const {
  return int(getSizeColumns().size()) * kBar + kGap;
}

double SizePicture::getPosition(uint64_t bytes) const {
  return kLeft + kScale * std::log10(double(bytes)) / decades;
}

static std::string describeBytes(uint64_t bytes) {
  static constexpr llvm::StringLiteral kUnits[] = {"B", "kB", "MB", "GB"};
  unsigned unit = 0;
  while (unit + 1 < std::size(kUnits) && bytes >= 1000) {
    bytes /= 1000;
    ++unit;
  }
  return (llvm::Twine(bytes) + " " + kUnits[unit]).str();
}

void SizePicture::writeText(double x, double y, llvm::StringRef text,
                            llvm::StringRef anchor) {
  os << llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" "
                      "text-anchor=\"{2}\">{3}</text>\n",
                      x, y, anchor, text);
}

void SizePicture::writeLegend() {
  double x = kLeft;
  for (auto [column, color] : llvm::zip(getSizeColumns(), kColors)) {
    os << llvm::formatv("<rect x=\"{0:f1}\" y=\"10\" width=\"10\" "
                        "height=\"10\" fill=\"{1}\"/>\n",
                        x, color);
    writeText(x + 14, 19, column.title, "start");
    x += 100;
  }
}

void SizePicture::writeScale(int height) {
  uint64_t bytes = 1;
  for (unsigned power = 0; power <= decades; ++power, bytes *= 10) {
    double x = getPosition(bytes);
    os << llvm::formatv("<line x1=\"{0:f1}\" y1=\"{1}\" x2=\"{0:f1}\" "
                        "y2=\"{2}\" stroke=\"#dddddd\"/>\n",
                        x, kTop - 8, height - kGap);
    writeText(x, kTop - 14, describeBytes(bytes), "middle");
  }
}

void SizePicture::writeRow(const SizeRow &row, int y) {
  int middle = y + int(getSizeColumns().size()) * kBar / 2;
  writeText(kLeft - 8, middle - 1, row.target, "end");
  writeText(kLeft - 8, middle + 12, row.container, "end");
  for (auto [column, color] : llvm::zip(getSizeColumns(), kColors)) {
    uint64_t bytes = column.get(row);
    if (bytes != 0)
      os << llvm::formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2:f1}\" "
                          "height=\"{3}\" fill=\"{4}\"/>\n",
                          kLeft, y, getPosition(bytes) - kLeft, kBar - 2,
                          color);
    writeText((bytes == 0 ? kLeft : getPosition(bytes)) + 4, y + kBar - 2,
              std::to_string(bytes), "start");
    y += kBar;
  }
}

void SizePicture::write() {
  int width = kLeft + kScale + kRight;
  int height = kTop + int(rows.size()) * getGroupHeight();
  os << llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<title>Bytes of deployed models</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height);
  writeLegend();
  writeScale(height);
  for (auto [index, row] : llvm::enumerate(rows))
    writeRow(row, kTop + int(index) * getGroupHeight());
  os << "</svg>\n";
}

static void write(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os) {
  SizePicture(rows, os).write();
}

SizeTable table::Svg() {
  return {"svg", "a picture with a logarithmic scale", write};
}
