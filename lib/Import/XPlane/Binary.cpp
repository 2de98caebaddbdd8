//===- Binary.cpp - The binary form ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "Facts.h"
#include "Reader.h"
#include "XPlane.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::xplane;

/// Whether the fields of `plane`, perhaps cut off, look like an XPlane's.
static bool looksLikePlane(llvm::StringRef plane) {
  if (plane.empty())
    return true;
  // The first field is the id, the name, or one of the maps and lists; a
  // Perfetto packet and a pprof value type differ in number or type.
  uint8_t tag = uint8_t(plane[0]);
  if (tag == 0x08)
    return plane.size() < 3 || uint8_t(plane[1]) >= 0x80 ||
           (uint8_t(plane[2]) & 7) == 2;
  return tag == 0x12 || tag == 0x1a || tag == 0x22 || tag == 0x2a ||
         tag == 0x32;
}

bool xplane::detectBinary(llvm::StringRef bytes) {
  bool hasField = false;
  try {
    // Without a check of lengths: that of a truncated file's last field passes
    // its end.
    protozero::pbf_reader reader(bytes.data(), bytes.size());
    for (unsigned fields = 0; fields != 4 && reader.next(); ++fields) {
      uint32_t tag = reader.tag_and_type();
      if (tag != bytesField(1) && tag != bytesField(2) &&
          tag != bytesField(3) && tag != bytesField(4))
        return false;
      hasField = true;
      if (tag == bytesField(1)) {
        // The length may pass the end of a truncated file.
        llvm::StringRef rest = toRef(reader.data());
        const char *at = rest.data();
        uint64_t length = protozero::decode_varint(&at, rest.end());
        rest = rest.drop_front(size_t(at - rest.data()));
        if (!looksLikePlane(rest.take_front(length)))
          return false;
      }
      reader.skip();
    }
    return hasField;
  } catch (const protozero::end_of_buffer_exception &) {
    // Truncated: reading says so better.
    return hasField;
  } catch (const protozero::exception &) {
    return false;
  }
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
  return {"xplane", "TensorFlow and JAX profile, *.xplane.pb",
          xplane::detectBinary, xplane::readBinary};
}
