//===- RecordingsTest.cpp - Recordings against known numbers --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "mlir-prof/Import/Importer.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// Every recording under test/data/recordings, against numbers that were
/// computed from the same file by other means (expected.json).
class Recordings : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    expected = loadExpected(GetParam());
    auto imported = importProfile(recordingPath(GetParam(), "xplane.pb"));
    ASSERT_TRUE(bool(imported)) << llvm::toString(imported.takeError());
    profile = std::move(*imported);
    ASSERT_EQ(profile.runs.size(), 1u);
  }
  const profile::Run &run() const { return profile.runs.front(); }

  Json expected;
  Profile profile;
};

} // namespace

TEST_P(Recordings, Tracks) {
  size_t track = 0;
  std::map<std::string, uint64_t> events;
  for (const Json &line : expected["lines"].list()) {
    ASSERT_LT(track, run().tracks.size());
    const TrackInfo &info = run().tracks[track++];
    EXPECT_EQ(info.plane, line["plane"].string());
    EXPECT_EQ(info.line, line["index"].integer());
    EXPECT_EQ(info.id, line["id"].integer());
    EXPECT_EQ(info.name, line["name"].string());
    EXPECT_EQ(info.displayName, line["display_name"].string());
    EXPECT_EQ(info.timestampNs, line["timestamp_ns"].integer());
    EXPECT_EQ(int64_t(info.events), line["events"].integer());
    EXPECT_EQ(int64_t(info.partialOverlaps),
              line["partial_overlaps"].integer());
    events[info.plane] += info.events;
  }
  EXPECT_EQ(track, run().tracks.size());
  for (const Json &plane : expected["planes"].list())
    EXPECT_EQ(int64_t(events[plane["name"].string()]),
              plane["events"].integer());
}

TEST_P(Recordings, EventsByName) {
  std::map<std::pair<uint32_t, std::string>, const EventSummary *> found;
  for (const EventSummary &summary : run().events)
    found[{summary.track, profile.strings[summary.name]}] = &summary;
  size_t rows = 0;
  uint32_t track = 0;
  for (const Json &line : expected["lines"].list()) {
    for (const auto &[name, row] : line["by_name"].members()) {
      ++rows;
      auto it = found.find({track, name});
      ASSERT_NE(it, found.end()) << track << " " << name;
      const EventSummary &summary = *it->second;
      EXPECT_EQ(int64_t(summary.total.count), row["count"].integer()) << name;
      EXPECT_EQ(int64_t(summary.self.count), row["count"].integer()) << name;
      EXPECT_EQ(summary.total.sum, row["total_ps"].integer()) << name;
      EXPECT_EQ(summary.self.sum, row["self_ps"].integer()) << name;
    }
    ++track;
  }
  EXPECT_EQ(rows, run().events.size());
}

TEST_P(Recordings, Instructions) {
  std::map<std::pair<std::string, std::string>, const OpSummary *> found;
  size_t instructions = 0;
  for (const OpSummary &summary : run().ops) {
    const OpKey &key = profile.opKeys[summary.op];
    const auto *details = key.getIf<HloInstructionKey>();
    if (!details)
      continue;
    ++instructions;
    ASSERT_TRUE(details->module && details->programId);
    found[{*details->module + "/" + std::to_string(*details->programId),
           key.op}] = &summary;
  }
  size_t rows = 0;
  for (const Json &row : expected["hlo"].list()) {
    ++rows;
    std::string module = row["module"].string() + "/" +
                         std::to_string(row["program_id"].integer());
    auto it = found.find({module, row["instr"].string()});
    ASSERT_NE(it, found.end()) << module << " " << row["instr"].string();
    const OpSummary &op = *it->second;
    SCOPED_TRACE(module + " " + row["instr"].string());
    EXPECT_EQ(int64_t(op.getCount()), row["count"].integer());
    EXPECT_EQ(op.getSum(Quantity::Execute), row["execute_ps"].integer());
    EXPECT_EQ(op.getSum(Quantity::Self), row["op_self_ps"].integer());
    EXPECT_EQ(op.getSum(Quantity::Complete), row["complete_ps"].integer());
    EXPECT_EQ(op.getSum(Quantity::Bounded), row["bounded_ps"].integer());
    EXPECT_EQ(op.getTimePs(), row["time_ps"].integer());
  }
  EXPECT_EQ(rows, instructions);
}

