//===- ProfileFromDeviceTest.cpp - Tests of profiles of device runs -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ProfileFromDevice.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;

namespace {

/// A product and a sum in one kernel, which runs twice, for ops 0 and 1 and for
/// ops 2 and 3 of the level "input"; the products cost three times as much.
CompiledModel makeModel() {
  CompiledModel model;
  profile::Program &program = model.program;
  program.entry = "main";
  program.levels = {"input", "dispatch"};
  program.strings = {"", "linalg.matmul", "linalg.add", "func.func",
                     "dispatch.run"};
  auto add = [&](uint32_t level, uint32_t op, uint64_t cost,
                 std::vector<uint32_t> parents, uint32_t container,
                 NodeKind kind = NodeKind::Operation) {
    ProgramNode node;
    node.level = level;
    node.op = op;
    node.cost = cost;
    node.parents = std::move(parents);
    node.container = container;
    node.kind = kind;
    program.nodes.push_back(node);
  };
  for (uint64_t i = 0; i != 2; ++i) {
    add(0, 1, 300, {}, trace::kNone);
    add(0, 2, 100, {}, trace::kNone);
  }
  // The kernel is node 4, its ops 5 and 6, and its runs 7 and 8.
  add(1, 3, 0, {0, 2}, trace::kNone, NodeKind::Function);
  add(1, 1, 300, {0, 2}, 4);
  add(1, 2, 100, {1, 3}, 4);
  add(1, 4, 400, {0}, trace::kNone);
  add(1, 4, 400, {2}, trace::kNone);
  program.instances = {{7, 4, {{5, 0}, {6, 1}}}, {8, 4, {{5, 2}, {6, 3}}}};
  return model;
}

/// Its two launches, a launch of a kernel without an identity, and a copy.
device::Program makeProgram() {
  device::Program program;
  program.target = "sm_90";
  program.kernels = {{"matmul_add", "text", {32, 1, 1}, 0, 4},
                     {"other", "text", {32, 1, 1}, 0, device::kNone}};
  program.steps = {device::Launch{0, 0, {1, 1, 1}, {}, {}},
                   device::Launch{0, 1, {1, 1, 1}, {}, {}},
                   device::Launch{1, device::kNone, {1, 1, 1}, {}, {}},
                   device::Copy{}};
  return program;
}

/// A plain iteration and two timed ones.
device::DeviceRun makeRun() {
  device::DeviceRun run;
  run.device.name = "Fake GPU";
  run.device.major = 9;
  run.device.driverVersion = 13000;
  run.count = 3;
  run.beginNs = 100;
  run.beginEpochNs = 1700000000000000000;
  run.eventPs = 1000;
  run.iterations = {{false, 100, 5, 50, 20000, {}},
                    {true, 200, 6, 60, 25000, {9000, 5000, 7000, 4000}},
                    {true, 300, 6, 60, 27000, {11000, 5000, 7000, 4000}}};
  run.transfers = {{"arguments", true, 4096, 3000000},
                   {"results", false, 1024, 1000000}};
  return run;
}

Profile makeTestProfile(KeepSamples keep = KeepSamples::No) {
  device::Program program = makeProgram();
  CompiledModel model = makeModel();
  Profile profile = llvm::cantFail(makeDeviceLevels(model, program));
  addDeviceRun(program, makeRun(), profile, keep);
  return profile;
}

/// The time of a key by its number, of a quantity.
int64_t getTime(const Profile &profile, uint32_t key, Quantity quantity) {
  for (const OpSummary &op : profile.runs.front().ops)
    if (op.op == key)
      return op.getSum(quantity);
  return -1;
}

TEST(ProfileFromDevice, launchesBecomeProbesOfTheirDispatch) {
  Profile profile = makeTestProfile();
  ASSERT_EQ(profile.programs.size(), 1u);
  const profile::Program &program = profile.programs.front();
  ASSERT_EQ(program.probes.size(), 1u);
  EXPECT_EQ(program.probes[0].node, 4u);
  ASSERT_EQ(profile.opKeys.size(), 4u);
  for (uint32_t i : {0u, 1u}) {
    const auto &key = profile.opKeys[i].get<ProbeKey>();
    EXPECT_EQ(key.instance, i);
    EXPECT_EQ(key.program, program.fingerprint);
  }
  EXPECT_TRUE(profile.opKeys[2].is<OutsideKey>());
  EXPECT_TRUE(profile.opKeys[3].is<OutsideKey>());
  // Without the cost of an event, and with it.
  EXPECT_EQ(getTime(profile, 0, Quantity::Execute), 18000);
  EXPECT_EQ(getTime(profile, 0, Quantity::Self), 18000);
  EXPECT_EQ(getTime(profile, 0, Quantity::RawExecute), 20000);
  EXPECT_EQ(getTime(profile, 1, Quantity::Self), 8000);
  EXPECT_EQ(getTime(profile, 2, Quantity::Self), 12000);
  EXPECT_EQ(getTime(profile, 3, Quantity::RawSelf), 8000);
  // Raw times add up to the driver's.
  int64_t all = 0;
  for (uint32_t key = 0; key != 4; ++key)
    all += getTime(profile, key, Quantity::RawExecute);
  EXPECT_EQ(all, 25000 + 27000);
}

TEST(ProfileFromDevice, opsOfADispatchShareItsTime) {
  Profile profile = makeTestProfile();
  auto getOwners = [&](llvm::StringRef level) {
    return attribution::matchProgramRows(profile, level);
  };
  attribution::ProgramMatch input = getOwners("input");
  for (uint32_t key : {0u, 1u}) {
    const attribution::Match &match = input.ownership.matches[key];
    EXPECT_EQ(match.matchClass, attribution::MatchClass::Fused);
    EXPECT_EQ(match.weights, (std::vector<uint64_t>{300, 100}));
    ASSERT_EQ(match.ops.size(), 2u);
    EXPECT_EQ(input.rows[match.ops[0]].node, 2 * key);
    EXPECT_EQ(input.rows[match.ops[1]].node, 2 * key + 1);
  }
  attribution::ProgramMatch dispatch = getOwners("dispatch");
  const attribution::Match &match = dispatch.ownership.matches[0];
  ASSERT_EQ(match.ops.size(), 2u);
  EXPECT_EQ(dispatch.rows[match.ops[0]].node, 5u);
  EXPECT_EQ(dispatch.rows[match.ops[1]].node, 6u);
  for (uint32_t key : {2u, 3u})
    EXPECT_EQ(input.ownership.matches[key].matchClass,
              attribution::MatchClass::Unmatched);
}

TEST(ProfileFromDevice, timedIterationsAreSteps) {
  Profile profile = makeTestProfile(KeepSamples::Yes);
  const profile::Run &run = profile.runs.front();
  // Those of which the times of the ops are.
  EXPECT_EQ(run.iterations.count, 2u);
  ASSERT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.steps[0].number, 1);
  EXPECT_EQ(run.steps[0].beginPs, 100000);
  EXPECT_EQ(run.steps[0].durationPs, 60000);
  EXPECT_EQ(run.steps[0].opBusyPs, 25000 - 4 * 1000);
  EXPECT_EQ(run.machine.cpu, "Fake GPU");
  ASSERT_EQ(run.tracks.size(), 3u);
  EXPECT_EQ(run.tracks[0].plane, "device Fake GPU");
  EXPECT_EQ(run.tracks[0].events, 8u);
  EXPECT_EQ(run.tracks[1].events, 2u);
  // The last interval ends when the host had waited, with its event.
  int64_t last = 0;
  for (size_t i = 0; i != run.kept.size(); ++i)
    if (run.kept.track[i] == 0)
      last = std::max(last, run.kept.beginPs[i] + run.kept.durationPs[i]);
  EXPECT_EQ(last, 260000 - 1000);
  bool hasBytes = llvm::is_contained(
      run.facts, std::pair<std::string, std::string>(
                     "bytes of arguments to the device", "4096"));
  EXPECT_TRUE(hasBytes);
}

