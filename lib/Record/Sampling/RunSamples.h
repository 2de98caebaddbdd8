//===- RunSamples.h - Resolving raw samples ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SAMPLING_RUNSAMPLES_H
#define MLIR_PROF_LIB_RECORD_SAMPLING_RUNSAMPLES_H

#include "../Child/RunShared.h"

namespace mlirprof::record {

/// Sets samples, symbols, threads and losses of `result` from the child's data.
/// `addresses` is RunFiles::addresses.
void resolveSamples(const compile::CompiledModel &model,
                    const SharedRunMapping &shared, llvm::StringRef addresses,
                    RunResult &result);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SAMPLING_RUNSAMPLES_H
