//===- Perfetto.cpp - Perfetto's traces -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Perfetto.h"
#include "../Common/Wire.h"
#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "Reader.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;

/// Whether a field of a packet is a number; all others below the number of the
/// first extension are messages or bytes.
static bool isNumber(uint64_t field) {
  switch (field) {
  case 3:  // trusted_uid
  case 8:  // timestamp
  case 10: // trusted_packet_sequence_id
  case 13: // sequence_flags
  case 41: // incremental_state_cleared
  case 42: // previous_packet_dropped
  case 58: // timestamp_clock_id
  case 79: // trusted_pid
  case 87: // first_packet_on_sequence
  case 98: // machine_id
    return true;
  }
  return false;
}

namespace {
enum class Likeness : uint8_t { No, Empty, Perhaps, Yes };
} // namespace

/// How much `message` looks like a packet. In an XPlane file, the fields of a
/// plane up to 6 have the same types as here, except its id and lines.
static Likeness looksLikePacket(llvm::StringRef message) {
  Likeness likeness = Likeness::Empty;
  WireProbe probe(message);
  for (unsigned fields = 0; fields != 32 && probe.next(); ++fields) {
    bool isVarint = probe.type() == WireProbe::Type::Varint;
    if (!isVarint && probe.type() != WireProbe::Type::Bytes)
      return Likeness::No;
    if (isVarint != isNumber(probe.number()))
      return Likeness::No;
    bool isTelling = isVarint || probe.number() > 6;
    likeness =
        std::max(likeness, isTelling ? Likeness::Yes : Likeness::Perhaps);
  }
  return probe.isBroken() ? Likeness::No : likeness;
}

bool perfetto::detect(llvm::StringRef bytes) {
  WireProbe probe(bytes);
  bool isTold = false, allEmpty = true;
  unsigned fields = 0;
  for (; fields != 16 && probe.next(); ++fields) {
    if (!probe.is(1, WireProbe::Type::Bytes))
      return false;
    Likeness likeness = looksLikePacket(probe.bytes());
    if (likeness == Likeness::No)
      return false;
    isTold |= likeness == Likeness::Yes;
    allEmpty &= likeness == Likeness::Empty;
  }
  return fields && !probe.isBroken() && (isTold || allEmpty);
}

llvm::Error perfetto::read(const ImportInput &input, ProfileBuilder &builder) {
  const char *position = input.bytes.data();
  return catchWireErrors(input.bytes, input.where, position, [&] {
    return Reader(input, builder, position).read();
  });
}

Importer importer::Perfetto() {
  Importer importer = {"perfetto", "Perfetto trace, protobuf", perfetto::detect,
                       perfetto::read};
  importer.sharesBeginning = true;
  importer.inflatesWhileReading = true;
  return importer;
}
