//===- Decision.h - Choices for ops, and measurements -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISION_H
#define MLIR_PROF_TUNING_DECISION_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::tuning {

/// Identifies an op independent of its name and its place in the file: hashes
/// of 32 hexadecimal digits, see StructuralHash.h.
struct OpSignature {
  /// The op with its body, shapes and element types.
  std::string exact;
  /// The same without static sizes.
  std::string shapeErased;
  /// The op's name and the exact hashes of its producers and consumers. Empty
  /// if these are only constants and function arguments.
  std::string neighborhood;
};
bool operator==(const OpSignature &a, const OpSignature &b);
bool operator<(const OpSignature &a, const OpSignature &b);

/// The op, machine and technique of a decision.
struct DecisionKey {
  OpSignature signature;
  /// See getMachineKey.
  std::string machine;
  /// "winograd", "threads".
  std::string technique;
};
bool operator==(const DecisionKey &a, const DecisionKey &b);
bool operator<(const DecisionKey &a, const DecisionKey &b);

/// The scope of a decision.
enum class DecisionScope : uint8_t {
  /// It holds for the op anywhere.
  Op,
  /// It involves the op's neighbors (a fusion), so these have to be the same.
  Neighborhood,
};

/// The basis of a decision.
enum class DecisionBasis : uint8_t {
  /// It was faster beyond noise on this machine; its observations have the
  /// gain.
  Measured,
  /// It was taken from a similar op and not measured here.
  Inferred,
  /// The user specified it.
  Given,
};

/// The parameters that a technique chose, by name.
using Choice = std::map<std::string, std::string>;

struct Decision {
  DecisionKey key;
  DecisionScope scope = DecisionScope::Op;
  /// Empty if the choice of the rules was best.
  Choice choice;
  DecisionBasis basis = DecisionBasis::Measured;
  /// Milliseconds since the epoch.
  int64_t whenMs = 0;
  /// The version of mlir-prof that made the decision.
  std::string producer;
  /// The op and its location, as text.
  std::string label;
};
bool operator==(const Decision &a, const Decision &b);

enum class Outcome : uint8_t {
  /// Faster beyond noise, and right.
  Kept,
  /// Compiled and ran, but was not kept.
  Rejected,
  /// Did not compile, crashed, or took too much memory or time.
  Failed,
};

/// Sizes of the dynamic dimensions of an op, operands first; ascending, each
/// combination once. Empty if there are none, or if they are unknown.
using MeasuredSizes = std::vector<std::vector<int64_t>>;

/// Whether a measurement on `measured` is weak evidence for `asked`: a
/// combination in `asked` differs from each measured one by more than a factor
/// of four in some dimension. Unknown sizes are not far.
bool isFar(const MeasuredSizes &measured, const MeasuredSizes &asked);

/// "4x8, 16x8".
std::string formatSizes(const MeasuredSizes &sizes);

/// One measurement of a choice against the incumbent.
struct Observation {
  DecisionKey key;
  Choice choice;
  int64_t whenMs = 0;
  std::string producer;
  Outcome outcome = Outcome::Kept;
  /// Why it was not kept.
  std::string reason;
  /// Median times of the incumbent and of the choice; 0 if not measured.
  int64_t oldPs = 0;
  int64_t newPs = 0;
  /// Standard deviation of the ratio of the two in one round, robust.
  double spread = 0;
  /// Rounds measured.
  uint32_t rounds = 0;
  /// The test's probability of such a gain by chance.
  std::optional<double> probability;
  /// Largest error of the op relative to its largest result. An error that is
  /// not finite is stored as the largest number.
  std::optional<double> error;
  /// The measured sizes of the op; its signature has the static ones only.
  MeasuredSizes sizes;
};
bool operator==(const Observation &a, const Observation &b);
bool operator<(const Observation &a, const Observation &b);

/// Limits of a database.
struct DecisionLimits {
  /// Decisions and observations together.
  static constexpr size_t kEntries = size_t(1) << 20;
  /// Observations of one choice that a file keeps.
  static constexpr unsigned kObservations = 16;
  static constexpr size_t kStringBytes = 4096;
  /// Parameters of a choice.
  static constexpr size_t kParameters = 64;
  /// Combinations of sizes of an observation, and sizes of each.
  static constexpr size_t kSizes = 64;
  static constexpr uint64_t kFileBytes = uint64_t(1) << 30;
  /// The end of the year 9999: the last date that can be printed.
  static constexpr int64_t kWhenMs = 253402300799999;
};

/// The names of these in files and messages.
llvm::StringRef getName(DecisionScope scope);
llvm::StringRef getName(DecisionBasis basis);
llvm::StringRef getName(Outcome outcome);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISION_H
