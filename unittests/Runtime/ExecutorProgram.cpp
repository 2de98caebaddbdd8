//===- ExecutorProgram.cpp - Programs for tests of the executor -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutorProgram.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof::runtime_test;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static void addValues(std::vector<uint32_t> &words,
                      const std::vector<std::pair<uint32_t, int64_t>> &values) {
  for (auto [base, constant] : values)
    words.insert(words.end(), {base, uint32_t(constant),
                               uint32_t(uint64_t(constant) >> 32)});
}

Program::Program(const std::vector<Dispatch> &dispatches, uint32_t addresses,
                 uint32_t parameters) {
  std::vector<uint32_t> records, bindings, arguments, successors;
  uint32_t mostBindings = 0, mostArguments = 0;
  for (uint32_t number = 0; number != dispatches.size(); ++number) {
    const Dispatch &dispatch = dispatches[number];
    auto kernel = std::find(kernels.begin(), kernels.end(), dispatch.kernel);
    uint32_t kernelIndex = uint32_t(kernel - kernels.begin());
    if (kernel == kernels.end())
      kernels.push_back(dispatch.kernel);
    uint32_t firstSuccessor = uint32_t(successors.size());
    for (uint32_t later = number + 1; later < dispatches.size(); ++later)
      if (std::count(dispatches[later].after.begin(),
                     dispatches[later].after.end(), number))
        successors.push_back(later);
    records.insert(
        records.end(),
        {kernelIndex, dispatch.instance, dispatch.grid[0], dispatch.grid[1],
         dispatch.grid[2], dispatch.costNs, uint32_t(bindings.size() / 3),
         uint32_t(dispatch.bindings.size()), uint32_t(arguments.size() / 3),
         uint32_t(dispatch.arguments.size()), firstSuccessor,
         uint32_t(successors.size()) - firstSuccessor,
         uint32_t(dispatch.after.size())});
    addValues(bindings, dispatch.bindings);
    addValues(arguments, dispatch.arguments);
    mostBindings = std::max(mostBindings, uint32_t(dispatch.bindings.size()));
    mostArguments =
        std::max(mostArguments, uint32_t(dispatch.arguments.size()));
  }
  words = {0x4d450001,
           uint32_t(dispatches.size()),
           uint32_t(bindings.size() / 3),
           uint32_t(arguments.size() / 3),
           uint32_t(successors.size()),
           uint32_t(kernels.size()),
           addresses,
           parameters,
           mostBindings,
           mostArguments};
  for (const auto *array : {&records, &bindings, &arguments, &successors})
    words.insert(words.end(), array->begin(), array->end());
  program = {words.data(), kernels.data(), nullptr};
}

//===----------------------------------------------------------------------===//
// Random graphs
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t left, uint64_t right) {
  uint64_t value = (left ^ right) * 0x9e3779b97f4a7c15;
  return value ^ value >> 29;
}

/// Changes the elements of the first binding that belong to the workgroup, by
/// all of the others.
static void change(void *const *bindings, const int64_t *arguments, uint32_t x,
                   uint32_t y, uint32_t z) {
  auto *out = static_cast<uint64_t *>(bindings[0]);
  auto inputs = uint64_t(arguments[0]);
  auto sizeX = uint64_t(arguments[2]), sizeY = uint64_t(arguments[3]);
  uint64_t workgroup = (z * sizeY + y) * sizeX + x;
  auto workgroups = uint64_t(arguments[4]);
  for (uint64_t element = workgroup; element < RandomGraph::kElements;
       element += workgroups) {
    uint64_t value = mix(out[element], uint64_t(arguments[1]));
    for (uint64_t input = 0; input != inputs; ++input) {
      auto *in = static_cast<const uint64_t *>(bindings[1 + input]);
      for (uint64_t index = 0; index < RandomGraph::kElements; index += 5)
        value = mix(value, in[(element + index) % RandomGraph::kElements]);
    }
    out[element] = value;
  }
}

/// Whether the later step must wait for the earlier one.
static bool conflicts(const RandomGraph::Step &earlier,
                      const RandomGraph::Step &later) {
  auto reads = [](const RandomGraph::Step &step, uint32_t buffer) {
    return std::count(step.in.begin(), step.in.end(), buffer) != 0;
  };
  return earlier.out == later.out || reads(later, earlier.out) ||
         reads(earlier, later.out);
}

