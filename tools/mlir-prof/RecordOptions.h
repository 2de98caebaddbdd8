//===- RecordOptions.h - Options of mlir-prof record ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_RECORDOPTIONS_H
#define MLIR_PROF_TOOLS_RECORDOPTIONS_H

#include "Options.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Record/Runner.h"

namespace mlirprof {

enum class RecordMode : uint8_t { Sample, Instrument, Time };

/// A result to be compared with a file.
struct CompareSpec {
  /// Name or position of the result; empty: the next one.
  std::string result;
  std::string path;
};

/// What the command line of record asks for.
struct RecordOptions {
  std::string model;
  std::string output;
  RecordMode mode = RecordMode::Sample;
  CompileOptions compile;
  RunOptions run;
  std::vector<InputSpec> inputs;
  std::vector<ShapeSpec> shapes;
  std::vector<CompareSpec> compare;
  double rtol = 1e-5;
  /// Negative: 1e-5 of the largest element that is expected.
  double atol = -1;
  std::string saveResults;
  std::string saveObject;
  std::string times;
  bool json = false;
  bool measurePeak = true;
};

/// Reads what decides how a model is compiled; audit shares it.
llvm::Expected<CompileOptions>
getCompileOptions(const llvm::opt::InputArgList &arguments);

/// compileModel, where a crash of a pass is an error. `path` names the module
/// in it. After a crash nothing of the module's context can be used again.
llvm::Expected<CompiledModel> compileSafely(llvm::StringRef path,
                                            mlir::ModuleOp module,
                                            const CompileOptions &options);

llvm::Expected<RecordOptions>
getRecordOptions(const llvm::opt::InputArgList &arguments);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDOPTIONS_H
