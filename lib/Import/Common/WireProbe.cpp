//===- WireProbe.cpp - A first look at protobufs --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireProbe.h"

#include "llvm/Support/LEB128.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::importer;

bool WireProbe::readVarint(uint64_t &value) {
  // Protobuf allows a varint of at most ten bytes, LEB128 any number of them.
  llvm::StringRef head = rest.take_front(10);
  unsigned length = 0;
  const char *error = nullptr;
  value = llvm::decodeULEB128(head.bytes_begin(), &length, head.bytes_end(),
                              &error);
  if (error) {
    bool endsWithin = length == rest.size() && length < 10;
    (endsWithin ? cut : broken) = true;
    return false;
  }
  rest = rest.drop_front(length);
  return true;
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
