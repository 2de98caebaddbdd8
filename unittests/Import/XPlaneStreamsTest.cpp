//===- XPlaneStreamsTest.cpp - Forms of GPU planes ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceWriter.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

enum Stat {
  HloOp = 1,
  ModuleStat,
  ProgramId,
  Correlation,
  GraphId,
  GraphNode,
  CopyDetails,
  SetDetails,
  Proto
};

/// A plane with the stats above, and an event name for each of `names`, whose
/// ids count from 1.
Message plane(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> names) {
  Message plane;
  plane.text(2, name);
  int64_t id = 0;
  for (const char *stat :
       {"hlo_op", "hlo_module", "program_id", "correlation_id", "cuda_graph_id",
        "cuda_graph_node_id", "memcpy_details", "memset_details", "Hlo Proto"})
    plane.message(5, named(++id, stat));
  id = 0;
  for (llvm::StringRef event : names)
    plane.message(4, named(++id, event));
  return plane;
}

Message line(llvm::StringRef name, llvm::ArrayRef<Message> events) {
  Message line;
  line.integer(1, 7).text(2, name);
  for (const Message &event : events)
    line.message(4, event);
  return line;
}

std::vector<Message> ofProgram(llvm::StringRef op) {
  return {textStat(HloOp, 5, op), textStat(ModuleStat, 5, "jit_f"),
          stat(ProgramId, 4, 10)};
}

/// Stats of a node of command buffer "buffer".
std::vector<Message> node(int64_t number) {
  std::vector<Message> stats = ofProgram("buffer");
  stats.push_back(stat(Correlation, 4, 1));
  stats.push_back(stat(GraphId, 3, 2));
  stats.push_back(stat(GraphNode, 3, number));
  return stats;
}

/// An HLO proto of one computation that launches `names` in this order. Those
/// that begin with "copy" are copies, others fusions.
std::string makeProto(llvm::ArrayRef<llvm::StringRef> names) {
  Message computation, sequence, module;
  computation.text(1, "main").integer(5, 1);
  int64_t id = 0;
  for (llvm::StringRef name : names) {
    Message instruction;
    instruction.text(1, name).integer(35, ++id);
    instruction.text(2, name.starts_with("copy") ? "copy" : "fusion");
    computation.message(2, instruction);
    sequence.integer(1, id);
  }
  module.text(1, "jit_f").message(3, computation).integer(5, 10).integer(6, 1);
  Message entry = Message().integer(1, 1).message(2, sequence);
  module.message(7, Message().message(1, entry));
  return Message().message(1, module).bytes;
}

/// A space with a GPU whose stream 7 has `events`, and a proto.
std::string makeSpace(llvm::ArrayRef<llvm::StringRef> names,
                      llvm::ArrayRef<Message> events,
                      llvm::StringRef proto = "") {
  Message gpu = plane("/device:GPU:3", names);
  gpu.message(3, line("Stream #7(Compute)", events));
  Message space;
  space.message(1, gpu);
  if (!proto.empty()) {
    Message metadata = plane("/host:metadata", {});
    Message module;
    module.integer(1, 10).text(2, "jit_f(10)");
    module.message(5, textStat(Proto, 6, proto));
    metadata.message(4, Message().integer(1, 10).message(2, module));
    space.message(1, metadata);
  }
  return space.bytes;
}

/// Instructions by kernel.
std::map<std::string, std::string> getOps(const Profile &profile) {
  std::map<std::string, std::string> ops;
  for (const OpSummary &op : profile.runs.front().ops)
    ops[profile.opKeys[op.op].kernel] = profile.opKeys[op.op].op;
  return ops;
}

/// Time by kind of work.
std::map<DeviceWork, int64_t> getTimes(const Profile &profile) {
  std::map<DeviceWork, int64_t> times;
  for (const OpSummary &op : profile.runs.front().ops)
    times[profile.opKeys[op.op].work] += op.getSum(Quantity::Execute);
  return times;
}

} // namespace

TEST(XPlaneStreams, LinesThatRepeatStreamsDoNotCount) {
  Message gpu = plane("/device:GPU:0", {"fusion_1", "7"});
  gpu.message(3, line("Steps", {event(2, 0, 50)}));
  gpu.message(3, line("XLA Ops", {event(1, 0, 5, ofProgram("fusion.1"))}));
  gpu.message(
      3, line("Stream #7(Compute)", {event(1, 0, 5, ofProgram("fusion.1"))}));
  Profile profile = readOk(Message().message(1, gpu).bytes);
  const profile::Run &run = profile.runs.front();
  ASSERT_EQ(run.ops.size(), 1u);
  EXPECT_EQ(run.ops[0].getCount(), 1u);
  EXPECT_EQ(run.opBusyPs, 5);
  EXPECT_TRUE(run.steps.empty());
  EXPECT_EQ(run.events.size(), 3u);
  EXPECT_EQ(lossCount(profile, "launch was not recorded"), 1u);
}

