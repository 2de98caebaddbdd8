//===- Options.h - Options of mlir-prof-gpu ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_GPU_OPTIONS_H
#define MLIR_PROF_TOOLS_GPU_OPTIONS_H

#include "mlir-prof/Device/Measure.h"

namespace mlirprof::device {

/// The command line of mlir-prof-gpu.
struct GpuOptions {
  std::string program;
  /// Files with the arguments, in order; random ones for the rest.
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  /// Files with the expected results, in order.
  std::vector<std::string> compare;
  double rtol = -1;
  double atol = -1;
  std::string saveResults;
  std::string times;
  unsigned device = 0;
  MeasureOptions measure;
  Sampling sampling = Sampling::Off;
  bool isHelp = false;
  /// Only describe the program.
  bool isList = false;
};

/// Reads the command line. Fails with a UsageError.
llvm::Expected<GpuOptions> readOptions(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
llvm::StringRef getHelp();

} // namespace mlirprof::device

#endif // MLIR_PROF_TOOLS_GPU_OPTIONS_H
