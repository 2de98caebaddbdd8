//===- Binary.cpp - The binary form ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "Facts.h"
#include "Reader.h"
#include "XPlane.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;

/// Whether the fields of `plane`, possibly cut off, are those of an XPlane: its
/// id, its name, its lists and maps. Perfetto's packets and pprof's value types
/// have fields with other numbers or types.
static bool looksLikePlane(llvm::StringRef plane) {
  WireProbe probe(plane);
  for (unsigned fields = 0; fields != 32 && probe.next(); ++fields)
    if (!probe.is(1, WireProbe::Type::Varint) &&
        (probe.number() < 2 || probe.number() > 6 ||
         probe.type() != WireProbe::Type::Bytes))
      return false;
  return !probe.isBroken();
}

bool xplane::detectBinary(llvm::StringRef bytes) {
  // A truncated file is accepted: the reader reports errors better.
  WireProbe probe(bytes);
  unsigned fields = 0;
  for (; fields != 16 && probe.next(); ++fields)
    if (probe.number() > 4 || probe.type() != WireProbe::Type::Bytes ||
        (probe.number() == 1 && !looksLikePlane(probe.bytes())))
      return false;
  return fields && !probe.isBroken();
}

llvm::Error xplane::readBinary(const ImportInput &input,
                               ProfileBuilder &builder) {
  const char *position = input.bytes.data();
  return catchWireErrors(input.bytes, input.where, position, [&] {
    Space space = readSpace(input.bytes, position);
    readFacts(space, builder);
    readHloModules(space, builder);
    Reader(input, space, builder, position).read();
    return llvm::Error::success();
  });
}

Importer importer::XPlane() {
  Importer importer = {"xplane", "TensorFlow and JAX profile, *.xplane.pb",
                       xplane::detectBinary, xplane::readBinary};
  importer.sharesBeginning = true;
  return importer;
}
