//===- Reader.cpp - Converting packets to events --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "../Common/FastWire.h"
#include "../Common/Wire.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr uint64_t kPacketTag = 0x0a;
static constexpr int64_t kNsPerUs = 1000;
/// Bytes to inflate ahead, for a file inflated while being read.
static constexpr size_t kAhead = size_t(1) << 20;
/// More than the size of any file.
static constexpr uint64_t kMost = uint64_t(1) << 60;
/// Minimum limit on inflated bytes, regardless of the file's size.
static constexpr uint64_t kSmallestBudget = uint64_t(256) << 20;
/// The same for the states of sequences: each belongs to a writing thread, so a
/// trace has few sequences with many packets each.
static constexpr uint64_t kSmallestSequenceBudget = uint64_t(64) << 20;
static constexpr uint64_t kSequenceFactor = 4;
/// The memory of a map entry, apart from what it points to.
static constexpr uint64_t kMapNode = 64;

Reader::Reader(const ImportInput &input, ProfileBuilder &builder,
               const char *&position)
    : input(input), builder(builder), position(position),
      inflation(kSmallestBudget, input.bytes.size()),
      sequenceMemory(kSmallestSequenceBudget, input.bytes.size(),
                     kSequenceFactor),
      ops(builder) {}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// The time and clock of an event; false if it does not have a time.
bool Reader::getTime(const EventPacket &packet, const TrackEvent &event,
                     Sequence &sequence, uint32_t &clock, int64_t &ns) {
  // Times in us within the event are on Chrome's monotonic clock.
  if (LLVM_UNLIKELY(event.hasDeltaUs || event.hasAbsoluteUs)) {
    int64_t us = event.timeUs;
    if (event.hasDeltaUs &&
        __builtin_add_overflow(sequence.referenceUs, us, &us))
      return note(Trouble::TimeRange), false;
    if (event.hasDeltaUs)
      sequence.referenceUs = us;
    clock = clocks.getIndex(0, kMonotonic);
    if (__builtin_mul_overflow(us, kNsPerUs, &ns))
      return note(Trouble::TimeRange), false;
    return true;
  }
  if (!packet.hasTimestamp)
    return note(Trouble::NoTime), false;
  if (packet.clock) {
    clock = clocks.getIndex(packet.sequence, packet.clock);
  } else {
    if (LLVM_UNLIKELY(sequence.clockIndex == kNone))
      sequence.clockIndex = clocks.getIndex(
          packet.sequence,
          sequence.clock ? sequence.clock : uint32_t(kBoottime));
    clock = sequence.clockIndex;
  }
  std::optional<int64_t> time = clocks.read(clock, packet.timestamp);
  if (!time)
    return note(Trouble::TimeRange), false;
  ns = *time;
  return true;
}

uint32_t Reader::getTrack(const TrackEvent &event, Sequence &sequence) {
  if (event.hasTrack)
    return tracks.getIndex(event.track);
  if (sequence.track) {
    if (LLVM_UNLIKELY(sequence.trackIndex == kNone))
      sequence.trackIndex = tracks.getIndex(*sequence.track);
    return sequence.trackIndex;
  }
  return sequence.threadTrack != kNone ? sequence.threadTrack
                                       : tracks.getIndex(0);
}

uint32_t Reader::getName(const TrackEvent &event, const Sequence &sequence,
                         uint64_t id) {
  if (!event.name.empty())
    return builder.addName(event.name);
  if (id == 0)
    return builder.addName("(no name)");
  uint32_t name = sequence.names.find(id);
  if (LLVM_LIKELY(name != kNone))
    return name;
  note(Trouble::UnknownName);
  return builder.addName("name " + std::to_string(id) + " (not in the trace)");
}

/// Adds an event in the form of Chrome's JSON.
void Reader::addLegacy(const TrackEvent &event, Sequence &sequence,
                       uint32_t track, uint32_t clock, int64_t ns) {
  LegacyEvent legacy;
  readLegacyEvent(event.legacy, legacy);
  auto name = [&] {
    return getName(event, sequence,
                   event.nameId ? event.nameId : legacy.nameId);
  };
  int64_t end;
  switch (legacy.hasId ? '\0' : legacy.phase) {
  case 'X': {
    if (__builtin_mul_overflow(legacy.durationUs, kNsPerUs, &end) ||
        __builtin_add_overflow(ns, end, &end))
      return note(Trouble::TimeRange);
    uint32_t index = name();
    return slices.whole(track, clock, ns, end, index,
                        ops.get({}, event, sequence, index));
  }
  case 'B': {
    uint32_t index = name();
    return slices.add(slices.getBegin(track, clock, index,
                                      ops.get({}, event, sequence, index)),
                      ns);
  }
  case 'E':
    return slices.add(slices.getEnd(track, clock), ns);
  case 'I':
  case 'i':
  case 'R':
    return slices.whole(track, clock, ns, ns, name(), SliceOp());
  }
  note(Trouble::LegacyPhase);
}

