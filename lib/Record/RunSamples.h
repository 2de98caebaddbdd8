//===- RunSamples.h - What raw samples mean --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_RECORD_RUNSAMPLES_H
#define MLIRPROF_LIB_RECORD_RUNSAMPLES_H

#include "RunShared.h"

namespace mlirprof {

/// Sets samples, symbols, threads and losses of `result` from what the child
/// has left. `addresses` is RunFiles::addresses.
void resolveSamples(const CompiledModel &model, const SharedRunMapping &shared,
                    llvm::StringRef addresses, RunResult &result);

} // namespace mlirprof

#endif // MLIRPROF_LIB_RECORD_RUNSAMPLES_H
