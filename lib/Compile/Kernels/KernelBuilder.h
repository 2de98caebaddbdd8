//===- KernelBuilder.h - Compiling the kernels of a model -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELBUILDER_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELBUILDER_H

#include "KernelCompiler.h"
#include "mlir-prof/Support/Workers.h"

#include <atomic>

namespace mlirprof::compile {

/// Compiles kernels on all other processors while the caller goes on, and then
/// on all.
class KernelBuilder {
public:
  /// Starts, on fewer threads if the system does not allow more. `options` must
  /// outlive the builder.
  KernelBuilder(std::vector<KernelSource> kernels,
                const CompileOptions &options);
  /// Waits for the threads.
  ~KernelBuilder();

  /// Compiles what is left, and returns a kernel for each source, or the error
  /// of the first that fails.
  llvm::Expected<std::vector<CompiledKernel>> finish();

private:
  void work();

  std::vector<KernelSource> sources;
  const CompileOptions &options;
  std::vector<std::optional<llvm::Expected<CompiledKernel>>> results;
  /// Indices of the sources, the largest first.
  std::vector<size_t> order;
  std::atomic<size_t> next{0};
  Workers threads;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELBUILDER_H
