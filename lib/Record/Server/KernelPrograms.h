//===- KernelPrograms.h - Programs whose kernels change ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SERVER_KERNELPROGRAMS_H
#define MLIR_PROF_LIB_RECORD_SERVER_KERNELPROGRAMS_H

#include "mlir-prof/Compile/Compiler.h"

#include <memory>

namespace mlirprof::record {

/// The programs of a model's host side that an executor runs, while the kernels
/// change: other code may have other phases, and then the tables change. One of
/// a process at a time; not to be changed while the model runs.
class KernelPrograms {
public:
  virtual ~KernelPrograms();

  /// Those of `model`, which outlives them; null if it does not have any, or
  /// this build does not have an executor.
  static std::unique_ptr<KernelPrograms>
  create(const compile::CompiledModel &model);

  /// The functions and variables that the host side refers to.
  virtual std::vector<std::pair<std::string, void *>> getBindings() = 0;

  /// From now on `kernel` has `phases`, which outlive this.
  virtual void setPhases(size_t kernel,
                         const compile::KernelPhases &phases) = 0;

  /// Whether dispatches of `kernel` are in programs; the host side calls other
  /// kernels directly, and those cannot be timed here.
  virtual bool has(size_t kernel) const = 0;

  /// Whether the dispatches of `kernel` are timed from now on.
  virtual void setTimed(size_t kernel, bool isTimed) = 0;
  /// The time from the begin of the first workgroup to the end of the last one,
  /// of all phases of all dispatches since the timing began.
  virtual double getSeconds(size_t kernel) const = 0;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SERVER_KERNELPROGRAMS_H
