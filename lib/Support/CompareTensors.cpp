//===- CompareTensors.cpp - Differences between arrays --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/CompareTensors.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

using namespace mlirprof;

/// Bits of an element of at most 8 bytes, zero extended.
static uint64_t getBits(const HostTensor &tensor, uint64_t byte,
                        unsigned width) {
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + byte, width);
  return bits;
}

/// Value of the float of type `type` at `byte`; none for other types.
static std::optional<double> getFloat(const HostTensor &tensor,
                                      llvm::StringRef type, uint64_t byte) {
  auto convert = [&](const llvm::fltSemantics &semantics, unsigned bits) {
    llvm::APInt value(bits, getBits(tensor, byte, bits / 8));
    return llvm::APFloat(semantics, value).convertToDouble();
  };
  if (type == "f64")
    return convert(llvm::APFloat::IEEEdouble(), 64);
  if (type == "f16")
    return convert(llvm::APFloat::IEEEhalf(), 16);
  if (type == "bf16")
    return convert(llvm::APFloat::BFloat(), 16);
  if (type != "f32")
    return std::nullopt;
  float value;
  std::memcpy(&value, tensor.bytes.data() + byte, sizeof value);
  return value;
}

namespace {
/// An element of any type. A double cannot represent all integers of 64 bits.
struct Number {
  std::complex<double> value;
  /// Set for integers.
  std::optional<__int128> integer;
};
} // namespace

static std::optional<__int128> getInteger(const HostTensor &tensor,
                                          llvm::StringRef type, uint64_t byte,
                                          unsigned width) {
  if (width == 0 || width > 8)
    return std::nullopt;
  uint64_t bits = getBits(tensor, byte, width);
  if (type == "i1")
    return bits & 1;
  if (type.starts_with("ui"))
    return bits;
  if (type != "index" && !type.starts_with("i") && !type.starts_with("si"))
    return std::nullopt;
  unsigned above = 64 - 8 * width;
  return int64_t(bits << above) >> above;
}

static std::optional<Number> getNumber(const HostTensor &tensor,
                                       uint64_t index) {
  unsigned width = tensor.bytesPerElement;
  uint64_t byte = index * width;
  if (byte + width > tensor.bytes.size())
    return std::nullopt;
  llvm::StringRef type = tensor.elementType;
  if (type.consume_front("complex<") && type.consume_back(">")) {
    auto real = getFloat(tensor, type, byte);
    auto imaginary = getFloat(tensor, type, byte + width / 2);
    if (!real || !imaginary)
      return std::nullopt;
    return Number{{*real, *imaginary}, std::nullopt};
  }
  if (auto value = getFloat(tensor, type, byte))
    return Number{*value, std::nullopt};
  if (auto integer = getInteger(tensor, type, byte, width))
    return Number{double(*integer), integer};
  return std::nullopt;
}

std::optional<double> mlirprof::getElement(const HostTensor &tensor,
                                           uint64_t index) {
  std::optional<Number> number = getNumber(tensor, index);
  if (!number)
    return std::nullopt;
  // A magnitude does not have a sign.
  return llvm::StringRef(tensor.elementType).starts_with("complex<")
             ? std::hypot(number->value.real(), number->value.imag())
             : number->value.real();
}

static bool isFinite(std::complex<double> value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

/// Whether both are the same, NaN included.
static bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// The distance between the two: not finite if one of them is not finite and
/// the other is different.
static double getDifference(const Number &actual, const Number &expected) {
  if (actual.integer && expected.integer) {
    __int128 difference = *actual.integer - *expected.integer;
    return double(difference < 0 ? -difference : difference);
  }
  std::complex<double> a = actual.value, e = expected.value;
  if (isFinite(a) && isFinite(e))
    return std::hypot(a.real() - e.real(), a.imag() - e.imag());
  bool same = isSame(a.real(), e.real()) && isSame(a.imag(), e.imag());
  return same ? 0 : std::numeric_limits<double>::infinity();
}

llvm::Expected<TensorComparison>
mlirprof::compareTensors(const HostTensor &actual, const HostTensor &expected,
                         double rtol, double atol) {
  if (actual.shape != expected.shape) {
    auto text = [](const HostTensor &tensor) {
      return llvm::join(llvm::map_range(tensor.shape,
                                        [](int64_t dimension) {
                                          return std::to_string(dimension);
                                        }),
                        "x");
    };
    return inputError("result", "has the shape " + text(actual) + " and not " +
                                    text(expected));
  }
  TensorComparison result;
  result.elements = actual.size();
  double largest = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    auto a = getNumber(actual, i), e = getNumber(expected, i);
    if (!a || !e)
      return inputError("result", "elements of type " + actual.elementType +
                                      " and " + expected.elementType +
                                      " cannot be compared");
    bool expectsFinite = isFinite(e->value);
    double size = expectsFinite ? std::abs(e->value) : 0;
    double difference = getDifference(*a, *e);
    largest = std::max(largest, size);
    if (std::isfinite(difference))
      result.maxAbsolute = std::max(result.maxAbsolute, difference);
    // No tolerance covers values that are not finite.
    if (!std::isfinite(difference) || difference > atol + rtol * size)
      ++result.different;
    if (expectsFinite && !isFinite(a->value))
      ++result.notFinite;
  }
  result.relativeToMax =
      largest > 0 ? result.maxAbsolute / largest : result.maxAbsolute;
  return result;
}

static bool hasIntegers(const HostTensor &tensor) {
  llvm::StringRef type = tensor.elementType;
  return type.starts_with("i") || type.starts_with("ui") ||
         type.starts_with("si");
}

/// The largest of the expected elements that are finite.
static double getLargest(const HostTensor &expected) {
  double largest = 0;
  for (uint64_t i = 0, e = expected.size(); i < e; ++i)
    if (auto value = getElement(expected, i); value && std::isfinite(*value))
      largest = std::max(largest, std::fabs(*value));
  return largest;
}

Tolerance mlirprof::getTolerance(const HostTensor &actual,
                                 const HostTensor &expected, double relative,
                                 double absolute) {
  constexpr double kDefault = 1e-5;
  bool isExact = hasIntegers(actual) && hasIntegers(expected);
  Tolerance tolerance = {relative, absolute};
  if (relative < 0)
    tolerance.relative = isExact ? 0 : kDefault;
  if (absolute < 0)
    tolerance.absolute = isExact ? 0 : kDefault * getLargest(expected);
  return tolerance;
}
