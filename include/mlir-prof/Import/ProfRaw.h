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

#include <functional>
#include <optional>
#include <string>

namespace mlirprof::importer {

/// The unit of a run that counted something in place of time.
struct CountedTicks {
  /// The unit, a plural.
  std::string unit;
  /// `count` units are `ticks` ticks.
  uint64_t count = 1;
  uint64_t ticks = 1;
};

struct ProfRawOptions {
  /// The program of the modules in the file, if a better version is known (such
  /// as one with its machine code), with the same probes and sites.
  const profile::Program *program = nullptr;
  /// If set, what a tick is, by the name of the counter and its unit in the
  /// file, which are empty for a clock; none if that is as the file says: times
  /// where the rate of the counter is known, else the unit.
  std::function<std::optional<CountedTicks>(llvm::StringRef counter,
                                            llvm::StringRef unit)>
      countTicks;
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

/// The last file in `output`, the output of a program that called prof_rt_print
/// or whose memory has the result of prof_rt_serialize; other text and bytes
/// may be around it. It is an error, which names the line or byte, if it is not
/// complete or damaged.
llvm::Expected<std::string> findProfRaw(llvm::StringRef output,
                                        llvm::StringRef where);

/// Whether `output` has the last line of a file.
bool endsProfRaw(llvm::StringRef output);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_PROFRAW_H