TEST(ProfileFromDevice, isKeptInFiles) {
  Profile profile = makeTestProfile(KeepSamples::Yes);
  std::string bytes, again;
  llvm::raw_string_ostream os(bytes), second(again);
  llvm::cantFail(writeProfile(profile, os));
  Profile read = llvm::cantFail(readProfile(bytes, "test"));
  llvm::cantFail(writeProfile(read, second));
  EXPECT_EQ(bytes, again);
}

TEST(ProfileFromDevice, samplesSplitTheTimeOfLaunches) {
  device::Program program = makeProgram();
  CompiledModel model = makeModel();
  Profile profile = llvm::cantFail(makeDeviceLevels(model, program));
  device::DeviceRun run = makeRun();
  // Lines are nodes and one: of the product, without a line, of the sum.
  run.samples = {{{"matmul_add", 0, 6, 4},
                  {"matmul_add", 16, 0, 1},
                  {"matmul_add", 32, 7, 1}},
                 2};
  addDeviceRun(program, run, profile);
  const profile::Program &own = profile.programs.front();
  EXPECT_EQ(own.fingerprint, fingerprintProgram(own));
  ASSERT_EQ(own.instructions.size(), 3u);
  EXPECT_EQ(own.instructions[1].node, 5u);
  EXPECT_EQ(own.instructions[2].address, 32u);
  // Times by instruction and dispatch add up to those of the launches.
  std::map<uint32_t, std::vector<int64_t>> times;
  for (const OpSummary &op : profile.runs.front().ops)
    if (const auto *key = profile.opKeys[op.op].getIf<CodeKey>())
      times[key->instance].push_back(op.getSum(Quantity::Self));
  EXPECT_EQ(times[0], (std::vector<int64_t>{12000, 3000, 3000}));
  EXPECT_EQ(times[1], (std::vector<int64_t>{5333, 1333, 1334}));
  // The product of the second dispatch is node 2, its sum node 3.
  attribution::ProgramMatch input =
      attribution::matchProgramRows(profile, "input");
  std::map<uint32_t, int64_t> byNode;
  for (const OpSummary &op : profile.runs.front().ops) {
    const attribution::Match &match = input.ownership.matches[op.op];
    if (match.ops.size() == 1)
      byNode[input.rows[match.ops[0]].node] += op.getSum(Quantity::Self);
  }
  EXPECT_EQ(byNode, (std::map<uint32_t, int64_t>{
                        {0, 15000}, {1, 3000}, {2, 6666}, {3, 1334}}));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::cantFail(writeProfile(profile, os));
  Profile read = llvm::cantFail(readProfile(bytes, "test"));
  EXPECT_EQ(read.programs.front().instructions.size(), 3u);
  EXPECT_EQ(profile.runs.front().losses.size(), 1u);
}

TEST(ProfileFromDevice, programsWithoutLevelsAreOutside) {
  Profile profile;
  addDeviceRun(makeProgram(), makeRun(), profile);
  // Both launches of the kernel are one op.
  ASSERT_EQ(profile.opKeys.size(), 3u);
  EXPECT_EQ(profile.opKeys[0].op, "matmul_add");
  EXPECT_EQ(getTime(profile, 0, Quantity::RawExecute), 30000);
}

} // namespace
