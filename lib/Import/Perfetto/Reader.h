//===- Reader.h - Converting packets to events ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_READER_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_READER_H

#include "Clocks.h"
#include "EventCache.h"
#include "EventPackets.h"
#include "Inflate.h"
#include "Ops.h"
#include "Packet.h"
#include "Sequence.h"
#include "Slices.h"
#include "Tracks.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Support/MemoryBudget.h"

#include <map>
#include <memory>

namespace mlirprof::importer::perfetto {

/// Reads the packets of a trace into a builder. Its functions throw protozero's
/// exceptions.
class Reader {
public:
  /// `position` is updated while reading, for errors.
  Reader(const ImportInput &input, profile::ProfileBuilder &builder,
         const char *&position);

  llvm::Error read();

private:
  enum class Trouble : uint8_t {
    NeedsState,
    NoTime,
    TimeRange,
    UnknownName,
    LegacyPhase,
    ExtraCounters,
    UnknownType,
    Nested,
    Count
  };

  llvm::Error readPackets(llvm::StringRef bytes, bool isInflated);
  const char *inflateMore(const char *at, size_t count);
  bool readKnown(llvm::StringRef message, const char *loadable);
  void readEventPacket(const EventPacket &packet, Sequence &sequence,
                       const char *loadable);
  llvm::Error readOne(llvm::StringRef message, bool isInflated);
  llvm::Error readCompressed(llvm::StringRef bytes, bool isInflated);
  void updateSequence(const Packet &packet, Sequence &sequence);
  std::optional<SliceChange> readEvent(const EventPacket &packet,
                                       Sequence &sequence,
                                       const char *loadable);
  void addLegacy(const TrackEvent &event, Sequence &sequence, uint32_t track,
                 uint32_t clock, int64_t ns);

  Sequence &getSequence(uint32_t id);
  bool getTime(const EventPacket &packet, const TrackEvent &event,
               Sequence &sequence, uint32_t &clock, int64_t &ns);
  uint32_t getTrack(const TrackEvent &event, Sequence &sequence);
  uint32_t getName(const TrackEvent &event, const Sequence &sequence,
                   uint64_t id);

  void note(Trouble trouble) { ++troubles[size_t(trouble)]; }
  void finish();
  void addTracks(std::vector<Lane> &lanes);
  void describeClock(uint32_t traceClock, int64_t originNs);
  void describeCounters();
  void reportLosses();

  const ImportInput &input;
  profile::ProfileBuilder &builder;
  const char *&position;
  MemoryBudget inflation;
  MemoryBudget sequenceMemory;
  Inflater inflater;
  EventPacketReader eventPackets;
  EventCache events;
  uint64_t lastState = 0;

  std::map<uint32_t, std::unique_ptr<Sequence>> sequences;
  uint32_t lastSequenceId = 0;
  Sequence *lastSequence = nullptr;
  Ops ops;
  Tracks tracks;
  Clocks clocks;
  Slices slices;
  uint64_t packets = 0;
  uint64_t troubles[size_t(Trouble::Count)] = {};
  std::map<llvm::StringRef, uint64_t> otherPayloads;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_READER_H