/// The slice that an event begins or ends, if an equal event would do the same
/// at another time.
std::optional<SliceChange> Reader::readEvent(const EventPacket &packet,
                                             Sequence &sequence,
                                             const char *loadable) {
  TrackEvent event;
  readTrackEvent(packet.trackEvent, loadable, event);
  uint32_t clock;
  int64_t ns;
  if (!getTime(packet, event, sequence, clock, ns))
    return std::nullopt;
  uint32_t track = getTrack(event, sequence);
  if (event.hasExtraCounters)
    note(Trouble::ExtraCounters);
  bool isRepeatable = !packet.clock && !event.hasDeltaUs &&
                      !event.hasAbsoluteUs && !event.hasExtraCounters;
  uint64_t unknownNames = troubles[size_t(Trouble::UnknownName)];
  SliceChange change;
  switch (event.type) {
  case EventType::Begin: {
    uint32_t name = getName(event, sequence, event.nameId);
    isRepeatable &= troubles[size_t(Trouble::UnknownName)] == unknownNames;
    change = slices.getBegin(track, clock, name,
                             ops.get(packet.trackEvent, event, sequence, name));
    break;
  }
  case EventType::End:
    change = slices.getEnd(track, clock);
    break;
  case EventType::Instant:
    slices.whole(track, clock, ns, ns, getName(event, sequence, event.nameId),
                 SliceOp());
    return std::nullopt;
  case EventType::Counter:
    tracks[track].values.add(tracks[track].isIncremental
                                 ? tracks[track].values.last + event.value
                                 : event.value);
    return std::nullopt;
  case EventType::Unknown:
    if (event.legacy.data())
      addLegacy(event, sequence, track, clock, ns);
    else
      note(Trouble::UnknownType);
    return std::nullopt;
  }
  slices.add(change, ns);
  return isRepeatable ? std::optional(change) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Packets
//===----------------------------------------------------------------------===//

Sequence &Reader::getSequence(uint32_t id) {
  if (LLVM_LIKELY(lastSequence && lastSequenceId == id))
    return *lastSequence;
  std::unique_ptr<Sequence> &sequence = sequences[id];
  if (!sequence) {
    // A packet of a few bytes may begin a sequence.
    charge(sequenceMemory, sizeof(Sequence) + kMapNode);
    sequence = std::make_unique<Sequence>();
    sequence->state = ++lastState;
  }
  lastSequenceId = id;
  lastSequence = sequence.get();
  return *lastSequence;
}

/// Applies a packet's settings for the packets after it.
void Reader::updateSequence(const Packet &packet, Sequence &sequence) {
  sequence.state = ++lastState;
  if (packet.followsLoss)
    sequence.isValid = false;
  if (packet.clearsState) {
    sequence.clear();
    sequence.isValid = true;
  }
  if (packet.defaults.data())
    sequence.setDefaults(packet.defaults);
  if (packet.interned.data())
    sequence.intern(packet.interned, builder, ops.texts);
  if (packet.thread.data())
    sequence.threadTrack =
        tracks.describeThread(packet.thread, sequence.referenceUs);
}

llvm::Error Reader::readCompressed(llvm::StringRef bytes, bool isInflated) {
  if (isInflated) {
    note(Trouble::Nested);
    return llvm::Error::success();
  }
  std::optional<llvm::StringRef> plain = inflater.inflate(bytes, inflation);
  if (!plain)
    return inputError(input.where + ": byte " +
                          llvm::Twine(bytes.begin() - input.bytes.begin()),
                      "the compressed data of a packet are damaged",
                      "The file is truncated or damaged; copy it again, or "
                      "record it again.");
  return readPackets(*plain, /*isInflated=*/true);
}

void Reader::readEventPacket(const EventPacket &packet, Sequence &sequence,
                             const char *loadable) {
  if (LLVM_UNLIKELY(packet.needsState && !sequence.isValid))
    return note(Trouble::NeedsState);
  std::optional<SliceChange> change = readEvent(packet, sequence, loadable);
  llvm::StringRef event = packet.trackEvent;
  if (change && event.size() <= EventCache::kLongest &&
      size_t(loadable - event.data()) >= EventCache::kLongest)
    events.keep(EventCache::getKey(event, sequence.state), *change);
}

/// Reads a packet with a cached event, at another time; false if it is not such
/// a packet.
inline bool Reader::readKnown(llvm::StringRef message, const char *loadable) {
  constexpr size_t kReach =
      std::max(EventPacketReader::kReach, EventCache::kLongest);
  EventPacket packet;
  if (LLVM_UNLIKELY(size_t(loadable - message.end()) < kReach) ||
      LLVM_UNLIKELY(!eventPackets.readUsual(message, loadable, packet)))
    return false;
  Sequence &sequence = getSequence(packet.sequence);
  if (LLVM_UNLIKELY(packet.needsState && !sequence.isValid) ||
      LLVM_UNLIKELY(packet.trackEvent.size() > EventCache::kLongest))
    return false;
  const SliceChange *change =
      events.find(EventCache::getKey(packet.trackEvent, sequence.state));
  if (LLVM_UNLIKELY(!change))
    return false;
  if (std::optional<int64_t> ns = clocks.read(change->clock, packet.timestamp))
    slices.add(*change, *ns);
  else
    note(Trouble::TimeRange);
  return true;
}

llvm::Error Reader::readOne(llvm::StringRef message, bool isInflated) {
  Packet packet;
  readPacket(message, packet);
  Sequence &sequence = getSequence(packet.sequence);
  if (packet.clearsState || packet.followsLoss || packet.defaults.data() ||
      packet.interned.data() || packet.thread.data())
    updateSequence(packet, sequence);
  if (LLVM_LIKELY(packet.trackEvent.data() != nullptr)) {
    readEventPacket(packet, sequence, message.end());
    return llvm::Error::success();
  }
  if (packet.snapshot.data())
    clocks.addSnapshot(packet.sequence, packet.snapshot);
  if (packet.track.data())
    tracks.describe(packet.track);
  if (packet.process.data())
    tracks.describeProcess(packet.process);
  if (packet.otherPayload)
    if (const char *name = getPayloadName(packet.otherPayload))
      ++otherPayloads[name];
  if (packet.compressed.data())
    return readCompressed(packet.compressed, isInflated);
  return llvm::Error::success();
}

/// For a file inflated while being read: makes `count` bytes from `at` on
/// readable if the file has that many, releases the bytes before, and returns
/// the new end.
const char *Reader::inflateMore(const char *at, size_t count) {
  GzipInput &rest = *input.inflating;
  const char *before = rest.end();
  rest.require(at, count);
  rest.release(at);
  uint64_t inflated = uint64_t(rest.end() - before);
  inflation.grow(inflated);
  sequenceMemory.grow(inflated);
  return rest.end();
}

llvm::Error Reader::readPackets(llvm::StringRef bytes, bool isInflated) {
  ReadPages pages(bytes.begin(), isInflated ? Backing::Memory : input.backing);
  const char *at = bytes.begin();
  const char *end = bytes.end();
  bool hasMore = !isInflated && input.inflating;
  while (at != end || hasMore) {
    if (!isInflated)
      position = at;
    if (LLVM_UNLIKELY(hasMore && size_t(end - at) < kAhead)) {
      end = inflateMore(at, 2 * kAhead);
      hasMore = !input.inflating->isComplete();
      continue;
    }
    uint64_t tag = readShortVarint(at, end);
    if (tag != kPacketTag) {
      // Traces do not contain other fields.
      if (hasMore)
        end = inflateMore(at, kMost);
      hasMore = false;
      skipField(tag, at, end);
      continue;
    }
    const char *packet = at;
    uint64_t length = readShortVarint(at, end);
    if (LLVM_UNLIKELY(length > uint64_t(end - at) && hasMore)) {
      end = inflateMore(packet, size_t(std::min(length, kMost)) + kAhead);
      hasMore = !input.inflating->isComplete();
    }
    if (length > uint64_t(end - at) && packets && !isInflated) {
      // The writer was stopped; each packet is independent.
      builder.loss("bytes of a packet that the end of the file cuts off",
                   uint64_t(end - packet), 0);
      break;
    }
    if (length > uint64_t(end - at))
      throw protozero::end_of_buffer_exception();
    llvm::StringRef message(at, size_t(length));
    at += length;
    ++packets;
    pages.readTo(packet);
    if (LLVM_LIKELY(readKnown(message, end)))
      continue;
    EventPacket usual;
    if (eventPackets.read(message, end, usual))
      readEventPacket(usual, getSequence(usual.sequence), end);
    else if (llvm::Error error = readOne(message, isInflated))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Reader::read() {
  if (llvm::Error error = readPackets(input.bytes, /*isInflated=*/false))
    return error;
  finish();
  return llvm::Error::success();
}
