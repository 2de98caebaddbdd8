//===- XPlaneTest.cpp - The possible contents of an XPlane ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "SpaceWriter.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

// Ids of the stats and events that these tests use.
enum Stat {
  HloOp = 1,
  ModuleStat,
  ProgramId,
  RunId,
  FlowOut,
  FlowIn,
  StepNum,
  Text,
  HloProto
};
enum Name { Outer = 1, Matmul, EndMatmul, Relu, StepName };

Message plane(llvm::StringRef name) {
  Message plane;
  plane.text(2, name);
  const char *stats[] = {"hlo_op", "hlo_module", "program_id", "run_id",   "_p",
                         "_c",     "step_num",   "dot.1",      "Hlo Proto"};
  for (int64_t id = 1; id <= 9; ++id)
    plane.message(5, named(id, stats[id - 1]));
  const char *names[] = {"outer", "dot.1", "end: dot.1", "layer/Relu:Relu",
                         "step 7"};
  for (int64_t id = 1; id <= 5; ++id)
    plane.message(4, named(id, names[id - 1]));
  return plane;
}

Message line(llvm::StringRef name, llvm::ArrayRef<Message> events,
             int64_t timestampNs = 0) {
  Message line;
  line.integer(1, 42).text(2, name).integer(3, timestampNs);
  for (const Message &event : events)
    line.message(4, event);
  return line;
}

std::string space(const Message &plane) {
  return Message().message(1, plane).bytes;
}

std::vector<Message> dotStats(int64_t flow, int64_t run = 1) {
  return {stat(HloOp, 7, Text), textStat(ModuleStat, 5, "jit_f"),
          stat(ProgramId, 4, 10), stat(RunId, 4, run), stat(FlowOut, 4, flow)};
}

const OpSummary *findOp(const Profile &profile, llvm::StringRef name) {
  for (const OpSummary &op : profile.runs.front().ops)
    if (profile.opKeys[op.op].op == name)
      return &op;
  return nullptr;
}

const EventSummary *findEvent(const Profile &profile, llvm::StringRef name) {
  for (const EventSummary &event : profile.runs.front().events)
    if (profile.strings[event.name] == name)
      return &event;
  return nullptr;
}

} // namespace

TEST(XPlane, CompletionOnAnotherLine) {
  Message host = plane("/host:CPU");
  host.message(
      3, line("a", {event(Matmul, 0, 10, dotStats(5)), event(Relu, 20, 5)}));
  host.message(3, line("b", {event(EndMatmul, 40, 1, {stat(FlowIn, 3, 5)})}));
  Profile profile = readOk(space(host));
  const OpSummary *dot = findOp(profile, "dot.1");
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(dot->getSum(Quantity::Execute), 10);
  EXPECT_EQ(dot->getSum(Quantity::Complete), 40);
  EXPECT_EQ(dot->getSum(Quantity::Bounded), 40);
  const auto &key = profile.opKeys[dot->op].get<HloInstructionKey>();
  EXPECT_EQ(key.module, "jit_f");
  EXPECT_EQ(key.programId, 10);
  const OpSummary *relu = findOp(profile, "layer/Relu");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(profile.opKeys[relu->op].kernel, "Relu");
  EXPECT_EQ(profile.runs[0].opBusyPs, 15);
  EXPECT_EQ(profile.runs[0].opInflightPs, 40);
  EXPECT_EQ(lossCount(profile,
                      "HLO module 'jit_f' (program 10) does not have a proto"),
            1u);
}

TEST(XPlane, SameOpAgainCutsWithinItsRun) {
  Message host = plane("/host:CPU");
  host.message(3, line("a", {event(Matmul, 0, 10, dotStats(5)),
                             event(Matmul, 30, 1, dotStats(6, 2)),
                             event(Matmul, 35, 1, dotStats(7)),
                             event(EndMatmul, 40, 1, {stat(FlowIn, 4, 5)})}));
  Profile profile = readOk(space(host));
  const OpSummary *dot = findOp(profile, "dot.1");
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(dot->getSum(Quantity::Complete), 42);
  EXPECT_EQ(dot->getSum(Quantity::Bounded), 37);
  EXPECT_EQ(lossCount(profile, "without a report of its end"), 2u);
}

TEST(XPlane, StatsOfAnyType) {
  // The program id as unsigned, double, string and reference; the op as string
  // and as bytes.
  std::vector<std::vector<Message>> stats = {
      {textStat(HloOp, 5, "dot.1"), stat(ProgramId, 3, 10)},
      {textStat(HloOp, 6, "dot.1"),
       Message().integer(1, ProgramId).real(2, 10)},
      {stat(HloOp, 7, Text), textStat(ProgramId, 5, "10")}};
  Message host = plane("/host:CPU");
  std::vector<Message> events;
  for (auto &list : stats) {
    list.push_back(textStat(ModuleStat, 5, "jit_f"));
    events.push_back(event(Matmul, int64_t(events.size()) * 10, 5, list));
  }
  host.message(3, line("a", events));
  Profile profile = readOk(space(host));
  ASSERT_EQ(profile.opKeys.size(), 1u);
  EXPECT_EQ(profile.runs[0].ops[0].getCount(), 3u);
}

