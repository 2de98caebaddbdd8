//===- PerfettoTest.cpp - Reading Perfetto's traces -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Import/Perfetto/Sequence.h"
#include "ReadText.h"
#include "SpaceWriter.h"
#include "gtest/gtest.h"

#include <zlib.h>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;
using reading::getTotal;

namespace {

constexpr int kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
constexpr int64_t kCleared = 1, kNeedsState = 2;

/// A packet of sequence 1.
Message packet(int64_t timestamp, int64_t flags = kNeedsState) {
  return Message().integer(8, timestamp).integer(10, 1).integer(13, flags);
}
std::string trace(llvm::ArrayRef<Message> packets) {
  Message trace;
  for (const Message &packet : packets)
    trace.message(1, packet);
  return trace.bytes;
}
/// TrackEvent on a track.
Message change(int type, int64_t track, int64_t nameId = 0) {
  Message event;
  event.integer(9, type).integer(11, track);
  return nameId ? event.integer(10, nameId) : event;
}
Message begin(int64_t timestamp, int64_t nameId, int64_t track = 7) {
  return packet(timestamp).message(11, change(kBegin, track, nameId));
}
Message end(int64_t timestamp, int64_t track = 7) {
  return packet(timestamp).message(11, change(kEnd, track));
}
Message entry(int64_t id, llvm::StringRef text) {
  return Message().integer(1, id).text(2, text);
}
/// Clears the state and gives it names 1 "layer" and 2 "matmul"; describes
/// track 7.
Message start() {
  Message names;
  names.message(2, entry(1, "layer")).message(2, entry(2, "matmul"));
  Message track;
  track.integer(1, 7).text(2, "stream");
  return packet(0, kCleared).message(12, names).message(60, track);
}
Message clock(int64_t id, int64_t time) {
  return Message().integer(1, id).integer(2, time);
}
Message incrementalClock(int64_t id, int64_t time, int64_t unitNs) {
  return clock(id, time).integer(3, 1).integer(4, unitNs);
}
Message snapshot(llvm::ArrayRef<Message> clocks) {
  Message message;
  for (const Message &clock : clocks)
    message.message(1, clock);
  return Message().integer(10, 1).message(6, message);
}
Message thread(int64_t track, int64_t process, int64_t id,
               llvm::StringRef name) {
  Message descriptor;
  descriptor.integer(1, track).message(
      4, Message().integer(1, process).integer(2, id).text(5, name));
  return Message().message(60, descriptor);
}
std::string deflate(llvm::StringRef bytes, int windowBits) {
  std::string out(bytes.size() + 1000, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Profile readTrace(llvm::StringRef bytes) { return readOk(bytes, "perfetto"); }

TEST(Perfetto, NamesNestAndTracksHaveNames) {
  Profile profile = readTrace(
      trace({start(), thread(7, 40, 41, "worker"), begin(1000, 1),
             begin(1100, 2), end(1400), begin(1500, 2), end(1600), end(2000)}));
  EXPECT_EQ(getTotal(profile, "layer").executePs, 1000000);
  EXPECT_EQ(getTotal(profile, "layer").selfPs, 600000);
  EXPECT_EQ(getTotal(profile, "matmul").count, 2u);
  EXPECT_EQ(getTotal(profile, "matmul").executePs, 400000);
  ASSERT_EQ(profile.runs[0].tracks.size(), 1u);
  EXPECT_EQ(profile.runs[0].tracks[0].plane, "process 40");
  EXPECT_EQ(profile.runs[0].tracks[0].name, "stream");
  EXPECT_EQ(profile.runs[0].tracks[0].id, 41);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 3u);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(Perfetto, OfManyThreads) {
  // The numbers printed by the program that wrote it:
  // bench/import/perfetto_trace.py.
  Profile profile =
      reading::readSeed("perfetto", "perfetto/synthetic-sdk.pftrace");
  uint64_t count = 0;
  int64_t sumPs = 0;
  for (const EventSummary &event : profile.runs[0].events) {
    count += event.total.count;
    sumPs += event.total.sum;
  }
  EXPECT_EQ(count, 102u);
  EXPECT_EQ(sumPs, 17917067000);
  EXPECT_TRUE(profile.runs[0].losses.empty());
  EXPECT_EQ(profile.runs[0].clock.anchorNs / 1000000000, 1790000000);
}

TEST(Perfetto, DefaultsAndIncrementalClocks) {
  Message defaults;
  defaults.integer(58, 64).message(11, Message().integer(11, 7));
  Message names;
  names.message(2, entry(1, "layer"));
  Message onDefault;
  onDefault.integer(9, kBegin).integer(10, 1);
  // Times are differences in us to what the snapshot says.
  Profile profile = readTrace(
      trace({packet(0, kCleared).message(59, defaults).message(12, names),
             snapshot({clock(6, 5000), clock(1, 1700000000000000000),
                       incrementalClock(64, 9, 1000)}),
             packet(3).message(11, onDefault),
             packet(20).message(11, Message().integer(9, kEnd)),
             packet(1).message(11, onDefault),
             packet(2).message(11, Message().integer(9, kEnd))}));
  EXPECT_EQ(getTotal(profile, "layer").count, 2u);
  EXPECT_EQ(getTotal(profile, "layer").executePs, 22000000);
  EXPECT_EQ(profile.runs[0].clock.name, "boottime");
  EXPECT_TRUE(profile.runs[0].clock.hasAnchor);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1700000000000003000);
}

/// As the SDK writes it: bytes that repeat from packet to packet come last.
Message usual(int64_t timestamp, const Message &event, int64_t sequence = 1) {
  return Message()
      .integer(8, timestamp)
      .message(11, event)
      .integer(10, sequence)
      .integer(13, kNeedsState);
}
/// Name 1 of a sequence.
Message nameOne(llvm::StringRef name, int64_t sequence = 1) {
  Message names;
  names.message(2, entry(1, name));
  return Message()
      .integer(10, sequence)
      .integer(13, kCleared)
      .message(12, names);
}
/// Long enough that nothing is close to the end of the file.
Message configuration() { return Message().text(33, std::string(100, 'x')); }

TEST(Perfetto, SameBytesMeanWhatTheStateSays) {
  std::vector<Message> packets;
  int64_t now = 0;
  auto addSlices = [&](int count, int64_t ns, int64_t sequence = 1) {
    for (int i = 0; i != count; ++i) {
      packets.push_back(usual(now += 5, change(kBegin, 7, 1), sequence));
      packets.push_back(usual(now += ns, change(kEnd, 7), sequence));
    }
  };
  packets.push_back(nameOne("layer"));
  addSlices(5, 10);
  packets.push_back(nameOne("other", /*sequence=*/2));
  addSlices(4, 100, /*sequence=*/2);
  addSlices(1, 10);
  packets.push_back(nameOne("matmul"));
  addSlices(3, 20);
  packets.push_back(Message().integer(10, 1).integer(42, 1));
  addSlices(2, 20);
  packets.push_back(nameOne("layer"));
  addSlices(2, 10);
  packets.push_back(configuration());
  Profile profile = readTrace(trace(packets));
  EXPECT_EQ(getTotal(profile, "layer").count, 8u);
  EXPECT_EQ(getTotal(profile, "layer").executePs, 80000);
  EXPECT_EQ(getTotal(profile, "other").count, 4u);
  EXPECT_EQ(getTotal(profile, "other").executePs, 400000);
  EXPECT_EQ(getTotal(profile, "matmul").count, 3u);
  EXPECT_EQ(getTotal(profile, "matmul").executePs, 60000);
  EXPECT_EQ(lossCount(profile, "needs state of packets that were lost"), 4u);
}

TEST(Perfetto, SameBytesOnAnotherDefaultTrack) {
  std::vector<Message> packets{nameOne("layer")};
  Message begins, ends;
  begins.integer(9, kBegin).integer(10, 1);
  ends.integer(9, kEnd);
  auto addSlices = [&](int64_t track, int count) {
    Message defaults;
    defaults.message(11, Message().integer(11, track));
    packets.push_back(Message().integer(10, 1).message(59, defaults));
    for (int64_t at = 0; at != count; ++at) {
      packets.push_back(usual(100 * at, begins));
      packets.push_back(usual(100 * at + 50, ends));
    }
  };
  addSlices(7, 3);
  addSlices(8, 2);
  addSlices(7, 0);
  packets.push_back(usual(1000, begins));
  packets.push_back(usual(1050, ends));
  packets.push_back(configuration());
  Profile profile = readTrace(trace(packets));
  ASSERT_EQ(profile.runs[0].tracks.size(), 2u);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 4u);
  EXPECT_EQ(profile.runs[0].tracks[1].events, 2u);
  EXPECT_EQ(getTotal(profile, "layer").executePs, 300000);
}

TEST(Perfetto, WhatIsWrongIsCountedEachTime) {
  std::vector<Message> packets{nameOne("layer")};
  for (int64_t at = 0; at != 5; ++at) {
    packets.push_back(usual(100 * at, change(kBegin, 7, /*nameId=*/9)));
    // With values of counters.
    packets.push_back(usual(100 * at + 50, change(kEnd, 7).integer(12, 1)));
  }
  packets.push_back(configuration());
  Profile profile = readTrace(trace(packets));
  EXPECT_EQ(lossCount(profile, "interned name that is not in"), 5u);
  EXPECT_EQ(lossCount(profile, "extra counters are not read"), 5u);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 5u);
}

