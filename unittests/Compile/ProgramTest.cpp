//===- ProgramTest.cpp - Tests of programs of dispatches ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Codegen/Dispatch/Conflicts.h"
#include "../../lib/Compile/Kernels/Programs.h"
#include "mlir-prof/Runtime/prof_executor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

namespace {

/// Values that stand for buffers.
class Buffers {
public:
  Buffers() {
    for (unsigned i = 0; i != 4; ++i)
      block.addArgument(mlir::Builder(&context).getIndexType(),
                        mlir::UnknownLoc::get(&context));
  }
  /// Null, and three others.
  mlir::Value get(unsigned i) const {
    return i == 0 ? mlir::Value() : mlir::Value(block.getArgument(i));
  }

private:
  mlir::MLIRContext context;
  mutable mlir::Block block;
};

bool conflict(const ByteAccess &a, const ByteAccess &b) {
  if (a.isAnywhere || b.isAnywhere)
    return true;
  if (a.begin == a.end || b.begin == b.end)
    return false;
  return a.base == b.base && (a.isWrite || b.isWrite) && a.begin < b.end &&
         b.begin < a.end;
}

ByteAccess makeAccess(std::mt19937 &random, const Buffers &buffers) {
  auto below = [&](unsigned limit) { return unsigned(random() % limit); };
  ByteAccess access;
  access.base = buffers.get(below(4));
  access.isAnywhere = below(60) == 0;
  access.isWrite = below(3) == 0;
  if (access.base) {
    access.begin = below(30);
    access.end = access.begin + below(12);
  }
  return access;
}

TEST(Program, WaitsForAllConflicts) {
  Buffers buffers;
  for (unsigned seed = 0; seed != 200; ++seed) {
    std::mt19937 random(seed);
    ConflictFinder finder;
    std::vector<std::vector<ByteAccess>> all;
    std::vector<std::set<uint32_t>> reached;
    unsigned edges = 0, direct = 0;
    for (uint32_t i = 0; i != 60; ++i) {
      std::vector<ByteAccess> own;
      for (unsigned k = 0, e = 1 + random() % 4; k != e; ++k)
        own.push_back(makeAccess(random, buffers));
      std::vector<uint32_t> before = finder.add(own);
      auto conflicts = [&](uint32_t other) {
        for (const ByteAccess &a : all[other])
          for (const ByteAccess &b : own)
            if (conflict(a, b))
              return true;
        return false;
      };
      std::set<uint32_t> ancestors;
      for (uint32_t other : before) {
        ASSERT_LT(other, i);
        ancestors.insert(reached[other].begin(), reached[other].end());
      }
      // None of them is reached through another one.
      for (uint32_t other : before)
        EXPECT_FALSE(ancestors.count(other)) << seed << ": " << other;
      ancestors.insert(before.begin(), before.end());
      for (uint32_t other = 0; other != i; ++other)
        if (conflicts(other)) {
          ++direct;
          EXPECT_TRUE(ancestors.count(other)) << seed << ": " << other;
        }
      edges += unsigned(before.size());
      reached.push_back(std::move(ancestors));
      all.push_back(std::move(own));
    }
    EXPECT_LE(edges, direct);
  }
}

TEST(Program, LeavesIndependentDispatchesApart) {
  Buffers buffers;
  ConflictFinder finder;
  for (unsigned i = 0; i != 1000; ++i) {
    ByteAccess read = {buffers.get(1), 0, 64, false, false};
    ByteAccess write = {buffers.get(2), i * 64, i * 64 + 64, true, false};
    EXPECT_TRUE(finder.add({read, write}).empty());
  }
  ByteAccess all = {buffers.get(2), 0, 64000, false, false};
  EXPECT_EQ(finder.add(all).size(), 1000u);
}

/// Three dispatches, the second of a kernel with a workspace and two phases.
HostProgram makeProgram() {
  HostProgram program;
  program.kernels = {"plain", "phased", "phased"};
  program.table.kernels = 3;
  program.table.addresses = 3;
  program.table.parameters = 1;
  program.table.dispatches.resize(3);
  for (uint32_t i = 0; i != 3; ++i) {
    TableDispatch &dispatch = program.table.dispatches[i];
    dispatch.kernel = dispatch.instance = i;
    dispatch.bindings = {{0, -64}, {1, int64_t(1) << 40}};
    dispatch.arguments = {{0, 0}};
    if (i != 0)
      dispatch.dependencies = {i - 1};
  }
  return program;
}

TEST(Program, TableHasTheLayoutOfTheRuntime) {
  DispatchTable table = makeProgram().table;
  std::vector<uint32_t> words = encodeTable(table);
  uint32_t wrong = 0;
  EXPECT_STREQ(prof_executor_check_table(words.data(), words.size(), &wrong),
               nullptr);
  auto header = reinterpret_cast<const prof_executor_table *>(words.data());
  EXPECT_EQ(header->dispatches, 3u);
  EXPECT_EQ(header->most_bindings, 2u);
  auto read = decodeTable(words);
  ASSERT_TRUE(read);
  EXPECT_EQ(encodeTable(*read), words);
  EXPECT_EQ(read->dispatches[1].bindings[0].constant, -64);
  EXPECT_EQ(read->dispatches[2].dependencies, std::vector<uint32_t>{1});
  for (size_t i = 0; i != words.size(); ++i)
    EXPECT_FALSE(decodeTable(llvm::ArrayRef(words).take_front(i)));
}

TEST(Program, DividesDispatchesIntoPhases) {
  HostProgram program = makeProgram();
  KernelPhases phased = {{{{8, 2, 1}, 900}, {{1, 1, 1}, 0}}, 100};
  llvm::StringMap<const KernelPhases *> kernels;
  kernels["phased"] = &phased;
  PhasedProgram divided = dividePhases(program, kernels);
  // Two parts of 128 bytes, since two dispatches need one.
  EXPECT_EQ(divided.workspaceBytes, 256u);
  std::vector<uint32_t> words = encodeTable(divided.table);
  EXPECT_STREQ(prof_executor_check_table(words.data(), words.size(), nullptr),
               nullptr);
  const std::vector<TableDispatch> &dispatches = divided.table.dispatches;
  ASSERT_EQ(dispatches.size(), 5u);
  const uint32_t instances[] = {0, 1, 1, 2, 2};
  const size_t arguments[] = {1, 2, 2, 2, 2}, bindings[] = {2, 3, 3, 3, 3};
  for (size_t i = 0; i != 5; ++i) {
    EXPECT_EQ(dispatches[i].instance, instances[i]);
    EXPECT_EQ(dispatches[i].kernel, instances[i]);
    EXPECT_EQ(dispatches[i].arguments.size(), arguments[i]);
    EXPECT_EQ(dispatches[i].bindings.size(), bindings[i]);
    if (i != 0)
      EXPECT_EQ(dispatches[i].dependencies,
                std::vector<uint32_t>{uint32_t(i - 1)});
  }
  EXPECT_EQ(dispatches[1].grid[0], 8u);
  EXPECT_EQ(dispatches[1].costNs, 900u);
  EXPECT_EQ(dispatches[2].grid[0], 1u);
  EXPECT_EQ(dispatches[2].arguments[1].constant, 1);
  EXPECT_EQ(dispatches[1].bindings[2].base, 2u);
  EXPECT_EQ(dispatches[3].bindings[2].constant, 128);
}

TEST(Program, DispatchesShareTheWorkspace) {
  HostProgram program;
  program.table.addresses = 1;
  program.table.dispatches.resize(9);
  program.kernels.assign(9, "k");
  KernelPhases kernel = {{{{1, 1, 1}, 0}}, 64};
  llvm::StringMap<const KernelPhases *> kernels;
  kernels["k"] = &kernel;
  PhasedProgram divided = dividePhases(program, kernels);
  EXPECT_EQ(divided.workspaceBytes, 256u);
  for (uint32_t i = 0; i != 9; ++i) {
    const TableDispatch &dispatch = divided.table.dispatches[i];
    EXPECT_EQ(dispatch.bindings.back().constant, 64 * (i % 4));
    // The one that had this part before.
    EXPECT_EQ(dispatch.dependencies,
              i < 4 ? std::vector<uint32_t>() : std::vector<uint32_t>{i - 4});
  }
}

} // namespace
