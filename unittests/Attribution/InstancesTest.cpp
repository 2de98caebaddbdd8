//===- InstancesTest.cpp - Attribution of shared code ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Instances.h"
#include "SharedProgram.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

struct Level {
  ProgramMatch match;
  Attribution times;
};

Level attributeLevel(const Profile &profile, llvm::StringRef level) {
  Level result;
  result.match = matchProgramRows(profile, level);
  result.times = attribute(profile, result.match.ownership);
  return result;
}

int64_t getTotal(const Attribution &times) {
  int64_t sum = times.coverage.unmatchedPs;
  for (const OpTime &op : times.ops)
    sum += op.totalPs();
  return sum;
}

int64_t getMeasured(const Profile &profile) {
  int64_t sum = 0;
  for (const OpSummary &op : profile.runs[0].ops)
    sum += op.getTimePs();
  return sum;
}

std::vector<std::tuple<uint64_t, int64_t, int64_t, int64_t>>
listTimes(const Attribution &times) {
  std::vector<std::tuple<uint64_t, int64_t, int64_t, int64_t>> list;
  for (const OpTime &op : times.ops)
    list.emplace_back(op.count, op.solePs, op.sharedPs, op.estimatedPs);
  return list;
}

/// Two matrix products, fc1 and fc2, that one kernel computes.
Profile makeTwins() {
  Profile profile;
  profile.runs.emplace_back();
  Program &program = profile.programs.emplace_back();
  program.fingerprint = "twins";
  program.levels = {"linalg", "dispatch"};
  program.strings = {"",          "linalg.matmul", "fc1", "fc2",
                     "func.func", "dispatch.run",  "relu"};
  auto add = [&](uint32_t level, NodeKind kind, uint32_t op, uint32_t name,
                 uint32_t container, std::vector<uint32_t> parents,
                 uint64_t cost) {
    program.nodes.push_back({level,
                             kind,
                             op,
                             name,
                             0,
                             0,
                             0,
                             container,
                             kNone,
                             cost,
                             -1,
                             std::move(parents),
                             {}});
  };
  add(0, NodeKind::Operation, 1, 2, kNone, {}, 30);    // 0: fc1
  add(0, NodeKind::Operation, 1, 3, kNone, {}, 10);    // 1: fc2
  add(0, NodeKind::Operation, 6, 6, kNone, {}, 1);     // 2: relu
  add(1, NodeKind::Function, 4, 4, kNone, {}, 0);      // 3: the kernel
  add(1, NodeKind::Operation, 1, 2, 3, {0, 1}, 5);     // 4: its product
  add(1, NodeKind::Operation, 6, 6, 3, {2}, 5);        // 5: its relu
  add(1, NodeKind::Operation, 5, 2, kNone, {0, 2}, 3); // 6: runs it for fc1
  add(1, NodeKind::Operation, 5, 3, kNone, {1}, 1);    // 7: runs it for fc2
  program.instances = {{6, 3, {{4, 0}, {5, 2}}}, {7, 3, {{4, 1}}}};
  program.functions = {{"kernel", 0, 12}};
  program.instructions = {{0, 4}, {4, 5}, {8, kNone}};
  return profile;
}

void addSample(Profile &profile, uint32_t instruction, uint32_t instance,
               int64_t timePs) {
  profile.opKeys.push_back(
      makeCodeKey(profile.programs[0], instruction, "", instance));
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size() - 1);
  op.get(Quantity::Self).add(timePs);
  profile.runs[0].ops.push_back(op);
}

} // namespace

TEST(Instances, DispatchDecidesTheOwner) {
  Profile profile = makeTwins();
  addSample(profile, 0, 0, 100);
  addSample(profile, 0, 1, 10);
  // In the kernel of the second dispatch, the relu is not an op of the model.
  addSample(profile, 1, 1, 1);
  Level linalg = attributeLevel(profile, "linalg");
  EXPECT_EQ(linalg.times.ops[1].solePs, 100);
  EXPECT_EQ(linalg.times.ops[2].solePs, 10);
  EXPECT_EQ(linalg.times.ops[3].totalPs(), 0);
  EXPECT_EQ(linalg.times.coverage.unmatchedPs, 1);
  // From the dispatches' level on, the code is one op.
  Level dispatch = attributeLevel(profile, "dispatch");
  EXPECT_EQ(dispatch.times.ops[2].solePs, 110);
  EXPECT_EQ(dispatch.times.ops[3].solePs, 1);
}