TEST(Perfetto, OtherClocksAreTranslatedOrLost) {
  Message monotonic = begin(150, 2, 8).integer(58, 3);
  Message monotonicEnd = end(190, 8).integer(58, 3);
  std::vector<Message> packets = {start(),        thread(8, 1, 2, "other"),
                                  begin(1000, 1), end(3000),
                                  monotonic,      monotonicEnd};
  // The relation of the clocks is unknown; the one with the most events stays.
  packets.push_back(begin(5000, 1));
  packets.push_back(end(6000));
  Profile lost = readTrace(trace(packets));
  EXPECT_EQ(getTotal(lost, "matmul").count, 0u);
  EXPECT_EQ(getTotal(lost, "layer").executePs, 3000000);
  ASSERT_EQ(lost.runs[0].losses.size(), 1u);
  EXPECT_EQ(lost.runs[0].losses[0].name,
            "slice on a clock (monotonic) that no snapshot links with the "
            "trace's (boottime)");
  EXPECT_EQ(lost.runs[0].losses[0].count, 1u);
  EXPECT_EQ(lost.runs[0].losses[0].timePs, 40000);
  // Through a third clock, and by a snapshot after the events.
  packets.push_back(snapshot({clock(6, 1000), clock(5, 500)}));
  packets.push_back(snapshot({clock(5, 600), clock(3, 100)}));
  Profile linked = readTrace(trace(packets));
  EXPECT_TRUE(linked.runs[0].losses.empty());
  EXPECT_EQ(getTotal(linked, "matmul").executePs, 40000);
  for (const OpSummary &op : linked.runs[0].ops)
    if (linked.opKeys[op.op].op == "matmul")
      EXPECT_EQ(op.firstBeginPs, 150000);
}

