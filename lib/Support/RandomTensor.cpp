//===- RandomTensor.cpp - Arrays of random numbers ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/RandomTensor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

using namespace mlirprof;

/// Takes "splitmix64" numbers off a seed; the same on every machine.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static const llvm::fltSemantics *getSemantics(llvm::StringRef type) {
  if (type == "f16")
    return &llvm::APFloat::IEEEhalf();
  if (type == "bf16")
    return &llvm::APFloat::BFloat();
  if (type == "f32")
    return &llvm::APFloat::IEEEsingle();
  if (type == "f64")
    return &llvm::APFloat::IEEEdouble();
  return nullptr;
}

/// Writes `value` as a float of `semantics`, or as an integer, little endian.
static void putElement(char *to, unsigned bytes, double value,
                       const llvm::fltSemantics *semantics) {
  // The nearest value of the integer type; a conversion from beyond it is
  // undefined.
  double whole = std::clamp(std::floor(value), -0x1p63, 0x1p64);
  uint64_t bits = whole >= 0x1p64   ? ~uint64_t(0)
                  : whole >= 0x1p63 ? uint64_t(whole)
                                    : uint64_t(int64_t(whole));
  if (semantics == &llvm::APFloat::IEEEsingle()) {
    float single = float(value);
    std::memcpy(to, &single, sizeof single);
    return;
  }
  if (semantics) {
    llvm::APFloat converted(value);
    bool lossy = false;
    converted.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
    bits = converted.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(to, &bits, std::min<size_t>(bytes, sizeof bits));
}

void mlirprof::fillRandom(HostTensor &tensor, size_t position, uint64_t seed,
                          std::optional<std::pair<double, double>> range) {
  uint64_t state = seed * 0x2545f4914f6cdd1d + position;
  llvm::StringRef type = tensor.elementType;
  bool isComplex = type.consume_front("complex<");
  (void)type.consume_back(">");
  const llvm::fltSemantics *semantics = getSemantics(type);
  size_t rank = tensor.shape.size();
  double low = semantics ? -1 : 0, high = semantics ? 1 : 2;
  if (semantics && rank >= 2 && tensor.shape[rank - 2] > 0)
    high = std::sqrt(3.0 / double(tensor.shape[rank - 2])), low = -high;
  // An i1 must be 0 or 1, whatever the range is.
  if (range && tensor.elementType != "i1")
    std::tie(low, high) = *range;
  unsigned width = tensor.bytesPerElement / (isComplex ? 2 : 1);
  for (size_t at = 0; at + width <= tensor.bytes.size(); at += width) {
    double unit = double(nextRandom(state) >> 11) * 0x1p-53;
    putElement(tensor.bytes.data() + at, width, low + unit * (high - low),
               semantics);
  }
}
