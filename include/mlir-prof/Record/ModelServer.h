//===- ModelServer.h - A process that runs a model on request ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_MODELSERVER_H
#define MLIR_PROF_RECORD_MODELSERVER_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Support/HostTensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlirprof::record {

/// The stack of a thread that builds a model: passes and LLVM recurse over
/// nested structures of models.
inline constexpr unsigned kBuildStackBytes = 256 << 20;

/// The user asked to stop, so a request was not answered.
class InterruptedError : public llvm::ErrorInfo<InterruptedError> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

struct ServerOptions {
  unsigned threads = 1;
  /// Bytes of address space that the child may add, for building and running
  /// together; 0 for no limit.
  uint64_t memory = 0;
  /// For building and loading; 0: an hour.
  double buildSeconds = 0;
  /// For one call of run() or getResults(); 0: an hour.
  double runSeconds = 0;
  /// If set, polled about fifty times per second during a wait: true ends the
  /// wait with an InterruptedError, and ends the child.
  std::function<bool()> isInterrupted;
};

/// A child's report on what it has built.
struct ServedModel {
  compile::Signature signature;
  /// Measured in the child.
  double buildSeconds = 0;
  /// Size of the object's sections that contain code.
  uint64_t textBytes = 0;
  uint64_t objectBytes = 0;
  /// contentHash() of the concatenated sections: two models with the same one
  /// run the same instructions.
  std::string fingerprint;
};

/// A child process that builds a model, loads it, and runs it on request (start
/// creates one; tests have others, which do not take time). Between calls it
/// does not use a processor, its threads included, so that several may be alive
/// without disturbing each other. It dies with the thread that started it, and
/// ignores signals of the terminal, which this process handles. After an error
/// other than that of a call of start() the child has ended, and each further
/// call fails.
class ModelServer {
public:
  /// Forks. The child calls `build`, on a thread with a stack that passes can
  /// use, and loads the model with memory and threads as runModel does. `build`
  /// may crash, hang, or eat memory. The error says why. If the process has
  /// other threads, none may hold a lock that `build` needs.
  static llvm::Expected<std::unique_ptr<ModelServer>>
  start(llvm::function_ref<llvm::Expected<compile::CompiledModel>()> build,
        llvm::ArrayRef<Arguments> requests, const ServerOptions &options);

  ModelServer(const ModelServer &) = delete;
  ModelServer &operator=(const ModelServer &) = delete;
  /// Ends the child.
  virtual ~ModelServer();

  /// Runs `iterations` iterations, iteration i with requests[i % size], and
  /// returns the wall seconds that they took together, measured in the child
  /// (CLOCK_MONOTONIC). Not counted: waking the model's threads, and the
  /// `warmUp` iterations before, which reclaim the caches from other programs.
  virtual llvm::Expected<double> run(uint64_t iterations,
                                     uint64_t warmUp = 0) = 0;

  /// The results of one run of each request, on the arguments as given; for a
  /// model without results, these arguments after the run.
  virtual llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() = 0;

  /// Another process that runs the model that this one has built: the same
  /// code, not built again, elsewhere in memory. Its ServedModel::buildSeconds
  /// is that of the build.
  virtual llvm::Expected<std::unique_ptr<ModelServer>>
  startAgain(llvm::ArrayRef<Arguments> requests,
             const ServerOptions &options) = 0;

  virtual const ServedModel &getModel() const = 0;
  /// The number of requests; at least one.
  virtual size_t getRequestCount() const = 0;

protected:
  ModelServer() = default;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_MODELSERVER_H
