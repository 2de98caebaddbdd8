//===- ModelServerChild.h - A server's own process --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H
#define MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H

#include "../Child/RunShared.h"
#include "mlir-prof/Record/ModelServer.h"

namespace mlirprof::record {

/// What both processes know. The child has a copy, which stays what it is.
struct ServerContext {
  llvm::function_ref<llvm::Expected<compile::CompiledModel>()> build;
  llvm::ArrayRef<Arguments> requests;
  const ServerOptions &options;
  const SharedRunMapping &shared;
  const RunFiles &files;
  /// Where a model with one thread runs: servers that are compared must not be
  /// on processors of which one is disturbed. Negative: anywhere.
  int processor;
};

/// What the parent asks for, over the socket.
struct ServerCommand {
  enum Kind : uint64_t {
    /// `argument` iterations after `warmUp` iterations.
    Run,
    /// One run of the request `argument`; its values go to RunFiles::values.
    GetResults,
    /// What was built goes to RunFiles::values (writeBuiltModel).
    SaveModel,
  };
  Kind kind;
  uint64_t argument;
  uint64_t warmUp;
};

/// What the child answers, also, without having been asked, when it has built
/// the model (RunFiles::values has the ServedModel).
struct ServerAnswer {
  /// 0: SharedRun::message says what went wrong.
  uint64_t isGood;
  /// Of a Run.
  double seconds;
};

/// Builds and serves in this process, a fresh copy of the tool's.
[[noreturn]] void runServer(const ServerContext &context, int control);

std::string writeServedModel(const ServedModel &model);
/// Fails when `bytes` is damaged.
llvm::Expected<ServedModel> readServedModel(llvm::StringRef bytes);

/// What a process needs to run `model`.
std::string writeBuiltModel(const compile::CompiledModel &model);
/// Fails when `bytes` is damaged. The model does not refer to `bytes`.
llvm::Expected<compile::CompiledModel> readBuiltModel(llvm::StringRef bytes);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H
