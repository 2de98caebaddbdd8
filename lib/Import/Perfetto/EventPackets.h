//===- EventPackets.h - Packets with only an event --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTPACKETS_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTPACKETS_H

#include "../Common/FastWire.h"
#include "Packet.h"

#include <cstring>

namespace mlirprof::importer::perfetto {

/// Reads packets with only an event. The bytes after the event identify its
/// writer, and are the same from packet to packet: they are decoded again only
/// when they change.
class EventPacketReader {
public:
  /// Number of bytes after a packet that must be loadable for readUsual().
  static constexpr size_t kReach = 16;

  /// Reads a packet that consists of a time, an event, and the same bytes after
  /// the event as in the last packet. False, with arbitrary content in
  /// `packet`, if it is not such a packet; read() may then still read it.
  /// kReach bytes after `message` and bytes up to `loadable` may be loaded.
  LLVM_ATTRIBUTE_ALWAYS_INLINE
  bool readUsual(llvm::StringRef message, const char *loadable,
                 EventPacket &packet) const {
    constexpr uint8_t kTimestamp = 8 << 3, kTrackEvent = 11 << 3 | 2;
    const char *at = message.begin();
    if (LLVM_UNLIKELY(uint8_t(*at++) != kTimestamp))
      return false;
    packet.timestamp = readVarint(at, loadable);
    if (LLVM_UNLIKELY(uint8_t(at[0]) != kTrackEvent || int8_t(at[1]) < 0))
      return false;
    size_t length = size_t(at[1]);
    at += 2;
    const char *behind = at + length;
    if (LLVM_UNLIKELY(behind + tailSize != message.end() || !isTail(behind)))
      return false;
    packet.trackEvent = llvm::StringRef(at, length);
    packet.hasTimestamp = true;
    packet.sequence = tailSequence;
    packet.needsState = tailNeedsState;
    return true;
  }

  /// False if there is anything else in the packet, or an error. Bytes up to
  /// `loadable` may be loaded.
  bool read(llvm::StringRef message, const char *loadable, EventPacket &packet);

private:
  static constexpr size_t kLongestTail = 16;
  static_assert(kReach >= kLongestTail);

  /// Whether the bytes at `at` equal the tail.
  bool isTail(const char *at) const {
    uint64_t words[2];
    std::memcpy(words, at, sizeof words);
    return (((words[0] ^ tail[0]) & tailMask[0]) |
            ((words[1] ^ tail[1]) & tailMask[1])) == 0;
  }
  void keepTail(llvm::StringRef bytes, unsigned fields,
                const EventPacket &packet);

  /// The bytes after the last event; `tailMask` selects them.
  uint64_t tail[2] = {};
  uint64_t tailMask[2] = {};
  size_t tailSize = 0;
  /// Their meaning: the fields in them, and the fields' values, or else the
  /// defaults of packets without them.
  unsigned tailFields = 0;
  uint32_t tailSequence = 0;
  bool tailNeedsState = false;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTPACKETS_H
