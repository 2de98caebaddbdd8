//===- CookToom.h - Matrices of fast convolutions ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's F(m, r): m outputs of a filter of r taps by m + r - 1 products
// instead of m r, by evaluating polynomials at m + r - 2 points and at infinity
// (Cook and Toom). With g the filter and d the input,
//
//   output = A^T ((G g) * (B^T d)),
//
// and likewise along each of two dimensions. The points determine the error:
// with 0, +-1/sqrt(2), +-sqrt(2) it is a fifth of that with 0, +-1, +-2.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_WINOGRAD_COOKTOOM_H
#define MLIR_PROF_LIB_CODEGEN_WINOGRAD_COOKTOOM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlirprof::codegen {

/// Stored by rows.
struct Matrix {
  Matrix(unsigned rows, unsigned columns)
      : rows(rows), columns(columns), values(rows * columns) {}
  double &at(unsigned row, unsigned column) {
    return values[row * columns + column];
  }
  double at(unsigned row, unsigned column) const {
    return values[row * columns + column];
  }
  llvm::ArrayRef<double> row(unsigned index) const {
    return llvm::ArrayRef(values).slice(index * columns, columns);
  }

  unsigned rows, columns;
  std::vector<double> values;
};

struct CookToom {
  /// m, r, and n = m + r - 1.
  unsigned outputs, taps, products;
  /// B^T, n x n; G, n x r; A^T, m x n.
  Matrix input, filter, output;
};

/// `points` must be distinct and not empty.
CookToom makeCookToom(llvm::ArrayRef<double> points, unsigned taps);

/// F(4, 3) or F(2, 3).
CookToom getCookToom(unsigned outputs);

/// The expected largest error of a 3x3 convolution over `channels` in f32,
/// relative to its largest result: a constant times the square root of the
/// channels, measured on uniform random numbers (within a quarter from 16 to
/// 512 channels).
double estimateWinogradError(unsigned outputs, int64_t channels);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_WINOGRAD_COOKTOOM_H
