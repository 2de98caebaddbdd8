//===- Bytes.cpp - Compiled code as bytes ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Bytes.h"

using namespace mlirprof;
using namespace mlirprof::compile;

void ByteWriter::put(const std::vector<ValueSignature> &values) {
  put(uint64_t(values.size()));
  for (const ValueSignature &value : values) {
    // Fails to compile when a member is added, which the bytes would lack.
    const auto &[name, elementType, bytesPerElement, shape, isScalar,
                 isWritten] = value;
    put(name);
    put(elementType);
    put(uint64_t(bytesPerElement));
    put(uint64_t(isScalar));
    put(uint64_t(isWritten));
    put(uint64_t(shape.size()));
    for (int64_t size : shape)
      put(uint64_t(size));
  }
}

void ByteWriter::put(const Signature &signature) {
  put(signature.arguments);
  put(signature.results);
}

std::vector<ValueSignature> ByteReader::getValues() {
  std::vector<ValueSignature> values;
  // Memory is not reserved before the bytes for it have been seen.
  for (uint64_t count = getInteger(); isGood() && count != 0; --count) {
    ValueSignature &value = values.emplace_back();
    value.name = getText();
    value.elementType = getText();
    value.bytesPerElement = unsigned(getInteger());
    value.isScalar = getInteger() != 0;
    value.isWritten = getInteger() != 0;
    for (uint64_t rank = getInteger(); isGood() && rank != 0; --rank)
      value.shape.push_back(int64_t(getInteger()));
  }
  return values;
}

Signature ByteReader::getSignature() {
  Signature signature;
  signature.arguments = getValues();
  signature.results = getValues();
  return signature;
}