TEST(XPlane, UnorderedLinesAreSortedAndSaid) {
  std::vector<Message> ordered = {event(Outer, 0, 100), event(Relu, 10, 20),
                                  event(Matmul, 10, 5), event(Relu, 50, 10)};
  Message good = plane("/host:CPU");
  good.message(3, line("a", ordered));
  Message ties = plane("/host:CPU");
  std::swap(ordered[1], ordered[2]);
  ties.message(3, line("a", ordered));
  Message bad = plane("/host:CPU");
  std::swap(ordered[0], ordered[3]);
  bad.message(3, line("a", ordered));
  std::string expected = describe(readOk(space(good)));
  Profile tiesRead = readOk(space(ties));
  Profile badRead = readOk(space(bad));
  EXPECT_EQ(lossCount(tiesRead, "unordered ties"), 4u);
  EXPECT_EQ(lossCount(badRead, "not in time order"), 4u);
  tiesRead.runs[0].losses = badRead.runs[0].losses =
      readOk(space(good)).runs[0].losses;
  EXPECT_EQ(describe(tiesRead), expected);
  EXPECT_EQ(describe(badRead), expected);
}

TEST(XPlane, FieldsInAnyOrder) {
  // Metadata after the lines, and in an event the offset after the id.
  Message odd;
  odd.integer(3, 20).integer(2, 5).integer(1, Outer);
  Message host;
  host.message(3, Message().message(4, odd).text(2, "a").integer(3, 1));
  host.raw(plane("/host:CPU").bytes);
  Profile profile = readOk(space(host));
  const EventSummary *outer = findEvent(profile, "outer");
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(outer->total.sum, 20);
  EXPECT_EQ(profile.runs[0].tracks[0].timestampNs, 1);
  EXPECT_EQ(profile.runs[0].tracks[0].plane, "/host:CPU");
}

TEST(XPlane, AggregatedEventsAreALoss) {
  Message aggregated;
  aggregated.integer(1, Outer).integer(3, 500);
  aggregated.message(4, stat(StepNum, 4, 1)).integer(5, 9);
  Message host = plane("/host:CPU");
  host.message(3, line("a", {aggregated, event(Outer, 3, 4)}));
  Profile profile = readOk(space(host));
  EXPECT_EQ(lossCount(profile, "num_occurrences"), 9u);
  EXPECT_EQ(findEvent(profile, "outer")->total.sum, 4);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 1u);
}

TEST(XPlane, TimesOutOfRange) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  Message host = plane("/host:CPU");
  host.message(3, line("a", {event(Outer, kMin, 5), event(Outer, -10, 3),
                             event(Outer, 0, -4), event(Relu, 5, kMax),
                             event(Relu, kMax, kMax)}));
  host.message(3, line("b", {event(Outer, 0, 5)}, kMin));
  host.message(3, line("c", {event(Outer, kMax, kMax)}, kMax / 4000));
  Profile profile = readOk(space(host));
  EXPECT_EQ(lossCount(profile, "negative offset"), 2u);
  EXPECT_EQ(lossCount(profile, "negative duration"), 1u);
  EXPECT_GE(lossCount(profile, "time out of range"), 3u);
}

TEST(XPlane, TimesSinceTheEpoch) {
  constexpr int64_t kNow = 1795249023470820498;
  Message host = plane("/host:CPU");
  host.message(3, line("a", {event(Outer, 7, 5)}, kNow));
  host.message(3, line("b", {event(Relu, 0, 5)}, kNow + 2));
  Profile profile = readOk(space(host));
  EXPECT_EQ(profile.runs[0].clock.anchorNs, kNow);
  EXPECT_EQ(findOp(profile, "layer/Relu")->firstBeginPs, 2000);
  EXPECT_EQ(lossCount(profile, "out of range"), 0u);
}

TEST(XPlane, MissingMetadata) {
  Message host = plane("/host:CPU");
  host.message(3, line("a", {event(99, 0, 5), event(99, 10, 5),
                             event(-3, 20, 5, {stat(77, 4, 1)})}));
  Profile profile = readOk(space(host));
  EXPECT_EQ(lossCount(profile, "metadata is not in the file"), 3u);
  EXPECT_EQ(lossCount(profile, "stat without a usable value"), 1u);
  EXPECT_NE(findEvent(profile, "event metadata 99 (not in the file)"), nullptr);
}

