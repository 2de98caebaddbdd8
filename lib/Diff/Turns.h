//===- Turns.h - Runs taken in turns ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_TURNS_H
#define MLIR_PROF_LIB_DIFF_TURNS_H

#include "mlir-prof/Profile/Profile.h"

#include <optional>

namespace mlirprof::diff {

/// The order of the runs of two profiles.
struct Turns {
  /// Whether the begins of all runs are known.
  bool areKnown = false;
  /// Whether the first run and the second belong to different sides, as do the
  /// third and the fourth, and so on.
  bool areInTurns = false;
  /// The runs of each side, ordered by their begins; in the profile's order if
  /// these are unknown.
  std::vector<uint32_t> before;
  std::vector<uint32_t> after;
};

Turns findTurns(const profile::Profile &before, const profile::Profile &after);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_TURNS_H
