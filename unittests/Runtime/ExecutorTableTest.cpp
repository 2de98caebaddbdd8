//===- ExecutorTableTest.cpp - Tables of dispatches from anywhere ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutorProgram.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <string>

using namespace mlirprof::runtime_test;

namespace {

void nothing(void *const *, const int64_t *, uint32_t, uint32_t, uint32_t) {}

/// Words of the header and of a dispatch.
enum Header { Abi, Dispatches, Bindings, Arguments, Successors, Kernels };
enum { HeaderWords = 10, DispatchWords = 13 };
enum Field {
  Kernel,
  Instance,
  GridX,
  GridY,
  GridZ,
  Cost,
  FirstBinding,
  BindingCount,
  FirstArgument,
  ArgumentCount,
  FirstSuccessor,
  SuccessorCount,
  Dependencies
};

/// Three dispatches, each after the ones before it.
std::vector<uint32_t> makeTable() {
  std::vector<Dispatch> dispatches(3);
  for (Dispatch &dispatch : dispatches) {
    dispatch.kernel = nothing;
    dispatch.bindings = {{0, 0}, {1, 64}};
    dispatch.arguments = {{0, 0}};
  }
  dispatches[0].grid = {0x80000001, 3, 1};
  dispatches[1].after = {0};
  dispatches[2].after = {0, 1};
  return Program(dispatches, 2, 2).words;
}

std::string check(const std::vector<uint32_t> &words,
                  uint32_t *dispatch = nullptr) {
  // In memory of exactly that size, so that the sanitizer notices more.
  std::unique_ptr<uint32_t[]> copy(new uint32_t[words.size()]);
  std::copy(words.begin(), words.end(), copy.get());
  const char *problem =
      prof_executor_check_table(copy.get(), words.size(), dispatch);
  return problem ? problem : "";
}

/// The problem with a table of which a word is changed; that of a dispatch must
/// be reported with the dispatch.
std::string checkHeader(uint32_t word, uint32_t value) {
  std::vector<uint32_t> words = makeTable();
  words[word] = value;
  return check(words);
}

std::string checkField(uint32_t number, Field field, uint32_t value) {
  std::vector<uint32_t> words = makeTable();
  words[HeaderWords + number * DispatchWords + field] = value;
  uint32_t dispatch = 77;
  std::string problem = check(words, &dispatch);
  EXPECT_EQ(dispatch, problem.empty() ? UINT32_MAX : number);
  return problem;
}

TEST(ExecutorTable, SizesAreThoseOfTheDocumentation) {
  EXPECT_EQ(sizeof(prof_executor_table), HeaderWords * 4u);
  EXPECT_EQ(sizeof(prof_executor_dispatch), DispatchWords * 4u);
  EXPECT_EQ(sizeof(prof_executor_value), 12u);
  EXPECT_EQ(check(makeTable()), "");
}

TEST(ExecutorTable, Header) {
  std::vector<uint32_t> words = makeTable();
  words.pop_back();
  EXPECT_EQ(check(words), "the size of the table is not that of its arrays");
  EXPECT_EQ(check({1, 2, 3}), "the table is shorter than its header");
  EXPECT_EQ(checkHeader(Abi, 0x01004d45),
            "the table is of another version or byte order");
  for (Header count : {Dispatches, Bindings, Arguments, Successors})
    for (uint32_t value : {0u, 1u, UINT32_MAX})
      EXPECT_EQ(checkHeader(count, value),
                "the size of the table is not that of its arrays");
  EXPECT_EQ(checkHeader(Kernels, 0), "the kernel does not exist");
  EXPECT_EQ(checkHeader(8, 1025),
            "a dispatch may not have so many bindings or arguments");
  EXPECT_EQ(checkHeader(6, 1),
            "a binding is of an address that does not exist");
  EXPECT_EQ(checkHeader(7, 0),
            "an argument is of a parameter that does not exist");
  EXPECT_EQ(checkHeader(7, 1),
            "a size of the grid is a parameter that does not exist");
  EXPECT_EQ(checkHeader(9, 0), "the dispatch has more bindings or arguments "
                               "than the header says");
}

TEST(ExecutorTable, Dispatches) {
  EXPECT_EQ(checkField(1, Kernel, 1), "the kernel does not exist");
  EXPECT_EQ(checkField(2, Instance, 0xffffff00), "");
  EXPECT_EQ(checkField(2, Instance, 0xffffff01), "the instance is too large");
  EXPECT_EQ(checkField(0, GridZ, 0x80000002),
            "a size of the grid is a parameter that does not exist");
  EXPECT_EQ(checkField(1, GridY, 0x7fffffff), "");
  EXPECT_EQ(checkField(1, BindingCount, 3),
            "the dispatch has more bindings or arguments than the header says");
  EXPECT_EQ(checkField(1, FirstBinding, 5), "a range is outside of its array");
  EXPECT_EQ(checkField(1, FirstArgument, UINT32_MAX),
            "a range is outside of its array");
  EXPECT_EQ(checkField(2, FirstSuccessor, 4),
            "a range is outside of its array");
  EXPECT_EQ(checkField(0, SuccessorCount, UINT32_MAX),
            "dispatches share successors");
  EXPECT_EQ(checkField(1, Dependencies, 0),
            "the number of dependencies is wrong");
  EXPECT_EQ(checkField(2, Dependencies, 3),
            "the number of dependencies is wrong");
}

TEST(ExecutorTable, GridsThatAreTooLarge) {
  std::vector<uint32_t> words = makeTable();
  uint32_t *grid = &words[HeaderWords + DispatchWords + GridX];
  grid[0] = grid[1] = 0x10000;
  grid[2] = 1;
  EXPECT_EQ(check(words), "the grid has 2^32 workgroups or more");
  grid[2] = 0;
  EXPECT_EQ(check(words), "");
  grid[1] = 0xffff;
  grid[2] = 1;
  EXPECT_EQ(check(words), "");
}

TEST(ExecutorTable, Successors) {
  const std::string order =
      "successors are not dispatches behind it in ascending order";
  std::vector<uint32_t> words = makeTable();
  uint32_t *successors = words.data() + words.size() - 3;
  ASSERT_EQ(std::vector<uint32_t>(successors, successors + 3),
            (std::vector<uint32_t>{1, 2, 2}));
  auto with = [&](std::array<uint32_t, 3> values) {
    std::copy(values.begin(), values.end(), successors);
    return check(words);
  };
  EXPECT_EQ(with({0, 2, 2}), order);
  EXPECT_EQ(with({2, 1, 2}), order);
  EXPECT_EQ(with({2, 2, 2}), order);
  EXPECT_EQ(with({1, 2, 1}), order);
  EXPECT_EQ(with({1, 3, 2}), order);
  EXPECT_EQ(with({1, 2, 2}), "");
}

TEST(ExecutorTable, GridsOfParameters) {
  static uint32_t calls;
  calls = 0;
  std::vector<Dispatch> dispatches(1);
  dispatches[0].kernel = [](void *const *, const int64_t *, uint32_t, uint32_t,
                            uint32_t) { ++calls; };
  dispatches[0].grid = {0x80000000, 0x80000001, 1};
  dispatches[0].costNs = 1000000;
  Program program(dispatches, 0, 2);
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = 2;
  prof_executor *executor = prof_executor_create(&options);
  for (prof_executor *with : {static_cast<prof_executor *>(nullptr), executor})
    for (std::array<int64_t, 2> wrong : {std::array<int64_t, 2>{-1, 1},
                                         {1, int64_t(1) << 32},
                                         {1 << 16, 1 << 16},
                                         {0, -1}})
      EXPECT_EQ(
          prof_executor_run(with, &program.program, nullptr, wrong.data()),
          ERANGE);
  EXPECT_EQ(calls, 0u);
  int64_t right[] = {5, 3};
  EXPECT_EQ(prof_executor_run_serial(&program.program, nullptr, right), 0);
  EXPECT_EQ(calls, 15u);
  prof_executor_destroy(executor);
}

} // namespace
