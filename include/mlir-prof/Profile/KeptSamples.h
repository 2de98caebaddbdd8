//===- KeptSamples.h - Samples as kept events -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_KEPTSAMPLES_H
#define MLIR_PROF_PROFILE_KEPTSAMPLES_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/STLExtras.h"

namespace mlirprof::profile {

/// Whether the kept events of `run` that have an op key are samples: each is
/// one sample of its track, whose duration is the time before it that it
/// represents, 0 if unknown. Those without an op key are parts of the run.
inline bool keepsSamples(const Run &run) {
  return llvm::any_of(run.facts, [](const auto &fact) {
    return fact.first == "kept events" && fact.second == "samples";
  });
}

inline void setKeepsSamples(Run &run) {
  run.facts.emplace_back("kept events", "samples");
}

/// How to record the single events of `run`, which does not have any; "" unless
/// it is a recording by mlir-prof.
std::string describeKeeping(const Run &run);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_KEPTSAMPLES_H
