//===- ModelServerChild.h - The process of a server -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H
#define MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H

#include "../Child/RunShared.h"
#include "mlir-prof/Record/KernelServer.h"

namespace mlirprof::record {

/// Data known to both processes. The child has a copy, which does not change.
struct ServerContext {
  llvm::function_ref<llvm::Expected<compile::CompiledModel>()> build;
  llvm::ArrayRef<Arguments> requests;
  const ServerOptions &options;
  const SharedRunMapping &shared;
  const RunFiles &files;
  /// The processor for a model with one thread: servers that are compared must
  /// not run on different processors, one of which may be disturbed. Negative:
  /// any.
  int processor;
};

/// A request of the parent, over the socket.
struct ServerCommand {
  enum Kind : uint64_t {
    /// `argument` iterations after `warmUp` iterations.
    Run,
    /// One run of the request `argument`; its values go to RunFiles::values.
    GetResults,
    /// The built model goes to RunFiles::values (writeModel).
    SaveModel,
    /// RunFiles::values has the candidate for `kernel` (writeKernelVariant).
    LoadKernel,
    /// `choice`, a KernelChoice, is the incumbent of `kernel`.
    KeepKernel,
    /// `argument` iterations with `choice` for `kernel`; the seconds are those
    /// of its dispatches.
    TimeKernel,
    /// `argument` rounds at each dispatch of `kernel`; their seconds go to
    /// RunFiles::values (writeTimes).
    ReplayKernel,
    /// `argument` iterations; the seconds of all kernels go to RunFiles::values
    /// (writeTimes).
    TimeKernels,
    /// RunFiles::values has a request, in whose place the answer goes (Worker).
    Work,
  };
  Kind kind;
  uint64_t argument = 0;
  uint64_t warmUp = 0;
  uint64_t kernel = 0;
  uint64_t choice = 0;
};

/// An answer of the child. It also sends one without a request when it has
/// built the model (RunFiles::values has the ServedModel).
struct ServerAnswer {
  /// 0: SharedRun::message has the error.
  uint64_t isGood;
  /// Set for a Run.
  double seconds;
};

/// Makes this process, a new copy of the tool's, one that serves: whatever ends
/// it leaves a reason in `shared`.
void beginChild(const SharedRunMapping &shared, const RunFiles &files);
/// Receives a command; whether there was one.
bool receiveCommand(int control, ServerCommand &command);
bool sendAnswer(int control, bool isGood, double seconds = 0);

/// Builds and serves in this process, a new copy of the tool's.
[[noreturn]] void runServer(const ServerContext &context, int control);

std::string writeTimes(llvm::ArrayRef<double> seconds);
llvm::Expected<std::vector<double>> readTimes(llvm::StringRef bytes);

std::string writeServedModel(const ServedModel &model);
/// Fails if `bytes` is damaged.
llvm::Expected<ServedModel> readServedModel(llvm::StringRef bytes);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SERVER_MODELSERVERCHILD_H
