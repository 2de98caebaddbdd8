//===- StageRunner.h - Running the stages of a pipeline ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_STAGERUNNER_H
#define MLIR_PROF_LIB_COMPILE_STAGERUNNER_H

#include "KeptLevels.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Transforms/DeferredLevels.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mlirprof::compile {

/// Loads dialects and the interfaces that passes require of them, and disables
/// threads: the order of identities must be the same in each run, and a
/// recording forks.
void prepareContext(mlir::MLIRContext *context);

/// The same with only the dialects of kernels. Those that a kernel or a pass
/// needs besides are loaded when it is read or run.
void prepareKernelContext(mlir::MLIRContext *context);

/// The last level before machine code.
inline constexpr llvm::StringLiteral kLLVMLevel = "llvm";

/// The level after the passes that users name.
inline constexpr llvm::StringLiteral kCustomLevel = "custom";

/// The level of structured ops, after decisions for the whole graph.
inline constexpr llvm::StringLiteral kGraphLevel = "linalg";

/// The target of `options`, with what the rules need of the other options.
codegen::TargetModel getRuleTarget(const CompileOptions &options);

/// Keeps the errors that MLIR emits, and passes on its warnings.
class ErrorCollector {
public:
  ErrorCollector(mlir::MLIRContext *context, const CompileOptions &options);

  /// The first error since the last call, or `otherwise`.
  llvm::Error take(const llvm::Twine &otherwise, const llvm::Twine &hint = "");
  /// Counts warnings from now on in place of passing them on.
  void holdWarnings() { held = 0; }
  /// Passes warnings on again. Returns the number of those that were not.
  unsigned releaseWarnings() {
    return std::exchange(held, std::nullopt).value_or(0);
  }

private:
  std::string where;
  std::string what;
  std::optional<unsigned> held;
  mlir::ScopedDiagnosticHandler handler;
};

/// When the module is verified while passes run.
enum class Verification { AfterEachPass, AtTheEnd, Never };

/// The pass managers of a context in which several modules go through the same
/// stages: setting up the patterns of a pass takes longer than running it on a
/// kernel. Must end before the context.
class StagePasses {
public:
  StagePasses();
  StagePasses(StagePasses &&);
  ~StagePasses();

private:
  friend class StageRunner;
  struct Manager;
  /// By the text about the passes, and how often the runner has run such.
  std::map<std::pair<std::string, unsigned>, std::unique_ptr<Manager>> managers;
};

/// Runs stages of a pipeline on one module: a model, or a kernel.
class StageRunner {
public:
  /// All must outlive the runner. `passes` belong to the context of `module`,
  /// and to runners with the same options.
  StageRunner(mlir::ModuleOp module, const CompileOptions &options,
              StagePasses *passes = nullptr)
      : module(module), options(options), errors(module.getContext(), options),
        passes(passes), kept(std::make_shared<KeptLevels>()) {}

  /// Runs `stage`, adds or lowers probes where it is their time, and keeps the
  /// stage's level.
  llvm::Error run(const PipelineStage &stage);
  /// Gives the ops of the module identities at `level`, and stores it, or lets
  /// the background thread store a copy. Does nothing without a name or if the
  /// options do not ask for identities.
  llvm::Error keepLevel(llvm::StringRef level);
  /// Lets the background thread describe the levels, which it must store. No
  /// pass may ask for the program until takeProgram().
  void deferLevels() {
    deferred =
        std::make_shared<transforms::DeferredLevels>(module.getContext());
  }
  /// The program of the levels so far; fails if the background thread crashed.
  llvm::Expected<profile::Program> takeProgram();
  /// Whether there are probes to lower: requested by the options, or inserted
  /// by passes of the pipeline.
  bool hasProbes();
  /// The levels kept, in order. The background thread must have stored them.
  llvm::Expected<std::vector<KeptLevel>> takeLevels();
  /// The hashes of constants, once the levels with them are stored.
  const module::ValueHashes &getHashes() const { return kept->hashes; }
  /// Fails if an op does not belong to one of MLIR's dialects.
  llvm::Error checkKnown();
  /// Fails if an op has not been lowered to the LLVM dialect.
  llvm::Error checkLowered();

  mlir::ModuleOp module;
  const CompileOptions &options;
  ErrorCollector errors;
  /// If set, called before probes are added, and before they are lowered.
  std::function<void()> beforeProbes;
  std::function<llvm::Error()> beforeLowering;
  /// If set, called after the passes of a stage, before its level is kept.
  std::function<llvm::Error()> beforeLevel;
  /// A module that somebody takes may be written as text.
  prof::IdentityForm identityForm = prof::IdentityForm::Number;
  /// If set, it stores levels. The context must be one for several threads.
  BackgroundThread *background = nullptr;
  /// Whether ops of kernels follow those of the next levels, if `background` is
  /// set.
  bool leavesOpen = false;

private:
  llvm::Expected<std::unique_ptr<StagePasses::Manager>>
  makeManager(bool verifiesEach,
              llvm::function_ref<llvm::Error(mlir::OpPassManager &)> build);
  llvm::Error
  runPasses(llvm::StringRef what, Verification verification,
            llvm::function_ref<llvm::Error(mlir::OpPassManager &)> build);
  /// Stores the module, whose locations do not have identities.
  void storeLevel(llvm::StringRef level);
  /// Lets the background thread describe and store the module.
  llvm::Error deferLevel(llvm::StringRef level);
  llvm::Error addProbes();
  llvm::Error lowerProbes();

  StagePasses *passes;
  std::shared_ptr<KeptLevels> kept;
  std::shared_ptr<transforms::DeferredLevels> deferred;
  std::shared_ptr<transforms::LocationTexts> texts =
      transforms::makeLocationTexts();
  /// How often such passes have run.
  std::map<std::string, unsigned> runs;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_STAGERUNNER_H