RandomGraph::RandomGraph(uint32_t seed) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t below) { return uint32_t(random() % below); };
  // Many buffers make wide graphs, few make chains.
  buffers = 2 + pick(pick(2) ? 4 : 40);
  // Sizes of grids that are given when it runs.
  parameters = {int64_t(pick(9)), 1, int64_t(1 + pick(500))};
  std::vector<Dispatch> dispatches(pick(40));
  for (uint32_t number = 0; number != dispatches.size(); ++number) {
    Dispatch &dispatch = dispatches[number];
    dispatch.kernel = change;
    dispatch.instance = pick(1000);
    dispatch.costNs = pick(3) ? pick(200000) : pick(50);
    uint32_t workgroups = 1, most = pick(300) ? 100 : 20000;
    std::array<uint32_t, 3> sizes;
    for (int axis = 0; axis != 3; ++axis) {
      bool isGiven = pick(4) == 0;
      uint32_t index = pick(3);
      sizes[axis] = isGiven ? uint32_t(parameters[index]) : pick(7);
      dispatch.grid[axis] = isGiven ? 0x80000000 | index : sizes[axis];
      if (!isGiven && pick(20) == 0)
        dispatch.grid[axis] = sizes[axis] = pick(3000);
      if (uint64_t(workgroups) * sizes[axis] > most)
        dispatch.grid[axis] = sizes[axis] = 1;
      workgroups *= sizes[axis];
    }
    Step step = {workgroups, pick(buffers), {}, int64_t(random())};
    for (uint32_t input = pick(4); input != 0; --input) {
      uint32_t buffer = pick(buffers);
      // A workgroup may not read what another one writes.
      if (buffer != step.out)
        step.in.push_back(buffer);
    }
    // Any base serves: both addresses are of one arena, the second one in it.
    auto bind = [&](uint32_t buffer) {
      int64_t at = int64_t(buffer) * kElements * 8;
      bool isSecond = pick(2);
      dispatch.bindings.push_back(
          {uint32_t(isSecond), isSecond ? at - int64_t(kElements) * 8 : at});
    };
    bind(step.out);
    for (uint32_t buffer : step.in)
      bind(buffer);
    dispatch.arguments = {{PROF_EXECUTOR_NO_BASE, int64_t(step.in.size())},
                          // Parameter 1 is 1.
                          {1, step.salt - 1},
                          {PROF_EXECUTOR_NO_BASE, sizes[0]},
                          {PROF_EXECUTOR_NO_BASE, sizes[1]},
                          {PROF_EXECUTOR_NO_BASE, workgroups}};
    for (uint32_t earlier = 0; earlier != number; ++earlier)
      if (conflicts(steps[earlier], step))
        dispatch.after.push_back(earlier);
    steps.push_back(step);
  }
  program = std::make_unique<Program>(dispatches, 2, 3);
}

std::vector<uint64_t> RandomGraph::makeMemory() const {
  std::vector<uint64_t> memory(size_t(buffers) * kElements);
  for (size_t index = 0; index != memory.size(); ++index)
    memory[index] = index * index;
  return memory;
}

std::vector<uint64_t> RandomGraph::interpret() const {
  std::vector<uint64_t> memory = makeMemory();
  for (const Step &step : steps) {
    if (step.workgroups == 0)
      continue;
    for (uint32_t element = 0; element != kElements; ++element) {
      uint64_t &out = memory[step.out * kElements + element];
      out = mix(out, uint64_t(step.salt));
      for (uint32_t buffer : step.in)
        for (uint32_t index = 0; index < kElements; index += 5)
          out = mix(out,
                    memory[buffer * kElements + (element + index) % kElements]);
    }
  }
  return memory;
}

std::vector<uint64_t> RandomGraph::run(prof_executor *executor) const {
  std::vector<uint64_t> memory = makeMemory();
  void *addresses[] = {memory.data(), memory.data() + kElements};
  EXPECT_EQ(prof_executor_run(executor, &program->program, addresses,
                              parameters.data()),
            0);
  return memory;
}