TEST(Perfetto, PacketsOfSeveralWritersArePairedByTime) {
  Message other = Message().integer(8, 100).integer(10, 2);
  other.message(11, change(kBegin, 7).text(23, "outer"));
  // The end of the outer slice comes first, its begin last.
  Profile profile =
      readTrace(trace({start(), begin(200, 2), end(300), end(500), other}));
  EXPECT_EQ(getTotal(profile, "outer").executePs, 400000);
  EXPECT_EQ(getTotal(profile, "outer").selfPs, 300000);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(Perfetto, LostStateAndPartnersAreCounted) {
  Profile profile = readTrace(
      trace({begin(50, 1), start(), begin(100, 1), begin(200, 9), end(300),
             begin(500, 2), packet(0).integer(42, 1), end(600), start(),
             end(700), begin(800, 2), end(900), end(950), end(990)}));
  // The first packet, and those after the loss.
  EXPECT_EQ(lossCount(profile, "needs state of packets that were lost"), 2u);
  EXPECT_EQ(lossCount(profile, "interned name that is not in"), 1u);
  EXPECT_EQ(lossCount(profile, "without its begin"), 1u);
  EXPECT_EQ(getTotal(profile, "layer").executePs, 850000);
}

TEST(Perfetto, OpenSlicesAreLosses) {
  Profile profile =
      readTrace(trace({start(), begin(100, 1), begin(200, 2), end(300)}));
  EXPECT_EQ(getTotal(profile, "matmul").executePs, 100000);
  EXPECT_EQ(getTotal(profile, "layer").count, 0u);
  ASSERT_EQ(profile.runs[0].losses.size(), 1u);
  EXPECT_EQ(profile.runs[0].losses[0].name, "slice without an end");
  EXPECT_EQ(profile.runs[0].losses[0].timePs, 200000);
}

TEST(Perfetto, CountersAreSummaries) {
  Message track;
  track.integer(1, 9).text(2, "memory").message(8, Message().integer(3, 3));
  Message counter = change(kCounter, 9).integer(30, 12);
  Message larger = change(kCounter, 9).real(44, 40.5);
  Profile profile = readTrace(
      trace({Message().message(60, track), start(), begin(1, 1), end(2),
             packet(3).message(11, counter), packet(4).message(11, larger)}));
  bool found = false;
  for (const auto &[name, value] : profile.runs[0].facts)
    if (name == "counter memory, bytes") {
      found = true;
      EXPECT_EQ(value, "2 values, smallest 12, largest 40.5, last 40.5");
    }
  EXPECT_TRUE(found);
  EXPECT_EQ(lossCount(profile, "values of counters"), 2u);
}

TEST(Perfetto, CompressedPackets) {
  std::string inner = trace({start(), begin(1000, 1), end(2500)});
  for (int windowBits : {15, 31}) {
    Message packet;
    packet.text(50, deflate(inner, windowBits));
    Profile profile = readTrace(trace({packet}));
    EXPECT_EQ(getTotal(profile, "layer").executePs, 1500000);
  }
  Message broken;
  broken.text(50, "neither of both");
  auto error = read(trace({broken}), "perfetto");
  ASSERT_FALSE(bool(error));
  std::string text = llvm::toString(error.takeError());
  EXPECT_NE(text.find("byte 5: the compressed data of a packet are damaged"),
            std::string::npos)
      << text;
}

TEST(Perfetto, AnnotationsTellOps) {
  Message names;
  names.message(2, entry(1, "run")).message(2, entry(2, "dot.3"));
  names.message(3, entry(1, "hlo_op")).message(3, entry(2, "hlo_module"));
  names.message(29, entry(5, "jit_f"));
  Message dot = change(kBegin, 7, 2);
  dot.message(4, Message().integer(1, 1).text(6, "dot.3"));
  dot.message(4, Message().integer(1, 2).integer(17, 5));
  dot.message(4, Message().text(10, "begin_ps").integer(4, 100999));
  dot.message(4, Message().text(10, "duration_ps").integer(4, 1002));
  Profile profile =
      readTrace(trace({packet(0, kCleared).message(12, names), begin(50, 1),
                       packet(100).message(11, dot), end(102), end(400)}));
  // Slices that do not state an op are not ops if others do.
  ASSERT_EQ(profile.runs[0].ops.size(), 1u);
  const OpKey &key = profile.opKeys[profile.runs[0].ops[0].op];
  ASSERT_TRUE(key.is<HloInstructionKey>());
  EXPECT_EQ(key.op, "dot.3");
  EXPECT_EQ(key.get<HloInstructionKey>().module, "jit_f");
  EXPECT_EQ(profile.runs[0].ops[0].getSum(Quantity::Execute), 1002);
  EXPECT_EQ(profile.runs[0].ops[0].firstBeginPs, 50999);
}

TEST(Perfetto, InternedIdsInAnyOrder) {
  perfetto::InternTable table;
  EXPECT_EQ(table.find(0), kNone);
  // Far ahead, and described again for so many.
  constexpr uint32_t kMany = 3000;
  for (uint64_t id : {uint64_t(kMany), uint64_t(1) << 40, ~uint64_t(0)})
    table.set(id, 7);
  for (uint32_t id = 1; id != kMany; ++id)
    table.set(id, 10 * id);
  EXPECT_EQ(table.find(kMany), 7u);
  table.set(kMany, 8);
  EXPECT_EQ(table.find(kMany), 8u);
  EXPECT_EQ(table.find(uint64_t(1) << 40), 7u);
  EXPECT_EQ(table.find(~uint64_t(0)), 7u);
  EXPECT_EQ(table.find(kMany + 1), kNone);
  for (uint32_t id = 1; id != kMany; ++id)
    ASSERT_EQ(table.find(id), 10 * id);
  table.clear();
  EXPECT_EQ(table.find(1), kNone);
  EXPECT_EQ(table.find(kMany), kNone);
}

TEST(Perfetto, LegacyEventsAndInstants) {
  Message complete;
  complete.integer(2, 'X').integer(3, 25);
  Message event;
  event.integer(11, 7).text(23, "old").message(6, complete);
  Message mark = change(kInstant, 7).text(23, "mark");
  Profile profile = readTrace(trace({start(), packet(10000).message(11, event),
                                     packet(20000).message(11, mark)}));
  EXPECT_EQ(getTotal(profile, "old").executePs, 25000000);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 2u);
}

