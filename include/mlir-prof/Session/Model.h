//===- Model.h - Reading and compiling a user's model -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_MODEL_H
#define MLIR_PROF_SESSION_MODEL_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Deploy/Deploy.h"
#include "mlir-prof/Session/Session.h"
#include "mlir-prof/Support/BackgroundThread.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlirprof {

/// A compiled model, and the input module, for code that depends on shapes.
struct BuiltModel {
  compile::CompiledModel model;
  /// Null if openModel() found the model compiled.
  mlir::OwningOpRef<mlir::ModuleOp> input;
  /// contentHash() of the file.
  std::string source;
  /// Names the model in the cache; empty if it is not kept there.
  std::string key;
  /// Whether `model` comes from the cache, or from a compiled model.
  bool isFound = false;
  /// Has the file if constants of `input` are in it.
  std::shared_ptr<llvm::SourceMgr> sources;
  /// The warnings of the build of `model`.
  std::vector<std::string> warnings;
  /// If the file was a compiled model (*.mprof), the threads of its code; else
  /// 0. `input` then lacks the values of large constants.
  unsigned threads = 0;
  /// Outlives the modules.
  std::unique_ptr<mlir::MLIRContext> context;

  BuiltModel() = default;
  BuiltModel(BuiltModel &&) = default;
  BuiltModel &operator=(BuiltModel &&) = default;
  /// Destroys the members such that the context comes last.
  ~BuiltModel();
  /// Leaks module and context until the process ends: after a crash they cannot
  /// be destroyed, and before the end it is a waste of time.
  void abandon();
};

/// Reads the module `path`, with the names of its arguments. Does not compile
/// it. A compiled model is an error: it does not have all of the module.
llvm::Expected<BuiltModel> readInput(llvm::StringRef path);

/// The model `path` as it was compiled by `options` before; if the cache lacks
/// it, or if its arguments have unknown sizes, with its module, for
/// compileInput(). `path` may also be a compiled model, whatever `options` are.
llvm::Expected<BuiltModel> openModel(llvm::StringRef path,
                                     const compile::CompileOptions &options);

/// How the values of the function `entry` of `built` are passed.
llvm::Expected<compile::Signature> getSignature(const BuiltModel &built,
                                                llvm::StringRef entry);

/// The part of a program that stores a model in the cache.
enum class KeptBy : uint8_t { Build, Keeper };

/// Compiles a copy of `built.input` unless it was found compiled, and stores
/// the result in the cache, or leaves that to a ModelKeeper. A crash of a pass
/// is an error, after which `built` no longer has module and context.
llvm::Error compileInput(BuiltModel &built, llvm::StringRef path,
                         const compile::CompileOptions &options,
                         const NoteHandler &onNote = {},
                         KeptBy keeper = KeptBy::Build);

/// Stores a model that compileInput() left to it in the cache: weights of
/// 150 MB take a tenth of a second, in which its owner has other work.
class ModelKeeper {
public:
  /// `built` must outlive the keeper, and must not change.
  explicit ModelKeeper(const BuiltModel &built) : built(built) {}
  ModelKeeper(const ModelKeeper &) = delete;
  ModelKeeper &operator=(const ModelKeeper &) = delete;
  /// Stores the model, or waits until it is stored.
  ~ModelKeeper();

  /// Starts to store the model on a thread of its own. Until the keeper ends,
  /// no process should be started, nor time measured.
  void start();

private:
  void keep() const;

  const BuiltModel &built;
  /// Outlives a crash, as where the file with the constants is cut off.
  std::optional<BackgroundThread> thread;
};

/// A copy of `built.input` in `form`; errors are as for compileInput.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
prepareInput(BuiltModel &built, llvm::StringRef path,
             const compile::CompileOptions &options, compile::StageForm form);

/// Compiles a copy of `built.input` for a target (deploy::deployModel); errors
/// are as for compileInput.
llvm::Expected<deploy::DeployedModel>
deployInput(BuiltModel &built, llvm::StringRef path, llvm::StringRef name,
            llvm::StringRef targetName, const compile::CompileOptions &options,
            const deploy::Control &control,
            const deploy::PackageChoices &choices = {});

/// Reads the module `path` and compiles it; a crash of a pass is an error.
llvm::Expected<BuiltModel> buildModel(llvm::StringRef path,
                                      const compile::CompileOptions &options,
                                      const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_MODEL_H