TEST(XPlane, StatsThatSayNothingOfEvents) {
  // Recordings with many names of stats have ids of more than one byte, which
  // the usual form of stats does not hold.
  Message host = plane("/host:CPU");
  constexpr int64_t kRows = 300, kLabel = 301, kShare = 302, kId = 303;
  host.message(5, named(kRows, "rows")).message(5, named(kLabel, "label"));
  host.message(5, named(kShare, "share")).message(5, named(kId, "program_id"));
  std::vector<Message> stats = {stat(kRows, 4, 7),
                                stat(kRows, 3, 0),
                                textStat(kLabel, 5, "seven"),
                                textStat(kLabel, 5, "7"),
                                Message().integer(1, kShare),
                                textStat(HloOp, 5, "dot.1"),
                                textStat(ModuleStat, 5, "jit_f"),
                                stat(kId, 4, 10)};
  host.message(3, line("a", {event(Matmul, 0, 5, stats)}));
  Profile profile = readOk(space(host));
  const OpSummary *op = findOp(profile, "dot.1");
  ASSERT_NE(op, nullptr);
  const auto &key = profile.opKeys[op->op].get<HloInstructionKey>();
  EXPECT_EQ(key.module, "jit_f");
  EXPECT_EQ(key.programId, 10);
  EXPECT_EQ(lossCount(profile, "stat without a usable value"), 0u);
}

TEST(XPlane, GpuAndTpuPlanes) {
  Message gpu = plane("/device:GPU:0");
  gpu.message(3, line("Stream #1(Kernel)",
                      {event(Relu, 0, 5,
                             {textStat(HloOp, 5, "while.1::fusion.2"),
                              textStat(ModuleStat, 5, "jit_f")})}));
  Message tpu = plane("/device:TPU:0");
  // On TPUs the name is the instruction's text, and its stats are separate.
  Message metadata;
  metadata.integer(1, 20).text(2, "%fusion.9 = f32[8] fusion(%p)");
  metadata.text(4, "fusion.9").message(5, stat(ProgramId, 3, 11));
  tpu.message(4, Message().integer(1, 20).message(2, metadata));
  tpu.message(4, named(21, "7"));
  tpu.message(3, line("XLA Ops", {event(20, 0, 5)}));
  tpu.message(3, line("Steps", {event(21, 0, 9)}));
  Message both;
  both.message(1, gpu).message(1, tpu);
  Profile profile = readOk(both.bytes);
  ASSERT_NE(findOp(profile, "fusion.2"), nullptr);
  const OpSummary *fusion = findOp(profile, "fusion.9");
  ASSERT_NE(fusion, nullptr);
  EXPECT_EQ(profile.opKeys[fusion->op].get<HloInstructionKey>().programId, 11);
  ASSERT_EQ(profile.runs[0].steps.size(), 1u);
  EXPECT_EQ(profile.runs[0].steps[0].number, 7);
  EXPECT_EQ(profile.runs[0].steps[0].opBusyPs, 5);
}

TEST(XPlane, KeepsEventsOfSteps) {
  Message host = plane("/host:CPU");
  std::vector<Message> events;
  for (int64_t step = 0; step != 3; ++step) {
    events.push_back(event(StepName, step * 100, 90, {stat(StepNum, 4, step)}));
    events.push_back(event(Relu, step * 100 + 5, 10));
  }
  host.message(3, line("a", events));
  auto all = read(space(host), "xplane", {KeepEvents::Mode::All, {}});
  ASSERT_TRUE(bool(all));
  EXPECT_EQ(all->runs[0].kept.size(), 6u);
  auto one = read(space(host), "xplane", {KeepEvents::Mode::Steps, {1}});
  ASSERT_TRUE(bool(one));
  const EventColumns &kept = one->runs[0].kept;
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept.beginPs[1], 105);
  EXPECT_EQ(kept.durationPs[1], 10);
  EXPECT_EQ(one->opKeys[kept.op[1]].op, "layer/Relu");
  EXPECT_EQ(kept.op[0], kNone);
}

TEST(XPlane, JsonEqualsBinary) {
  // One spells fields as protobuf does, the other in camel case.
  for (const char *name : {"tf/mlp-xla", "tf/mixed"}) {
    auto binary = importProfile(recordingPath(name, "xplane.pb"));
    auto json = importProfile(recordingPath(name, "xplane.json.gz"));
    ASSERT_TRUE(binary && json);
    EXPECT_EQ(describe(*json), describe(*binary));
    EXPECT_EQ(json->runs[0].producer.format, "xplane-json");
  }
}

TEST(XPlane, JsonForms) {
  llvm::StringRef json = R"({"planes": [{"name": "/host:CPU", "lines": [
    {"id": "7", "name": "a", "timestamp_ns": "1", "events": [
      {"stats": [{"metadataId": 1, "int64_value": "3"}], "metadata_id": 1,
       "offsetPs": "5", "duration_ps": 6.0, "nonsense": 1}]}],
    "event_metadata": [{"key": "1", "value": {"id": 1, "name": "step"}}],
    "statMetadata": {"1": {"id": "1", "name": "step_num"}}}],
    "hostnames": ["h"], "errors": null})";
  Profile profile = readOk(json, "xplane-json");
  ASSERT_EQ(profile.runs[0].steps.size(), 1u);
  EXPECT_EQ(profile.runs[0].steps[0].number, 3);
  EXPECT_EQ(profile.runs[0].steps[0].beginPs, 1005);
  EXPECT_EQ(profile.runs[0].steps[0].durationPs, 6);
  EXPECT_EQ(profile.runs[0].tracks[0].id, 7);
  EXPECT_EQ(profile.runs[0].machine.host, "h");
  EXPECT_EQ(lossCount(profile, "JSON key"), 1u);
}
