//===- HloModuleTest.cpp - Look-ups in an XLA program ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/HloFinder.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

using Indices = llvm::SmallVector<uint32_t>;

/// Adds a computation with instructions (name, opcode, id, operands, called).
struct Builder {
  HloModule module;

  void computation(int64_t id) {
    HloComputation computation;
    computation.id = id;
    computation.firstInstruction = uint32_t(module.instructions.size());
    module.computations.push_back(computation);
  }
  void add(const char *name, const char *opcode, int64_t id,
           std::vector<int64_t> operands = {},
           std::vector<int64_t> called = {}) {
    HloInstruction instruction;
    instruction.name = name;
    instruction.opcode = opcode;
    instruction.id = id;
    instruction.operandIds = std::move(operands);
    instruction.calledComputationIds = std::move(called);
    instruction.computation = uint32_t(module.computations.size() - 1);
    module.instructions.push_back(instruction);
    ++module.computations.back().size;
  }
};

/// inner: p0, add; outer: p0, fusion(inner), exp; main: p0, call(outer), gte,
/// bitcast, mul(gte), neg(bitcast, bitcast).
Builder makeModule() {
  Builder b;
  b.computation(1);
  b.add("p0.1", "parameter", 10);
  b.add("add", "add", 11, {10, 10});
  b.computation(2);
  b.add("p0.2", "parameter", 20);
  b.add("inner", "fusion", 21, {20}, {1});
  b.add("exp", "exponential", 22, {21});
  b.computation(3);
  b.add("p0", "parameter", 30);
  b.add("call", "call", 31, {30}, {2});
  b.add("gte", "get-tuple-element", 32, {31});
  b.add("bitcast", "bitcast", 33, {32});
  b.add("mul", "multiply", 34, {32});
  b.add("neg", "negate", 35, {33, 33});
  b.add("later", "add", 36, {35});
  return b;
}

TEST(HloIndex, FindsByNameAndId) {
  Builder b = makeModule();
  HloIndex index(b.module);
  EXPECT_EQ(index.find("exp"), 4u);
  EXPECT_EQ(index.find("missing"), kNone);
  EXPECT_EQ(index.findId(35), 10u);
  EXPECT_EQ(index.findId(-1), kNone);
  EXPECT_EQ(Indices(index.getUsers(8)), (Indices{10}));
  EXPECT_EQ(Indices(index.getUsers(7)), (Indices{8, 9}));
}

TEST(HloIndex, MembersAreWhatRuns) {
  Builder b = makeModule();
  HloIndex index(b.module);
  EXPECT_EQ(index.getMembers(index.find("call")), (Indices{1, 4}));
  EXPECT_EQ(index.getMembers(index.find("inner")), (Indices{1}));
  EXPECT_EQ(index.getMembers(index.find("mul")), (Indices{9}));
  EXPECT_EQ(index.getMembers(index.find("bitcast")), (Indices{}));
  EXPECT_EQ(index.getMembers(1000), (Indices{}));
}

TEST(HloIndex, ConsumersAreSeenThroughFreeInstructions) {
  Builder b = makeModule();
  HloIndex index(b.module);
  EXPECT_EQ(index.getConsumers(index.find("call")).instructions,
            (Indices{7, 8, 9, 10}));
  EXPECT_EQ(index.getConsumers(index.find("mul")).instructions, (Indices{}));
}

TEST(HloIndex, SurvivesCyclesAndDanglingReferences) {
  Builder b;
  b.computation(1);
  b.add("self", "fusion", 10, {10, 99}, {1, 2, 77});
  b.add("tuple", "tuple", 11, {12});
  b.computation(2);
  b.add("bitcast", "bitcast", 12, {11});
  b.add("back", "call", 13, {12}, {1});
  b.add("add", "add", 14, {11});
  // Values that some hash tables reserve.
  b.add("low", "add", std::numeric_limits<int64_t>::min(),
        {std::numeric_limits<int64_t>::max()});
  b.add("high", "add", std::numeric_limits<int64_t>::max(),
        {std::numeric_limits<int64_t>::min()});
  b.computation(std::numeric_limits<int64_t>::max());
  // A computation that reaches beyond the end, and one that overlaps.
  b.module.computations[1].size = 1000;
  b.module.computations[2].firstInstruction = 4;
  b.module.computations[2].size = ~0u;
  HloIndex index(b.module);
  EXPECT_EQ(index.getMembers(0), (Indices{4, 5, 6}));
  EXPECT_EQ(index.getConsumers(1).instructions, (Indices{1, 2, 3, 4}));
  EXPECT_EQ(index.getConsumers(5).instructions, (Indices{6}));
}

