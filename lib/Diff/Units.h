//===- Units.h - The units of a diff ----------------------------*- C++ -*-===//
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

/// The time of a unit in one run, and its certainty according to its events.
struct RunValue {
  int64_t sumPs = 0;
  /// As sumPs, without the stalls of its events (see Stalls.h).
  double steadyPs = 0;
  /// Variances of the two sums, as far as the events tell; for sampled times,
  /// the variance of a sum over a random number of samples: the sum of their
  /// squares.
  double variance = 0;
  double steadyVariance = 0;
  /// As sumPs, if all executions took as long as the quickest one (see
  /// getQuickest), and the variance expected from the executions.
  double quickPs = 0;
  double quickVariance = 0;
  /// quickPs of the parts for which it is known, and steadyPs of the others.
  double calmPs = 0;

  void add(const RunValue &other);
};

/// A key by which a unit may be recognized.
struct UnitKey {
  /// "" if this tier does not apply.
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
  /// Number of ops that it represents.
  uint64_t members = 1;
  /// Its time in each run, and in all of them.
  std::vector<RunValue> perRun;
  int64_t sumPs = 0;
  /// Whether the scatter of a part of the time is unknown.
  bool isUnknown = false;
  bool isSampled = false;
  /// Whether only sums of events were measured, which count as equal parts.
  bool isEven = false;
  /// Whether RunValue::quickPs is known for all of the time.
  bool hasQuick = true;

  void add(const Unit &other);
};

/// Positions in Unit::keys, and the kind of key at each.
enum Tier : unsigned {
  kWhole,
  kInPlace,
  kAlone,
  kName,
  kTiers,
};

/// The compared value of `op`.
int64_t getValue(const profile::OpSummary &op, DiffQuantity quantity);

/// All ops of the module of `side`, measured or not, in their order, and
/// measured ops that no op owns.
std::vector<Unit> collectUnits(const DiffSide &side, DiffQuantity quantity);

/// Matching units of the two sides; null on one side: appeared or disappeared.
/// Units that cannot be distinguished are added up.
struct Pair {
  std::optional<Unit> before;
  std::optional<Unit> after;
  DiffMatch match = DiffMatch::Key;
};
std::vector<Pair> pairUnits(std::vector<Unit> before, std::vector<Unit> after);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_UNITS_H
