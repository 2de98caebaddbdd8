//===- Evidence.h - A profile's facts about a model's ops -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_EVIDENCE_H
#define MLIR_PROF_OPTIMIZE_EVIDENCE_H

#include "mlir-prof/Optimize/Technique.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlirprof::optimize {

/// How the ops of a model were found in a profile.
enum class EvidenceBasis : uint8_t {
  /// The profile is of this model.
  SameModel,
  /// The profile is of an older or similar model; an alignment found the ops.
  Alignment,
};

/// The times and values that a profile has for a model. Positions are those of
/// the input module's ops in pre-order, the module itself being 0.
struct Evidence {
  EvidenceBasis basis = EvidenceBasis::SameModel;
  /// The part of the profile's op time that each op owns; empty if there are no
  /// times, or if they are not comparable (another machine).
  std::vector<double> shares;
  /// The part of the profile's op time that has an owner in the model.
  double coverage = 0;
  /// Seconds of one run of the model; 0 if unknown.
  double modelSeconds = 0;
  struct Values {
    uint32_t position = 0;
    ObservedValues values;
  };
  std::vector<Values> values;
  /// Notes for the user, in complete sentences.
  std::vector<std::string> notes;
};

/// Reads `profile` for `input`, a model as it was read from its file. Fails if
/// the profile does not have any data about this model.
llvm::Expected<Evidence> readEvidence(const profile::Profile &profile,
                                      llvm::StringRef profileName,
                                      mlir::ModuleOp input);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_EVIDENCE_H