TEST(HloIndex, SurvivesDeepCalls) {
  Builder b;
  for (int64_t i = 0; i != 100000; ++i) {
    b.computation(i);
    b.add("call", "call", i, {i - 1}, {i + 1});
  }
  b.computation(100000);
  b.add("add", "add", 100000);
  HloIndex index(b.module);
  EXPECT_EQ(index.getMembers(0), (Indices{100000}));
}

TEST(HloIndex, LooksAtTheNearestConsumersOnly) {
  // A chain of bitcasts, and an op with many users.
  Builder b;
  b.computation(1);
  b.add("first", "add", 0);
  for (int64_t i = 1; i != 20000; ++i)
    b.add("bitcast", "bitcast", i, {i - 1});
  b.add("wide", "add", 20000);
  for (int64_t i = 0; i != int64_t(HloIndex::kMaxConsumers); ++i)
    b.add("user", "add", 20001 + i, {20000});
  HloIndex index(b.module);
  for (uint32_t i = 0; i != 20000; ++i) {
    HloIndex::Consumers consumers = index.getConsumers(i);
    size_t all = 19999 - i;
    ASSERT_EQ(consumers.instructions.size(),
              std::min(all, HloIndex::kMaxConsumers));
    ASSERT_EQ(consumers.isCut, all > HloIndex::kMaxConsumers);
    if (all)
      ASSERT_EQ(consumers.instructions[0], i + 1);
  }
  HloIndex::Consumers wide = index.getConsumers(20000);
  EXPECT_EQ(wide.instructions.size(), HloIndex::kMaxConsumers);
  EXPECT_FALSE(wide.isCut);
}

TEST(HloModule, IsFoundByNameThenProgram) {
  std::vector<HloModule> modules(3);
  modules[0].name = modules[1].name = "f";
  modules[0].programId = 1;
  modules[1].programId = 2;
  modules[2].name = "g";
  EXPECT_EQ(findHloModule(modules, "f", 2), &modules[1]);
  EXPECT_EQ(findHloModule(modules, "f", 9), &modules[0]);
  EXPECT_EQ(findHloModule(modules, "f", std::nullopt), &modules[0]);
  EXPECT_EQ(findHloModule(modules, "h", 1), nullptr);
  HloModuleTable table(modules);
  for (llvm::StringRef name : {"f", "g", "h"})
    for (std::optional<int64_t> programId :
         std::initializer_list<std::optional<int64_t>>{std::nullopt, 0, 1, 2,
                                                       9})
      EXPECT_EQ(table.find(name, programId),
                findHloModule(modules, name, programId));
  EXPECT_EQ(table.findProgram(2), &modules[1]);
  EXPECT_EQ(table.findProgram(9), nullptr);
}

TEST(HloFinder, FindsWhatOpKeysMean) {
  std::vector<HloModule> modules(2);
  for (HloModule &module : modules) {
    module.name = "f";
    module.programId = &module - modules.data();
    module.instructions.resize(2);
    module.instructions[1].name = "add.1";
  }
  HloFinder finder(modules);
  OpKey key("add.1", "", HloInstructionKey{"f", 1});
  for (int i = 0; i != 2; ++i) {
    HloFinder::Found found = finder.find(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(&found.getModule(), &modules[1]);
    EXPECT_EQ(&found.getInstruction(), &modules[1].instructions[1]);
  }
  key.op = "add.2";
  EXPECT_FALSE(finder.find(key));
  key.op = "add.1";
  key.get<HloInstructionKey>().module = "g";
  EXPECT_FALSE(finder.find(key));
  key.make(GraphNodeKey{"f"});
  EXPECT_FALSE(finder.find(key));
}

} // namespace
