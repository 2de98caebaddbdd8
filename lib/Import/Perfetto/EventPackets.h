//===- EventPackets.h - Packets with nothing but an event -------*- C++ -*-===//
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

/// Reads packets with nothing but an event. What stands behind the event says
/// who wrote it, in the same bytes from packet to packet: these are read again
/// when they change.
class EventPacketReader {
public:
  /// How many bytes must be loadable behind a packet for readUsual().
  static constexpr size_t kReach = 16;

  /// Reads a packet that is a time, an event, and the bytes behind the event of
  /// the last packet. False, with anything in `packet`, when it is no such
  /// packet; read() may then still read it. kReach bytes behind `message` and
  /// bytes up to `loadable` may be loaded.
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

  /// False when there is anything else in the packet, or something is wrong.
  /// Bytes up to `loadable` may be loaded.
  bool read(llvm::StringRef message, const char *loadable, EventPacket &packet);

private:
  static constexpr size_t kLongestTail = 16;
  static_assert(kReach >= kLongestTail);

  /// Whether the bytes at `at`, as many as the tail has, are the tail.
  bool isTail(const char *at) const {
    uint64_t words[2];
    std::memcpy(words, at, sizeof words);
    return (((words[0] ^ tail[0]) & tailMask[0]) |
            ((words[1] ^ tail[1]) & tailMask[1])) == 0;
  }
  void keepTail(llvm::StringRef bytes, unsigned fields,
                const EventPacket &packet);

  /// The bytes behind the last event; `tailMask` has a bit for each of theirs.
  uint64_t tail[2] = {};
  uint64_t tailMask[2] = {};
  size_t tailSize = 0;
  /// What they say: fields that are in them, and their values, else what a
  /// packet has without them.
  unsigned tailFields = 0;
  uint32_t tailSequence = 0;
  bool tailNeedsState = false;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTPACKETS_H
