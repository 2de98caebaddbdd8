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
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir/IR/MLIRContext.h"

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
  /// Negative: 1e-5, and 0 for integers.
  double rtol = -1;
  /// Negative: 1e-5 of the largest element that is expected, 0 for integers.
  double atol = -1;
  std::string saveResults;
  std::string saveObject;
  std::string times;
  bool json = false;
  bool measurePeak = true;
  KeepSamples keep = KeepSamples::No;
};

/// Reads what decides how a model is compiled; audit and optimize share it.
llvm::Expected<CompileOptions>
getCompileOptions(const llvm::opt::InputArgList &arguments);

/// Reads --input and --shape; optimize shares it.
llvm::Error getArgumentSpecs(const llvm::opt::InputArgList &arguments,
                             std::vector<InputSpec> &inputs,
                             std::vector<ShapeSpec> &shapes);

llvm::Expected<RecordOptions>
getRecordOptions(const llvm::opt::InputArgList &arguments);

/// A compiled model, and its module as it was, for what depends on shapes.
struct BuiltModel {
  CompiledModel model;
  mlir::OwningOpRef<mlir::ModuleOp> input;
  /// Outlives the modules.
  std::unique_ptr<mlir::MLIRContext> context;

  BuiltModel() = default;
  BuiltModel(BuiltModel &&) = default;
  BuiltModel &operator=(BuiltModel &&) = default;
  /// In an order that leaves the context for last.
  ~BuiltModel();
  /// Leaves module and context as they are, for the process to end with: after
  /// a crash they cannot be taken down.
  void abandon();
};

/// Reads the module `path`, with the names of its arguments; the model is
/// empty.
llvm::Expected<BuiltModel> readInput(llvm::StringRef path);

/// Compiles a copy of `built.input`. A crash of a pass is an error, after which
/// module and context are gone.
llvm::Error compileInput(BuiltModel &built, llvm::StringRef path,
                         const CompileOptions &options);

/// A copy of `built.input` in `form`, with errors as compileInput has them.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
prepareInput(BuiltModel &built, llvm::StringRef path,
             const CompileOptions &options, StageForm form);

/// Reads the module `path` and compiles it; a crash of a pass is an error.
llvm::Expected<BuiltModel> buildModel(llvm::StringRef path,
                                      const CompileOptions &options);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDOPTIONS_H
