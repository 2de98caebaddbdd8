//===- AppendKernels.h - Programs of kernels in the model's ------*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_APPENDKERNELS_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_APPENDKERNELS_H

#include "TakeKernels.h"

namespace mlirprof::compile {

/// Appends the programs of `kernels` to that of `model`, as appendKernels does,
/// without code. By kernel: the new number of each of its nodes.
std::vector<std::vector<uint32_t>>
joinPrograms(llvm::ArrayRef<TakenKernel> taken,
             llvm::ArrayRef<CompiledKernel> kernels, CompiledModel &model);

/// Joins the objects of `kernels` with that of `model`, the host side, and
/// appends their programs to its: at each level the nodes of the kernels follow
/// those of the host side, and level dispatch already has the first nodes of
/// both. `kernels` belong to `taken`, in its order; their levels move to the
/// model. The kernels' probes and tables of values follow those of the host
/// side, kernel by kernel. `tables` is an object with data, or empty. `audit`,
/// which may be null, gets the nodes' new numbers, and the kernels' audits.
llvm::Error appendKernels(llvm::ArrayRef<TakenKernel> taken,
                          std::vector<CompiledKernel> kernels,
                          llvm::StringRef tables, CompiledModel &model,
                          transforms::AuditLog *audit);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_APPENDKERNELS_H
