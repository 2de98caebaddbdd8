//===- TestProgram.h - A program for tests ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_DEVICE_TESTPROGRAM_H
#define MLIR_PROF_UNITTESTS_DEVICE_TESTPROGRAM_H

#include "FakeDriver.h"
#include "mlir-prof/Device/Program.h"
#include "mlir-prof/Support/HostTensor.h"

namespace mlirprof::device {

inline constexpr float kTestFactors[4] = {2, 3, 4, 5};

/// double: arena = x * factors; add: sum = arena + parameter; then same = x.
inline Program makeTestProgram() {
  Program program;
  program.target = "sm_80";
  program.kernels.push_back({"scale", "one text", {4, 1, 1}, 0, 7});
  program.kernels.push_back({"add", "one text", {2, 2, 1}, 64 << 10, kNone});
  auto bytes = llvm::ArrayRef(reinterpret_cast<const char *>(kTestFactors),
                              sizeof kTestFactors);
  program.constants = {bytes};
  program.arguments = {{"x", "f32", {4}, 16}};
  program.results = {{"sum", "f32", {2, 2}, 16}, {"same", "f32", {4}, 16}};
  program.arenaBytes = 272;
  using Place = Binding::Place;
  Binding x = {Place::Argument, 0, 0, 16};
  Binding between = {Place::Arena, 0, 256, 16};
  program.steps.push_back(
      Launch{0, 3, {1, 1, 1}, {x, {Place::Constant, 0, 0, 16}, between}, {}});
  program.steps.push_back(
      Launch{1, kNone, {1, 2, 1}, {between, {Place::Result, 0, 0, 16}}, {10}});
  program.steps.push_back(Copy{x, {Place::Result, 1, 0, 16}});
  return program;
}

/// The kernels of the program as functions.
inline void addTestKernels(FakeDriver &driver) {
  auto at = [](uint64_t address) {
    return reinterpret_cast<float *>(uintptr_t(address));
  };
  driver.kernels["scale"] = [at](const LaunchShape &,
                                 llvm::ArrayRef<uint64_t> arguments) {
    for (unsigned i = 0; i != 4; ++i)
      at(arguments[2])[i] = at(arguments[0])[i] * at(arguments[1])[i];
  };
  driver.kernels["add"] = [at](const LaunchShape &,
                               llvm::ArrayRef<uint64_t> arguments) {
    for (unsigned i = 0; i != 4; ++i)
      at(arguments[1])[i] = at(arguments[0])[i] + float(arguments[2]);
  };
}

inline HostTensor makeTestArgument() {
  HostTensor x = {"f32", 4, {4}, std::vector<char>(16)};
  const float values[4] = {1, -1, 0.5, 8};
  std::memcpy(x.bytes.data(), values, sizeof values);
  return x;
}

inline std::vector<float> getFloats(const HostTensor &tensor) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

} // namespace mlirprof::device

#endif // MLIR_PROF_UNITTESTS_DEVICE_TESTPROGRAM_H
