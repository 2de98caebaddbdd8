//===- CookToom.cpp - Matrices of fast convolutions -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CookToom.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::codegen;

/// The coefficients, lowest first, of the product of (x - p) over all points
/// but that of index `without`.
static std::vector<double> multiplyFactors(llvm::ArrayRef<double> points,
                                           size_t without) {
  std::vector<double> product = {1};
  for (size_t i = 0; i != points.size(); ++i) {
    if (i == without)
      continue;
    product.push_back(0);
    for (size_t degree = product.size(); degree-- > 0;)
      product[degree] =
          (degree ? product[degree - 1] : 0) - points[i] * product[degree];
  }
  return product;
}

CookToom codegen::makeCookToom(llvm::ArrayRef<double> points, unsigned taps) {
  unsigned products = points.size() + 1;
  unsigned outputs = products + 1 - taps;
  CookToom result{outputs,
                  taps,
                  products,
                  Matrix(products, products),
                  Matrix(products, taps),
                  Matrix(outputs, products)};
  for (unsigned i = 0; i != points.size(); ++i) {
    double scale = 1;
    for (unsigned j = 0; j != points.size(); ++j)
      if (j != i)
        scale *= points[i] - points[j];
    for (unsigned k = 0; k != taps; ++k)
      result.filter.at(i, k) = std::pow(points[i], k) / scale;
    for (unsigned k = 0; k != outputs; ++k)
      result.output.at(k, i) = std::pow(points[i], k);
    for (auto [k, value] : llvm::enumerate(multiplyFactors(points, i)))
      result.input.at(i, k) = value;
  }
  // The point at infinity is the highest coefficient.
  result.filter.at(products - 1, taps - 1) = 1;
  result.output.at(outputs - 1, products - 1) = 1;
  for (auto [k, value] :
       llvm::enumerate(multiplyFactors(points, points.size())))
    result.input.at(products - 1, k) = value;
  return result;
}

CookToom codegen::getCookToom(unsigned outputs) {
  if (outputs == 2)
    return makeCookToom({0, 1, -1}, 3);
  double root = std::sqrt(2.0);
  CookToom result = makeCookToom({0, -1 / root, 1 / root, -root, root}, 3);
  // Values that are integers or halves up to rounding become exact.
  for (Matrix *matrix : {&result.input, &result.output})
    for (double &value : matrix->values)
      if (std::abs(2 * value - std::round(2 * value)) < 1e-12)
        value = std::round(2 * value) / 2;
  return result;
}

double codegen::estimateWinogradError(unsigned outputs, int64_t channels) {
  return (outputs == 4 ? 2.2e-7 : 5e-8) * std::sqrt(double(channels));
}
