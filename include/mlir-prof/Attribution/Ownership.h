//===- Ownership.h - MLIR ops that own measured ops -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of matching a profile with a module, as a table without MLIR
// types, and the times derived from it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ATTRIBUTION_OWNERSHIP_H
#define MLIR_PROF_ATTRIBUTION_OWNERSHIP_H

#include "mlir-prof/Profile/Profile.h"

#include <string>
#include <vector>

namespace mlirprof::attribution {

/// How a measured op relates to the ops of the module.
enum class MatchClass : uint8_t {
  /// Exactly one MLIR op.
  Unique,
  /// Several MLIR ops under one name that cannot be distinguished.
  Ambiguous,
  /// Several names that ran as one kernel.
  Fused,
  /// Some of the names do not have an MLIR op.
  Partial,
  /// No MLIR op.
  Unmatched,
};
llvm::StringRef toString(MatchClass matchClass);

/// The weakest evidence that a match needed; best first.
enum class MatchTier : uint8_t {
  Identity,
  LocationPath,
  SourceFrame,
  Opcode,
  Shape,
  ExecutionOrder,
  StructuralHash,
  Neighborhood,
};
llvm::StringRef toString(MatchTier tier);

/// One op of the module.
struct MlirOp {
  /// "stablehlo.add".
  std::string op;
  /// The name by which profiles identify it: its location path, or "".
  std::string path;
  /// Its location as text, for people.
  std::string location;
  /// User's source position; file is empty when unknown.
  std::string file;
  uint32_t line = 0;
  /// Index of the op that contains it; the module itself is 0.
  uint32_t parent = 0;
  /// Static cost in abstract units (see docs/matching.md), at least 1 for ops
  /// that do work and 0 for those that do not.
  uint64_t cost = 0;
};

/// The match of one op key.
struct Match {
  MatchClass matchClass = MatchClass::Unmatched;
  MatchTier tier = MatchTier::LocationPath;
  /// Indices into Ownership::ops, ascending, without repeats.
  std::vector<uint32_t> ops;
  /// Weights of `ops` for the estimated split; same length.
  std::vector<uint64_t> weights;
  /// Weight of ops that this module lacks, if the match was made with an
  /// earlier version of the module. Their part of the time does not have an
  /// owner.
  uint64_t lostWeight = 0;
  /// The names that were searched, and those that no op has.
  std::vector<std::string> names;
  std::vector<std::string> unmatched;
  /// Why there is no op (Unmatched, Partial), or how a later tier found the
  /// ops.
  std::string reason;
};

/// The number by which reports, graphs and annotations refer to an op of the
/// module: its index in the module in pre-order, where the module itself is 0.
/// Each level has its own numbering.
struct OpNumber {
  /// Index into Profile::programs.
  uint32_t program = 0;
  /// kNone if the profile does not contain it.
  uint32_t index = 0;
};

/// Maps each op key to ops of the module.
struct Ownership {
  /// All ops of the module in pre-order, the module itself first. Without the
  /// module, the ops listed in the profile's programs, which lack constants.
  std::vector<MlirOp> ops;
  /// One for each of `ops`; empty if ops are numbered by their position there.
  std::vector<OpNumber> numbers;
  /// One for each of Profile::opKeys.
  std::vector<Match> matches;

  OpNumber getNumber(uint32_t op) const {
    return numbers.empty() ? OpNumber{0, op} : numbers[op];
  }
  /// Whether `ops` belong to several programs, so that an index alone does not
  /// identify an op.
  bool hasSeveralPrograms() const {
    return !numbers.empty() && numbers.back().program != 0;
  }
};

/// Times of one MLIR op: if the profile has work of devices, those on devices.
/// `count` is how often it was called (countCalls).
struct OpTime {
  uint64_t count = 0;
  int64_t solePs = 0;
  int64_t sharedPs = 0;
  int64_t estimatedPs = 0;
  /// If the times above are those on devices: its sole and estimated time on
  /// the host, which ran at the same time.
  int64_t hostPs = 0;
  /// Begin of the first event that contributes to this op.
  int64_t firstBeginPs = 0;

  /// The default order of tables and the color scale of pictures.
  int64_t totalPs() const { return solePs + estimatedPs; }
};

struct Coverage {
  int64_t opTimePs = 0;
  int64_t uniquePs = 0;
  int64_t ambiguousPs = 0;
  int64_t fusedPs = 0;
  int64_t partialPs = 0;
  int64_t unmatchedPs = 0;
  /// Mean number of members of a fused match, weighted by time, in millionths;
  /// 0 without any.
  int64_t meanFusedMembersPpm = 0;
};

/// Time without an owner, by reason, largest first.
struct UnmatchedReason {
  std::string reason;
  uint64_t count = 0;
  int64_t timePs = 0;
};

/// The times that a profile attributes to the ops of a module.
struct Attribution {
  /// Indexed like Ownership::ops.
  std::vector<OpTime> ops;
  /// Whether times are those on devices.
  bool isOfDevices = false;
  Coverage coverage;
  /// That of the host's time, if `isOfDevices`.
  Coverage host;
  std::vector<UnmatchedReason> unmatched;
};

/// Charges the time (OpSummary::getTimePs) of every measured op to its owners.
/// In a profile with work of devices, the host runs ahead of them: its time is
/// kept apart, and never added to theirs.
Attribution attribute(const profile::Profile &profile,
                      const Ownership &ownership);

/// Splits `total` in proportion to `weights` so that the parts add up to
/// exactly `total` (largest remainder, ties to the first). Equal parts when all
/// weights are 0. `total` may be negative.
std::vector<int64_t> splitExactly(int64_t total,
                                  llvm::ArrayRef<uint64_t> weights);

} // namespace mlirprof::attribution

#endif // MLIR_PROF_ATTRIBUTION_OWNERSHIP_H