TEST(Perfetto, CutAndDamagedFiles) {
  std::string bytes =
      trace({start(), begin(1000, 1), end(2000), begin(3000, 2), end(4000)});
  for (size_t size = 0; size != bytes.size(); ++size) {
    auto profile = read(llvm::StringRef(bytes).take_front(size), "perfetto");
    if (!profile)
      llvm::consumeError(profile.takeError());
  }
  Profile cut = readTrace(llvm::StringRef(bytes).drop_back(3));
  EXPECT_EQ(getTotal(cut, "layer").executePs, 1000000);
  EXPECT_GT(lossCount(cut, "the end of the file cuts off"), 0u);
  EXPECT_EQ(lossCount(cut, "slice without an end"), 1u);
  // A field of an invalid type.
  auto error = read(trace({start(), Message().raw("\x0f")}), "perfetto");
  ASSERT_FALSE(bool(error));
  EXPECT_NE(llvm::toString(error.takeError()).find("unknown wire type"),
            std::string::npos);
}

TEST(Perfetto, SequencesOfFewBytes) {
  std::string bytes;
  for (int64_t id = 1; id != 300000; ++id)
    bytes += trace({Message().integer(10, id)});
  std::string error = reading::readBad("perfetto", bytes);
  EXPECT_NE(error.find("bytes of memory, far more than its size"),
            std::string::npos)
      << error;
}

