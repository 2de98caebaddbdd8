//===- ProfRaw.h - Reads measurements of instrumented code ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_PROFRAW_H
#define MLIR_PROF_IMPORT_PROFRAW_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer {

struct ProfRawOptions {
  /// The program of the modules in the file, if a better version is known (such
  /// as one with its machine code), with the same probes and sites.
  const profile::Program *program = nullptr;
};

/// Reads `bytes`, the output of prof_rt_write or prof_rt_serialize (see
/// mlir-prof/Runtime/prof_raw.h), into `builder`: the programs; for each probe
/// Execute, Self, Cycles (inclusive) and, before the cost of the probes was
/// subtracted, RawExecute and RawSelf; the recorded instances as kept events,
/// one track per thread; value tables; losses. `where` names it in errors.
///
/// The runtime keeps sums, so the spread of these summaries is that of equal
/// executions; RawExecute has the true one if every execution was recorded.
llvm::Error readProfRaw(llvm::StringRef bytes, llvm::StringRef where,
                        profile::ProfileBuilder &builder,
                        const ProfRawOptions &options = {});

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_PROFRAW_H
