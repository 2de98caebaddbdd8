//===- ExecutorFuzzer.cpp - Fuzzes tables of dispatches -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table that the check accepts runs on one thread and on two, with the same
// number of workgroups.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_executor.h"

#include <atomic>
#include <cstring>
#include <vector>

static std::atomic<uint64_t> workgroups;

static void count(void *const *, const int64_t *, uint32_t, uint32_t,
                  uint32_t) {
  ++workgroups;
}

/// Whether it would take long, or need arrays that are large.
static bool isLarge(const uint32_t *words) {
  auto *header = reinterpret_cast<const prof_executor_table *>(words);
  auto *dispatches =
      reinterpret_cast<const prof_executor_dispatch *>(header + 1);
  if (header->kernels > 1000 || header->addresses > 1000 ||
      header->parameters > 1000)
    return true;
  double all = 0;
  for (uint32_t index = 0; index != header->dispatches; ++index) {
    double total = 1;
    for (uint32_t size : dispatches[index].grid)
      total *= size & PROF_EXECUTOR_PARAMETER ? 3 : size;
    all += total;
  }
  return all > 1e5;
}

static uint64_t run(prof_executor *executor, const uint32_t *words) {
  auto *header = reinterpret_cast<const prof_executor_table *>(words);
  std::vector<prof_executor_kernel> kernels(header->kernels, count);
  std::vector<void *> addresses(header->addresses);
  std::vector<int64_t> parameters(header->parameters, 3);
  prof_executor_program program = {words, kernels.data(), nullptr};
  workgroups = 0;
  int error = prof_executor_run(executor, &program, addresses.data(),
                                parameters.data());
  prof_executor_release(&program);
  return error ? UINT64_MAX : workgroups.load();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static prof_executor *executor = [] {
    prof_executor_options options;
    prof_executor_default_options(&options);
    options.threads = 2;
    return prof_executor_create(&options);
  }();
  // In memory of exactly that size.
  size_t count = size / sizeof(uint32_t);
  std::vector<uint32_t> words(count);
  words.shrink_to_fit();
  if (count)
    std::memcpy(words.data(), data, count * sizeof(uint32_t));
  uint32_t dispatch = 0;
  if (prof_executor_check_table(words.data(), count, &dispatch)) {
    if (dispatch != UINT32_MAX && dispatch >= words[1])
      __builtin_trap();
    return 0;
  }
  if (isLarge(words.data()))
    return 0;
  if (run(nullptr, words.data()) != run(executor, words.data()))
    __builtin_trap();
  return 0;
}