TEST_P(Recordings, FrameworkNodes) {
  std::map<std::pair<std::string, std::string>, const OpSummary *> found;
  for (const OpSummary &summary : run().ops) {
    const OpKey &key = profile.opKeys[summary.op];
    if (key.is<GraphNodeKey>())
      found[{key.op, key.kernel}] = &summary;
  }
  size_t rows = 0;
  for (const Json &row : expected["framework_ops"].list()) {
    ++rows;
    auto it = found.find({row["node"].string(), row["kernel"].string()});
    ASSERT_NE(it, found.end()) << row["node"].string();
    const OpSummary &op = *it->second;
    EXPECT_EQ(int64_t(op.getCount()), row["count"].integer());
    EXPECT_EQ(op.getSum(Quantity::Execute), row["total_ps"].integer());
    EXPECT_EQ(op.getSum(Quantity::Self), row["op_self_ps"].integer());
    EXPECT_EQ(op.find(Quantity::Bounded), nullptr);
  }
  EXPECT_EQ(rows, found.size());
}

TEST_P(Recordings, StepsAndUnions) {
  int64_t total = 0, busy = 0, inflight = 0;
  for (const Step &step : run().steps) {
    total += step.durationPs;
    busy += step.opBusyPs;
    inflight += step.opInflightPs;
    EXPECT_LE(step.opBusyPs, step.opInflightPs);
    EXPECT_LE(step.opInflightPs, step.durationPs);
  }
  EXPECT_EQ(int64_t(run().steps.size()), expected["steps"]["count"].integer());
  EXPECT_EQ(total, expected["steps"]["total_ps"].integer());
  EXPECT_EQ(run().opBusyPs, expected["op_busy_union_ps"].integer());
  EXPECT_EQ(run().opInflightPs, expected["op_inflight_union_ps"].integer());
  // In these recordings, ops do not run outside of steps for long.
  EXPECT_LE(busy, run().opBusyPs);
  EXPECT_LE(inflight, run().opInflightPs);
  EXPECT_GT(busy, run().opBusyPs / 2);
}

TEST_P(Recordings, ModulesOfAllInstructions) {
  for (const Json &module : expected["hlo_modules"].list()) {
    const HloModule *found =
        findHloModule(profile.hloModules, module["name"].string(),
                      module["program_id"].integer());
    ASSERT_NE(found, nullptr) << module["name"].string();
    EXPECT_EQ(found->programId, module["program_id"].integer());
    EXPECT_FALSE(found->instructions.empty());
  }
  for (const Json &row : expected["hlo"].list()) {
    const HloModule *module =
        findHloModule(profile.hloModules, row["module"].string(),
                      row["program_id"].integer());
    ASSERT_NE(module, nullptr);
    HloIndex index(*module);
    uint32_t instruction = index.find(row["instr"].string());
    ASSERT_NE(instruction, kNone);
    EXPECT_EQ(module->instructions[instruction].opcode, row["opcode"].string());
    EXPECT_EQ(module->instructions[instruction].opName,
              row["root_op_name"].string());
    EXPECT_EQ(module->instructions[instruction].fusionKind,
              row["fusion_kind"].string());
  }
}

TEST_P(Recordings, SaysWhatItIs) {
  EXPECT_EQ(run().producer.format, "xplane");
  EXPECT_EQ(run().machine.host, "vm");
  EXPECT_TRUE(run().clock.hasAnchor);
  EXPECT_EQ(run().hash.size(), 32u);
  bool isJax = llvm::StringRef(GetParam()).contains("jax/");
  EXPECT_EQ(run().producer.name, isJax ? "JAX" : "");
  // These files lack at most the end of the last asynchronous op.
  for (const Loss &loss : run().losses)
    EXPECT_EQ(loss.name, "asynchronous op without a report of its end");
}

INSTANTIATE_TEST_SUITE_P(All, Recordings, testing::ValuesIn(recordings()),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             c = c == '-' || c == '/' ? '_' : c;
                           return name;
                         });