TEST(Instances, UnknownDispatchIsSplitByCost) {
  Profile profile = makeTwins();
  addSample(profile, 0, kNone, 101);
  Level linalg = attributeLevel(profile, "linalg");
  // 3 to 1, the costs of the dispatches, not those of their ops.
  EXPECT_EQ(linalg.times.ops[1].estimatedPs, 76);
  EXPECT_EQ(linalg.times.ops[2].estimatedPs, 25);
  EXPECT_EQ(linalg.times.ops[1].solePs, 0);
  EXPECT_EQ(linalg.times.ops[1].sharedPs, 101);
  EXPECT_EQ(getTotal(linalg.times), 101);
  EXPECT_NE(linalg.match.ownership.matches[0].reason.find("dispatches"),
            std::string::npos);
  // Without costs in equal parts; the odd one goes to the first.
  profile.programs[0].nodes[6].cost = profile.programs[0].nodes[7].cost = 0;
  linalg = attributeLevel(profile, "linalg");
  EXPECT_EQ(linalg.times.ops[1].estimatedPs, 51);
  EXPECT_EQ(linalg.times.ops[2].estimatedPs, 50);
}

TEST(Instances, DispatchOfAnotherKernelIsUnknown) {
  Profile profile = makeTwins();
  Program &program = profile.programs[0];
  // Another kernel without code, with a dispatch of its own.
  ProgramNode other = program.nodes[3];
  program.nodes.push_back(other);
  program.instances.push_back({7, 8, {}});
  addSample(profile, 0, 2, 100);
  InstanceFinder finder(program);
  EXPECT_EQ(finder.find(profile.opKeys[0]).vec(),
            (std::vector<uint32_t>{0, 1}));
  Level linalg = attributeLevel(profile, "linalg");
  EXPECT_EQ(linalg.times.ops[1].estimatedPs, 75);
}

TEST(Instances, SplitAddsUp) {
  Profile profile = makeTwins();
  addSample(profile, 0, kNone, 101);
  addSample(profile, 2, kNone, 5);
  addSample(profile, 2, 1, 5);
  InstanceFinder finder(profile.programs[0]);
  auto split = [&](uint32_t key, int64_t timePs) {
    std::vector<std::pair<uint32_t, int64_t>> parts;
    for (auto [instance, partPs] : finder.split(profile.opKeys[key], timePs))
      parts.emplace_back(instance, partPs);
    return parts;
  };
  using Parts = std::vector<std::pair<uint32_t, int64_t>>;
  EXPECT_EQ(split(0, 101), (Parts{{0, 76}, {1, 25}}));
  // Code without an identity is of no kernel, but its dispatch may be known.
  EXPECT_EQ(split(1, 5), (Parts{{kNone, 5}}));
  EXPECT_EQ(split(2, 5), (Parts{{1, 5}}));
  EXPECT_EQ(finder.findAll(4).size(), 2u);
  EXPECT_EQ(finder.findAll(0).size(), 0u);
  auto counts = countInstances(profile, "dispatch");
  // Rows are numbered among the nodes of their level.
  EXPECT_EQ((counts[{0, 2}]), 2u);
  EXPECT_TRUE(countInstances(profile, "linalg").empty());
}

TEST(Instances, CallsTellTheDispatch) {
  Profile profile = makeTwins();
  Program &program = profile.programs[0];
  program.calls = {{5, 1}, {9, 0}};
  EXPECT_EQ(findCalledInstance(program, 5), 1u);
  EXPECT_EQ(findCalledInstance(program, 9), 0u);
  for (uint64_t offset : {0, 4, 6, 8, 10})
    EXPECT_EQ(findCalledInstance(program, offset), kNone);
}

