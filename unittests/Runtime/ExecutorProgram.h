//===- ExecutorProgram.h - Programs for tests of the executor ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_UNITTESTS_RUNTIME_EXECUTORPROGRAM_H
#define MLIRPROF_UNITTESTS_RUNTIME_EXECUTORPROGRAM_H

#include "mlir-prof/Runtime/prof_executor.h"

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace mlirprof::runtime_test {

struct Dispatch {
  prof_executor_kernel kernel = nullptr;
  uint32_t instance = 0;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  uint32_t costNs = 0;
  /// Base and constant.
  std::vector<std::pair<uint32_t, int64_t>> bindings, arguments;
  /// Earlier dispatches that this one waits for, ascending.
  std::vector<uint32_t> after;
};

/// The table of some dispatches, made with the words of the documentation and
/// not with the structs of the executor.
class Program {
public:
  Program(const std::vector<Dispatch> &dispatches, uint32_t addresses,
          uint32_t parameters);
  ~Program() { prof_executor_release(&program); }
  Program(const Program &) = delete;

  std::vector<uint32_t> words;
  std::vector<prof_executor_kernel> kernels;
  prof_executor_program program;
};

/// A random graph over buffers of one arena, with what a serial interpreter
/// makes of them.
struct RandomGraph {
  explicit RandomGraph(uint32_t seed);

  /// A step of the graph, for the interpreter.
  struct Step {
    uint32_t workgroups, out;
    std::vector<uint32_t> in;
    int64_t salt;
  };
  /// Elements of a buffer.
  static constexpr uint32_t kElements = 48;
  uint32_t buffers;
  std::vector<Step> steps;
  std::vector<int64_t> parameters;
  std::unique_ptr<Program> program;

  std::vector<uint64_t> makeMemory() const;
  /// Without the executor and its table.
  std::vector<uint64_t> interpret() const;
  /// Memory after a run. `executor` may be null.
  std::vector<uint64_t> run(prof_executor *executor) const;
};

} // namespace mlirprof::runtime_test

#endif // MLIRPROF_UNITTESTS_RUNTIME_EXECUTORPROGRAM_H
