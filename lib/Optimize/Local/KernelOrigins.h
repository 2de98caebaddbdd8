//===- KernelOrigins.h - Sites of the ops of kernels ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_LOCAL_KERNELORIGINS_H
#define MLIR_PROF_LIB_OPTIMIZE_LOCAL_KERNELORIGINS_H

#include "mlir-prof/Optimize/Sites.h"

#include <map>

namespace mlirprof::optimize {

/// An op of a kernel (CompiledModel::kernelCode), by its number there
/// (forEachKernelOp).
struct KernelOp {
  size_t kernel = 0;
  uint32_t number = 0;

  friend bool operator<(const KernelOp &a, const KernelOp &b) {
    return std::pair(a.kernel, a.number) < std::pair(b.kernel, b.number);
  }
};

/// A CompileOptions::choose that sets `choices`, and makes the ops of the
/// canonical form a level of the program, for findKernelOrigins.
std::function<llvm::Error(mlir::ModuleOp)> chooseAndNumber(ChoiceMap choices);

/// The indices of the sites that each op of a kernel comes from, in all
/// dispatches of the kernel together, ascending. `model` was built with
/// identities, keepKernels, and chooseAndNumber.
std::map<KernelOp, std::vector<size_t>>
findKernelOrigins(const compile::CompiledModel &model, const ModelSites &sites);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_LOCAL_KERNELORIGINS_H