TEST(Instances, OriginsAlongTheChain) {
  Profile profile = makeTwins();
  const Program &program = profile.programs[0];
  using Chain = std::vector<std::vector<uint32_t>>;
  EXPECT_EQ(getChain(program, 0), (Chain{{0, 1}, {4}}));
  EXPECT_EQ(getChain(program, 0, 0), (Chain{{0}, {4}}));
  EXPECT_EQ(getChain(program, 0, 1), (Chain{{1}, {4}}));
  EXPECT_EQ(getChain(program, 1, 1), (Chain{{}, {5}}));
  EXPECT_EQ(getParents(program, 4, 7), (std::vector<uint32_t>{0, 1}));
  AncestorTable ancestors(program, 0);
  EXPECT_EQ(ancestors.get(4, 1).vec(), std::vector<uint32_t>{1});
  EXPECT_EQ(ancestors.get(4, kNone).size(), 2u);
  EXPECT_EQ(ancestors.get(0, 1).vec(), std::vector<uint32_t>{0});
  EXPECT_FALSE(ancestors.isTooMany(4, 1));
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

TEST(Instances, SharedCodeHasTheTimesOfItsCopies) {
  for (unsigned seed = 0; seed != 300; ++seed) {
    SharedProgram made = makeSharedProgram(seed);
    ASSERT_TRUE(bool(parseProgram(serializeProgram(made.shared.programs[0]))));
    for (llvm::StringRef level : {"input", "linalg"}) {
      Level shared = attributeLevel(made.shared, level);
      Level expanded = attributeLevel(made.expanded, level);
      ASSERT_EQ(listTimes(shared.times), listTimes(expanded.times))
          << "seed " << seed << ", level " << level.str();
      const Coverage &a = shared.times.coverage, &b = expanded.times.coverage;
      EXPECT_EQ(a.uniquePs, b.uniquePs);
      EXPECT_EQ(a.fusedPs, b.fusedPs);
      EXPECT_EQ(a.unmatchedPs, b.unmatchedPs);
    }
  }
}

TEST(Instances, CopiesAddUpToTheSharedOp) {
  for (unsigned seed = 0; seed != 100; ++seed) {
    SharedProgram made = makeSharedProgram(seed);
    for (llvm::StringRef level : {"dispatch", "tiled", "llvm"}) {
      Level shared = attributeLevel(made.shared, level);
      Level expanded = attributeLevel(made.expanded, level);
      std::map<uint32_t, int64_t> own, copies;
      for (auto [row, time] :
           llvm::zip_equal(shared.match.rows, shared.times.ops))
        if (row.node != kNone)
          own[row.node] += time.totalPs();
      for (auto [row, time] :
           llvm::zip_equal(expanded.match.rows, expanded.times.ops))
        if (row.node != kNone)
          copies[made.sharedNode[row.node]] += time.totalPs();
      // The time of the probe at an op of the input is split among what came
      // from it, and rounded for each copy.
      auto most = double(made.shared.programs[0].instances.size());
      for (auto [node, timePs] : own)
        EXPECT_NEAR(timePs, copies[node], most)
            << "seed " << seed << ", level " << level.str();
    }
  }
}

TEST(Instances, LevelsAddUpToTheSame) {
  for (unsigned seed = 0; seed != 100; ++seed) {
    Profile profile = makeSharedProgram(seed).shared;
    Profile forgotten = forgetInstances(profile);
    int64_t measured = getMeasured(profile);
    ASSERT_EQ(getMeasured(forgotten), measured);
    for (const std::string &level : getLevels(profile)) {
      EXPECT_EQ(getTotal(attributeLevel(profile, level).times), measured);
      EXPECT_EQ(getTotal(attributeLevel(forgotten, level).times), measured);
    }
    // Levels that do not tell dispatches apart are the same.
    EXPECT_EQ(listTimes(attributeLevel(profile, "llvm").times).size(),
              listTimes(attributeLevel(forgotten, "llvm").times).size());
  }
}

TEST(Instances, LoopsAreSplitAsInTheCopies) {
  for (unsigned seed = 0; seed != 100; ++seed) {
    SharedProgram made = makeSharedProgram(seed);
    auto list = [](const Profile &profile) {
      ProgramMatch match = matchProgramRows(profile, "input");
      std::vector<std::vector<int64_t>> all;
      for (const LoopSplit &split : splitLoops(profile, "input", match)) {
        std::vector<int64_t> one = {split.timePs, int64_t(split.count),
                                    split.unidentifiedPs, int64_t(split.unit)};
        for (const LoopPart &part : split.parts)
          llvm::append_values(one, int64_t(part.row), int64_t(part.weight),
                              part.estimatedPs, part.rawPs);
        all.push_back(one);
      }
      llvm::sort(all);
      return all;
    };
    EXPECT_EQ(list(made.shared), list(made.expanded)) << "seed " << seed;
  }
}
