//===- Compare.cpp - Results against what they should be ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

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

std::optional<double> mlirprof::getElement(const HostTensor &tensor,
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
    return std::hypot(*real, *imaginary);
  }
  if (auto value = getFloat(tensor, type, byte))
    return value;
  if (width > 8)
    return std::nullopt;
  uint64_t bits = getBits(tensor, byte, width);
  if (type == "i1")
    return double(bits & 1);
  if (type.starts_with("ui"))
    return double(bits);
  if (type == "index" || type.starts_with("i") || type.starts_with("si"))
    return double(int64_t(bits << (64 - 8 * width)) >> (64 - 8 * width));
  return std::nullopt;
}

llvm::Expected<Comparison> mlirprof::compareTensors(const HostTensor &actual,
                                                    const HostTensor &expected,
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
  Comparison result;
  result.elements = actual.size();
  double largest = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    auto a = getElement(actual, i), e = getElement(expected, i);
    if (!a || !e)
      return inputError("result", "elements of type " + actual.elementType +
                                      " and " + expected.elementType +
                                      " cannot be compared");
    if (std::isfinite(*e))
      largest = std::max(largest, std::fabs(*e));
    // Equal infinities, and NaN where NaN is expected.
    if (*a == *e || (std::isnan(*a) && std::isnan(*e)))
      continue;
    double difference = std::fabs(*a - *e);
    // Written so that a NaN is a difference.
    if (!(difference <= atol + rtol * std::fabs(*e)))
      ++result.different;
    if (!std::isfinite(*a) && std::isfinite(*e))
      ++result.notFinite;
    if (std::isfinite(difference))
      result.maxAbsolute = std::max(result.maxAbsolute, difference);
  }
  result.relativeToMax =
      largest > 0 ? result.maxAbsolute / largest : result.maxAbsolute;
  return result;
}
