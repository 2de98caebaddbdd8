//===- Units.h - What a diff compares ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_UNITS_H
#define MLIR_PROF_LIB_DIFF_UNITS_H

#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::diff {

/// Of a unit in one run: its time, and what its events tell of how certain it
/// is.
struct RunValue {
  int64_t sumPs = 0;
  /// As sumPs, without the stalls of its events (see Stalls.h).
  double steadyPs = 0;
  /// Variances of the two sums as far as the events tell; of sampled times that
  /// of a sum over a random number of samples: the sum of their squares.
  double variance = 0;
  double steadyVariance = 0;
  /// As sumPs, had all executions taken as long as the quickest one (see
  /// getQuickest), and the variance that the executions let expect.
  double quickPs = 0;
  double quickVariance = 0;

  void add(const RunValue &other);
};

/// How a unit may be known again.
struct UnitKey {
  /// "" where this says nothing.
  std::string text;
  DiffMatch match = DiffMatch::Key;
};

/// An op of the module, or a measured op that no op of the module owns, on one
/// side of a diff.
struct Unit {
  /// Best first, one for each Tier; empty once the unit is paired.
  std::vector<UnitKey> keys;
  std::string op;
  std::string name;
  /// How many ops it is.
  uint64_t members = 1;
  /// Its time in each run, and in all of them.
  std::vector<RunValue> perRun;
  int64_t sumPs = 0;
  /// Whether a part of the time has no scatter that is known.
  bool isUnknown = false;
  bool isSampled = false;
  /// Whether only sums of events were measured, which stand as equal parts.
  bool isEven = false;
  /// Whether RunValue::quickPs is known of all of the time.
  bool hasQuick = true;

  void add(const Unit &other);
};

/// Positions in Unit::keys, and what they are of.
enum Tier : unsigned {
  kWhole,
  kInPlace,
  kAlone,
  kName,
  kTiers,
};

/// What of `op` is compared.
int64_t getValue(const profile::OpSummary &op, DiffQuantity quantity);

/// All ops of the module of `side`, measured or not, in their order, and what
/// was measured and is of no op.
std::vector<Unit> collectUnits(const DiffSide &side, DiffQuantity quantity);

/// Units of the two sides that are the same; null on one side: appeared or
/// disappeared. Those that nothing tells apart are added up.
struct Pair {
  std::optional<Unit> before;
  std::optional<Unit> after;
  DiffMatch match = DiffMatch::Key;
};
std::vector<Pair> pairUnits(std::vector<Unit> before, std::vector<Unit> after);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_UNITS_H
