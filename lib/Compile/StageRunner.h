//===- StageRunner.h - Running the stages of a pipeline ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_STAGERUNNER_H
#define MLIR_PROF_LIB_COMPILE_STAGERUNNER_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::compile {

/// Loads dialects and the interfaces that passes require of them, and disables
/// threads: the order of identities must be the same in each run, and a
/// recording forks.
void prepareContext(mlir::MLIRContext *context);

/// The last level before machine code.
inline constexpr llvm::StringLiteral kLLVMLevel = "llvm";

/// The level after the passes that users name.
inline constexpr llvm::StringLiteral kCustomLevel = "custom";

/// The target of `options`, with what the rules need of the other options.
codegen::TargetModel getRuleTarget(const CompileOptions &options);

/// Keeps the errors that MLIR emits, and passes on its warnings.
class ErrorCollector {
public:
  ErrorCollector(mlir::MLIRContext *context, const CompileOptions &options);

  /// The first error since the last call, or `otherwise`.
  llvm::Error take(const llvm::Twine &otherwise, const llvm::Twine &hint = "");

private:
  std::string where;
  std::string what;
  mlir::ScopedDiagnosticHandler handler;
};

/// When the module is verified while passes run.
enum class Verification { AfterEachPass, AtTheEnd };

/// Runs stages of a pipeline on one module: a model, or a kernel.
class StageRunner {
public:
  /// Both must outlive the runner.
  StageRunner(mlir::ModuleOp module, const CompileOptions &options)
      : module(module), options(options), errors(module.getContext(), options) {
  }

  /// Runs `stage`, adds or lowers probes where it is their time, and keeps the
  /// stage's level.
  llvm::Error run(const PipelineStage &stage);
  /// Gives the ops of the module identities at `level`, and stores it. Does
  /// nothing without a name or if the options do not ask for identities.
  llvm::Error keepLevel(llvm::StringRef level);
  /// Fails if an op does not belong to one of MLIR's dialects.
  llvm::Error checkKnown();
  /// Fails if an op has not been lowered to the LLVM dialect.
  llvm::Error checkLowered();

  mlir::ModuleOp module;
  const CompileOptions &options;
  ErrorCollector errors;
  /// The levels kept, in order.
  std::vector<profile::IrModule> levels;
  /// If set, called before probes are added, and before they are lowered.
  std::function<void()> beforeProbes;
  std::function<llvm::Error()> beforeLowering;

private:
  llvm::Error
  runPasses(llvm::StringRef what, Verification verification,
            llvm::function_ref<llvm::Error(mlir::OpPassManager &)> build);
  bool hasProbes();
  llvm::Error addProbes();
  llvm::Error lowerProbes();
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_STAGERUNNER_H
