//===- RecordOptions.h - Options of mlir-prof record ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_RECORDOPTIONS_H
#define MLIR_PROF_TOOLS_RECORDOPTIONS_H

#include "DeviceOptions.h"
#include "mlir-prof/Session/Record.h"

using namespace mlirprof::compile;
using namespace mlirprof::record;

namespace mlirprof {

enum class RecordMode : uint8_t { Sample, Instrument, Time };

/// A result to compare with a file.
struct CompareSpec {
  /// Name or position of the result; if empty, the next one.
  std::string result;
  std::string path;
};

/// The command line options of record.
struct RecordOptions : RecordRequest {
  std::string model;
  std::string output;
  RecordMode mode = RecordMode::Sample;
  std::vector<CompareSpec> compare;
  /// If negative: 1e-5, and 0 for integers.
  double rtol = -1;
  /// If negative: 1e-5 of the largest expected element, 0 for integers.
  double atol = -1;
  std::string saveResults;
  std::string saveObject;
  std::string times;
  bool json = false;
  DeviceOptions device;
};

/// Reads the options of the code that do not depend on the machine.
llvm::Expected<CompileOptions>
getCodeOptions(const llvm::opt::InputArgList &arguments);

/// Reads the options that determine how a model is compiled; audit and optimize
/// share it.
llvm::Expected<CompileOptions>
getCompileOptions(const llvm::opt::InputArgList &arguments);

/// Reads --input and --shape; optimize shares it.
llvm::Error getArgumentSpecs(const llvm::opt::InputArgList &arguments,
                             std::vector<InputSpec> &inputs,
                             std::vector<ShapeSpec> &shapes);

llvm::Expected<RecordOptions>
getRecordOptions(const llvm::opt::InputArgList &arguments);

/// The ops that get probes, as CompileOptions::instrument.
llvm::Expected<std::string>
getProbeScope(const llvm::opt::InputArgList &arguments);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDOPTIONS_H
