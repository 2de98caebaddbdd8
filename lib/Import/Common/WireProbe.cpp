//===- WireProbe.cpp - A first look at protobufs --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireProbe.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::importer;

bool WireProbe::readVarint(uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (rest.empty()) {
      cut = true;
      return false;
    }
    uint8_t byte = uint8_t(rest.front());
    rest = rest.drop_front();
    if (shift < 64)
      value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  broken = true;
  return false;
}

bool WireProbe::next() {
  uint64_t tag = 0, size = 0;
  if (cut || broken || rest.empty() || !readVarint(tag))
    return false;
  field = tag >> 3;
  wireType = Type(tag & 7);
  content = {};
  switch (wireType) {
  case Type::Varint:
    if (!readVarint(varint))
      return false;
    break;
  case Type::Fixed64:
    size = 8;
    break;
  case Type::Fixed32:
    size = 4;
    break;
  case Type::Bytes:
    if (!readVarint(size))
      return false;
    content = rest.take_front(std::min<uint64_t>(size, rest.size()));
    break;
  default:
    broken = true;
    return false;
  }
  broken = field == 0 || field >> 29;
  cut = size > rest.size();
  rest = rest.drop_front(std::min<uint64_t>(size, rest.size()));
  return !broken;
}