TEST(XPlaneStreams, KindsOfWork) {
  auto copy = [](llvm::StringRef details) {
    return std::vector<Message>{textStat(CopyDetails, 5, details)};
  };
  Profile profile = readOk(makeSpace(
      {"kernel", "MemcpyH2D", "MemcpyD2H", "MemcpyD2D", "MemcpyP2P",
       "MemcpyUnknown", "Memset"},
      {event(1, 0, 1),
       event(2, 1, 2, copy("kind_src:pinned kind_dst:device size:8")),
       event(3, 3, 4, copy("kind_src:device kind_dst:pinned size:x")),
       event(4, 7, 8, copy("")),
       event(5, 15, 16, copy("kind_src:device kind_dst:device size:1")),
       event(6, 31, 32, copy("kind_src:managed kind_dst:device size:1")),
       event(7, 63, 64, {textStat(SetDetails, 5, "kind:device size:4")})}));
  EXPECT_EQ(getTimes(profile),
            (std::map<DeviceWork, int64_t>{{DeviceWork::Kernel, 1},
                                           {DeviceWork::CopyToDevice, 2},
                                           {DeviceWork::CopyToHost, 4},
                                           {DeviceWork::CopyOnDevice, 8},
                                           {DeviceWork::CopyBetweenDevices, 16},
                                           {DeviceWork::Other, 32},
                                           {DeviceWork::SetMemory, 64}}));
  ASSERT_EQ(profile.runs[0].devices.size(), 1u);
  EXPECT_EQ(profile.runs[0].devices[0].number, 3);
  EXPECT_EQ(profile.runs[0].tracks[0].device, 0u);
}

TEST(XPlaneStreams, NodesThatAreLeft) {
  std::vector<Message> events = {event(1, 0, 1, node(20)),
                                 event(2, 1, 1, node(21)),
                                 event(3, 2, 1, node(22))};
  Profile profile =
      readOk(makeSpace({"fusion_1", "memcpy32_post", "fusion_2"}, events,
                       makeProto({"fusion.1", "copy.4", "fusion.2"})));
  EXPECT_EQ(getOps(profile),
            (std::map<std::string, std::string>{{"fusion_1", "fusion.1"},
                                                {"memcpy32_post", "copy.4"},
                                                {"fusion_2", "fusion.2"}}));
  EXPECT_EQ(lossCount(profile, "not in the proto"), 0u);
}

/// Two kernels of a library for one instruction; two instructions for one node.
TEST(XPlaneStreams, NodesBetweenKnownOnes) {
  std::vector<Message> events = {
      event(1, 0, 1, node(20)), event(2, 1, 1, node(21)),
      event(3, 2, 1, node(22)), event(4, 3, 1, node(23))};
  llvm::StringRef names[] = {"fusion_1", "gemm", "reduce", "fusion_2"};
  Profile profile = readOk(makeSpace(
      names, events, makeProto({"fusion.1", "copy.4", "fusion.2", "copy.5"})));
  EXPECT_EQ(getOps(profile)["gemm"], "copy.4");
  EXPECT_EQ(getOps(profile)["reduce"], "copy.4");
  profile = readOk(
      makeSpace({"fusion_1", "gemm", "fusion_2"},
                {events[0], events[1], event(3, 3, 1, node(23))},
                makeProto({"fusion.1", "copy.4", "copy.5", "fusion.2"})));
  EXPECT_EQ(getOps(profile)["gemm"], "buffer");
  EXPECT_EQ(lossCount(profile, "not in the proto"), 1u);
}

TEST(XPlaneStreams, NodesWithoutAProgram) {
  std::vector<Message> events = {event(1, 0, 1, node(20)),
                                 event(9, 1, 1, node(21))};
  Profile profile = readOk(makeSpace({"fusion_1"}, events));
  EXPECT_EQ(getOps(profile)["fusion_1"], "buffer");
  EXPECT_EQ(lossCount(profile, "does not have a proto"), 2u);
  EXPECT_EQ(lossCount(profile, "metadata is not in the file"), 1u);
  // A proto without a schedule, a damaged one, and one of another program.
  for (llvm::StringRef proto :
       {makeProto({}), std::string("\x0a\x7f"), std::string()}) {
    profile = readOk(makeSpace({"fusion_1"}, events, proto));
    EXPECT_EQ(getOps(profile)["fusion_1"], "buffer");
  }
}
