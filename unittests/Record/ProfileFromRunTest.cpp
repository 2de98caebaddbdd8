//===- ProfileFromRunTest.cpp - Tests of profiles of runs -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Record/PerfMap.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

/// Two functions; an instruction at every fourth byte, alternately of two nodes
/// of the level "llvm", which come from one op each of the level "input".
static CompiledModel makeModel() {
  CompiledModel model;
  Program &program = model.program;
  program.entry = "main";
  program.pipeline = "naive";
  program.levels = {"input", "llvm"};
  program.strings = {"", "linalg.matmul", "fc1", "linalg.add", "llvm.fmul"};
  for (auto [level, op, name, parent] : {std::tuple(0u, 1u, 2u, kNone),
                                         {0u, 3u, 0u, kNone},
                                         {1u, 4u, 0u, 0u},
                                         {1u, 4u, 0u, 1u}}) {
    ProgramNode node;
    node.level = level;
    node.op = op;
    node.name = name;
    if (parent != kNone)
      node.parents = {parent};
    program.nodes.push_back(node);
  }
  program.functions = {{"main", 0, 16}, {"helper", 16, 24}};
  program.instructions = {{0, 2},      {4, 2},  {8, 3},
                          {12, kNone}, {16, 3}, {20, 3}};
  return model;
}

static Sample sampleAt(int64_t time, uint32_t thread, SampleClass sampleClass,
                       uint64_t address, uint32_t symbol = kNone) {
  return {time, thread, sampleClass, address, symbol};
}

static RunResult makeResult() {
  RunResult result;
  result.iterations = 2;
  result.iterationNs = {2000000, 4000000};
  result.iterationBeginNs = {100, 2000100};
  result.beginNs = 100;
  result.beginEpochNs = 1700000000000000000;
  result.samplePeriodNs = 1000000;
  result.sampler = SamplerKind::Timer;
  result.symbols = {"libm.so.6:expf", "libomp.so", "ld.so"};
  result.threads = {"main", "worker 1"};
  result.samples = {
      sampleAt(1000100, 0, SampleClass::Work, 4),
      sampleAt(1000200, 1, SampleClass::Wait, 4, 1),
      sampleAt(2000100, 0, SampleClass::Work, 4),
      sampleAt(3000100, 0, SampleClass::Library, 8, 0),
      sampleAt(4000100, 0, SampleClass::Kernel, 8),
      sampleAt(5000100, 0, SampleClass::Outside, kNoAddress, 2),
  };
  result.losses = {{"samples that found no room (thread 0)", 3, 3000000000}};
  result.exit = ExitKind::Timeout;
  result.exitReason = "too long";
  return result;
}

TEST(ProfileFromRun, SamplesBecomeOps) {
  CompiledModel model = makeModel();
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, makeResult(), profile)));
  ASSERT_EQ(profile.runs.size(), 1u);
  ASSERT_EQ(profile.programs.size(), 1u);
  EXPECT_EQ(profile.programs[0].fingerprint,
            fingerprintProgram(profile.programs[0]));
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.ops.size(), 5u);
  std::vector<std::string> seen;
  for (const OpSummary &op : run.ops) {
    const OpKey &key = profile.opKeys[op.op];
    const auto *code = key.getIf<CodeKey>();
    seen.push_back(key.op + "|" + key.kernel + "|" +
                   std::to_string(code ? int(code->instruction) : -1) + "|" +
                   std::to_string(op.getSum(Quantity::Samples)) + "|" +
                   std::to_string(op.getTimePs()));
    EXPECT_EQ(op.getSum(Quantity::Execute), op.getTimePs());
    if (code) {
      EXPECT_EQ(code->program, profile.programs[0].fingerprint);
    }
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"main+0x4||1|2|2000000000",
                                      "main+0x8|libm.so.6:expf|2|1|1000000000",
                                      "main+0x8|kernel|2|1|1000000000",
                                      "libomp.so|waiting|-1|1|1000000000",
                                      "ld.so|outside|-1|1|1000000000"}));
  EXPECT_EQ(run.ops[0].firstBeginPs, 1000000000);
}

TEST(ProfileFromRun, DispatchesAndTheExecutorHaveTheirKeys) {
  CompiledModel model = makeModel();
  RunResult result = makeResult();
  result.samples[0].instance = 1;
  result.samples.push_back(
      sampleAt(5000200, 1, SampleClass::Steal, kNoAddress, 1));
  result.samples.push_back(
      sampleAt(5000300, 1, SampleClass::Executor, kNoAddress, 1));
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, result, profile)));
  const profile::Run &run = profile.runs[0];
  std::vector<std::string> seen;
  for (const OpSummary &op : run.ops)
    seen.push_back(getKeyLabel(profile.opKeys[op.op]) + "|" +
                   std::to_string(op.getTimePs()));
  EXPECT_EQ(
      seen,
      (std::vector<std::string>{
          "main+0x4 in dispatch 1|1000000000", "main+0x4|1000000000",
          "main+0x8:libm.so.6:expf|1000000000", "main+0x8:kernel|1000000000",
          "libomp.so:waiting|1000000000", "ld.so:outside|1000000000",
          "libomp.so:stealing|1000000000", "libomp.so:executor|1000000000"}));
  // Their time does not belong to an op.
  EXPECT_EQ(run.opBusyPs, 4000000000);
  std::vector<std::string> classes;
  for (const EventSummary &event : run.events)
    if (event.track == 1)
      classes.push_back(profile.strings[event.name]);
  EXPECT_EQ(classes,
            (std::vector<std::string>{"waiting", "stealing", "executor"}));
}

