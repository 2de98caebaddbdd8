//===- KernelServer.h - A model whose kernels change ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_KERNELSERVER_H
#define MLIR_PROF_RECORD_KERNELSERVER_H

#include "mlir-prof/Compile/KernelVariants.h"
#include "mlir-prof/Record/ModelServer.h"

namespace mlirprof::record {

/// The code that the dispatches of a kernel run.
enum class KernelChoice : uint8_t { Incumbent, Candidate };

/// A child process that runs a model whose kernels can be replaced while it
/// lives: the host side, its buffers and all other kernels stay where they are.
/// Kernels are numbered as in CompiledModel::kernelCode. The host side calls
/// each through a function of this program, which looks up the code.
class KernelServer : public ModelServer {
public:
  /// The most kernels that a model may have.
  static constexpr size_t kMostKernels = 1024;

  /// As ModelServer::start, for a model that was built with
  /// CompileOptions::keepKernels. All kernels begin with the model's own code
  /// as their incumbent. startAgain() fails.
  static llvm::Expected<std::unique_ptr<KernelServer>>
  start(llvm::function_ref<llvm::Expected<compile::CompiledModel>()> build,
        llvm::ArrayRef<Arguments> requests, const ServerOptions &options);

  /// Loads `candidate` for `kernel`, instead of the last candidate. An error of
  /// the linker ends the child.
  virtual llvm::Error load(size_t kernel,
                           const compile::KernelVariant &candidate) = 0;

  /// Keeps `choice` as the incumbent of `kernel`, and unloads the other one.
  virtual llvm::Error keep(size_t kernel, KernelChoice choice) = 0;

  /// Runs `iterations` iterations with `choice` for `kernel`, and returns the
  /// seconds of all of its dispatches together, measured around each; with
  /// several threads, from the begin of the first workgroup to the end of the
  /// last one. All runs after it have this choice, too, until the next call
  /// about the kernel. Without iterations it only chooses.
  virtual llvm::Expected<double> time(size_t kernel, KernelChoice choice,
                                      uint64_t iterations) = 0;

  /// Runs one iteration of each request, in which each dispatch of `kernel` is
  /// repeated where it stands, on its buffers: `rounds` times incumbent,
  /// candidate, candidate, incumbent, in every other round in reverse. The
  /// seconds of all dispatches together, four of a round after those of
  /// another. It takes less time than as many iterations, but caches are
  /// warm. Only for models with one thread. If the kernel adds to what its
  /// buffers hold, the results of this iteration are not right.
  virtual llvm::Expected<std::vector<double>> replay(size_t kernel,
                                                     uint64_t rounds) = 0;

  /// The seconds of each kernel's dispatches in `iterations` iterations.
  virtual llvm::Expected<std::vector<double>> timeAll(uint64_t iterations) = 0;
};

/// `kernel` as bytes, for another process.
std::string writeKernelVariant(const compile::KernelVariant &kernel);
/// The reverse; fails if `bytes` is damaged.
llvm::Expected<compile::KernelVariant> readKernelVariant(llvm::StringRef bytes);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_KERNELSERVER_H
