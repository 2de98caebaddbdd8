//===- ModelCalls.h - Calls of a model, down to its ops ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scope of ScopeType::Model is a call of a compiled model. Where the profile
// holds the model's own times as well, it opens down to ops and instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_MODELCALLS_H
#define MLIR_PROF_REPORT_MODELCALLS_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Scope/Table.h"

#include <map>

namespace mlirprof::report {

/// An op of a model, or an instruction of it.
struct ModelPart {
  /// Index of the op around an instruction, or kNone.
  uint32_t parent = trace::kNone;
  std::string name;
  std::string file;
  uint32_t line = 0;
  /// The measured time of this part itself.
  int64_t timePs = 0;
};

/// The parts of a model, parents first.
struct ModelParts {
  std::vector<ModelPart> parts;
  /// Time of the runs in which the parts were measured: that of their
  /// iterations, or the sum of the parts if that is more, as on several
  /// threads.
  int64_t wholePs = 0;

  /// The parts' shares of calls that took `callsPs` together, in the order of
  /// `parts`: proportional to their measured time, by largest remainder. Time
  /// that the runs spent outside of the parts is left over.
  std::vector<int64_t> split(int64_t callsPs) const;
};

/// The parts of the models whose times `profile` holds.
class ModelCalls {
public:
  explicit ModelCalls(const profile::Profile &profile) : profile(profile) {}

  /// The parts of the program with this fingerprint (the file of a scope's
  /// site); null if the profile does not have their times.
  const ModelParts *find(llvm::StringRef fingerprint);

private:
  const profile::Profile &profile;
  std::map<std::string, ModelParts, std::less<>> models;
};

/// Adds rows of ops and instructions below the rows of calls of models whose
/// times `profile` has, at the end: their self times, and those of the calls,
/// add up to what these had. Their types are ScopeType::Operator and, for
/// instructions, ScopeType::OperatorInner. Durations of single calls are split
/// in the same proportion.
void addModelRows(const profile::Profile &profile,
                  std::vector<scope::TableRow> &rows);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_MODELCALLS_H