TEST(ProfileFromRun, RunIsDescribed) {
  CompiledModel model = makeModel();
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, makeResult(), profile)));
  const profile::Run &run = profile.runs[0];
  EXPECT_EQ(run.producer.name, "mlir-prof record");
  EXPECT_EQ(run.clock.anchorNs, 1700000000000000000);
  EXPECT_EQ(run.samplePeriodPs, 1000000000);
  EXPECT_EQ(run.iterations.count, 2u);
  EXPECT_EQ(run.iterations.sum, 6000000000);
  ASSERT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.steps[1].beginPs, 2000000000);
  EXPECT_EQ(run.steps[1].durationPs, 4000000000);
  // The first four periods were in the model's code.
  EXPECT_EQ(run.opBusyPs, 4000000000);
  EXPECT_EQ(run.steps[0].opBusyPs, 2000000000);
  ASSERT_EQ(run.tracks.size(), 2u);
  EXPECT_EQ(run.tracks[0].events, 5u);
  EXPECT_EQ(run.tracks[1].name, "worker 1");
  ASSERT_EQ(run.losses.size(), 1u);
  EXPECT_EQ(run.losses[0].count, 3u);
  auto hasFact = [&](const char *name, const char *value) {
    return llvm::is_contained(run.facts,
                              std::pair<std::string, std::string>(name, value));
  };
  EXPECT_TRUE(hasFact("pipeline", "naive"));
  EXPECT_TRUE(hasFact("sampler", "timer"));
  EXPECT_TRUE(hasFact("sampled time", "wall time"));
  EXPECT_TRUE(hasFact("exit", "timeout"));
}

TEST(ProfileFromRun, SurvivesTheFile) {
  CompiledModel model = makeModel();
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, makeResult(), profile)));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_FALSE(bool(writeProfile(profile, os)));
  auto read = readProfile(bytes, "test");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->runs[0].hash, profile.runs[0].hash);
  EXPECT_EQ(read->runs[0].ops.size(), 5u);
}

TEST(ProfileFromRun, HashTellsRunsApart) {
  CompiledModel model = makeModel();
  RunResult other = makeResult();
  other.samples[0].address = 8;
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, makeResult(), profile)));
  ASSERT_FALSE(bool(addRun(model, makeResult(), profile)));
  ASSERT_FALSE(bool(addRun(model, other, profile)));
  EXPECT_EQ(profile.runs[0].hash, profile.runs[1].hash);
  EXPECT_NE(profile.runs[0].hash, profile.runs[2].hash);
  EXPECT_EQ(profile.programs.size(), 1u);
}

TEST(PerfMap, RangesAreCutWhereTheOwnerChanges) {
  CompiledModel model = makeModel();
  std::vector<std::string> seen;
  for (const OpRange &range : getOpRanges(model.program))
    seen.push_back(std::to_string(range.begin) + "-" +
                   std::to_string(range.end) + " " + range.name);
  EXPECT_EQ(seen, (std::vector<std::string>{
                      "0-8 main: linalg.matmul fc1", "8-12 main: linalg.add",
                      "12-16 main", "16-24 helper: linalg.add"}));
}

TEST(PerfMap, AddressesHaveNames) {
  CompiledModel model = makeModel();
  EXPECT_EQ(describeAddress(model.program, 6), "main+0x6 (linalg.matmul fc1)");
  EXPECT_EQ(describeAddress(model.program, 12), "main+0xc");
  EXPECT_EQ(describeAddress(model.program, 99), "an unknown place");
}

/// The first 500 of many iterations are steps, and 500 of the others, here
/// every second; all of them are in the summary.
TEST(ProfileFromRun, SpreadsStepsOverTheRun) {
  RunResult result = makeResult();
  result.iterations = 1500;
  result.iterationNs.assign(1500, 1000);
  result.iterationBeginNs.clear();
  for (int64_t i = 0; i != 1500; ++i)
    result.iterationBeginNs.push_back(100 + 1000 * i);
  Profile profile;
  ASSERT_FALSE(bool(addRun(makeModel(), result, profile)));
  const auto &run = profile.runs.back();
  EXPECT_EQ(run.iterations.count, 1500u);
  ASSERT_EQ(run.steps.size(), 1000u);
  for (int64_t i = 0; i != 1000; ++i) {
    int64_t number = i < 500 ? i : 500 + 2 * (i - 500);
    EXPECT_EQ(run.steps[i].number, number);
    EXPECT_EQ(run.steps[i].beginPs, 1000000 * number);
  }
}

/// The fact `name` of `run`, or "".
static std::string getFact(const Run &run, llvm::StringRef name) {
  for (const auto &[key, value] : run.facts)
    if (key == name)
      return value;
  return "";
}

TEST(ProfileFromRun, PageFaultsHaveTheirCostHere) {
  CompiledModel model = makeModel();
  RunResult result = makeResult();
  result.pageFaults = 2000;
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, result, profile)));
  EXPECT_EQ(getFact(profile.runs[0], "page faults"), "2000");
  uint64_t costPs = 0;
  EXPECT_FALSE(
      llvm::StringRef(getFact(profile.runs[0], "picoseconds a page fault"))
          .getAsInteger(10, costPs));
  // A processor cannot enter its kernel and clear a page in 10 ns.
  EXPECT_GT(costPs, 10u * 1000);
}

TEST(ProfileFromRun, NoCostWhereIterationsHaveNoFault) {
  CompiledModel model = makeModel();
  RunResult result = makeResult();
  result.pageFaults = 1;
  Profile profile;
  ASSERT_FALSE(bool(addRun(model, result, profile)));
  EXPECT_EQ(getFact(profile.runs[0], "page faults"), "1");
  EXPECT_EQ(getFact(profile.runs[0], "picoseconds a page fault"), "");
}