TEST(Perfetto, TimesOutOfRange) {
  Profile profile =
      readTrace(trace({start(), begin(1, 1), end(int64_t(uint64_t(1) << 62)),
                       begin(-5, 2), end(-1), end(7)}));
  EXPECT_GT(lossCount(profile, "time out of range"), 0u);
}

/// The formats that detection returns, by name.
std::string detected(llvm::StringRef bytes) {
  std::string names;
  for (const Importer &importer : getImporters())
    if (importer.sharesBeginning && importer.detect(bytes))
      names += (names.empty() ? "" : " ") + importer.name.str();
  return names;
}

TEST(Detection, ProtobufsAreToldApart) {
  EXPECT_EQ(detected(trace({start(), begin(1, 1)})), "perfetto");
  EXPECT_EQ(detected(trace({snapshot({clock(6, 1)})})), "perfetto");
  EXPECT_EQ(detected(trace({thread(7, 40, 41, "worker")})), "perfetto");
  Message plane;
  plane.text(2, "/host:CPU").message(3, Message().integer(1, 1));
  EXPECT_EQ(detected(trace({plane})), "xplane");
  Message metadata;
  metadata.text(2, "/host:metadata").message(4, Message().integer(1, 1));
  EXPECT_EQ(detected(trace({metadata})), "xplane");
  Message pprof;
  pprof.message(1, Message().integer(1, 1).integer(2, 2)).text(6, "");
  EXPECT_EQ(detected(pprof.bytes), "pprof");
  // A message without fields may be a plane or a packet.
  EXPECT_EQ(detected(trace({Message()})), "xplane perfetto");
  EXPECT_EQ(detected("\x0f"), "");
  EXPECT_EQ(detected(""), "");
}

} // namespace
