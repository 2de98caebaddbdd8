//===- Explainer.h - Explaining the time of an op ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINER_H
#define MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINER_H

#include "mlir-prof/Report/Explain.h"
#include "mlir-prof/Report/OpNames.h"

namespace mlirprof::report {

/// Builds explanations. Searches the whole profile for each.
class Explainer {
public:
  explicit Explainer(const ReportInput &input)
      : input(input), names(input.profile),
        merged(profile::mergeRuns(input.profile)) {}

  llvm::Expected<Explanation> explain(llvm::StringRef query);

private:
  /// Possible meanings of `query`: indices of ops of the module, or of op keys.
  struct Meanings {
    std::vector<uint32_t> ops;
    std::vector<uint32_t> keys;
  };
  Meanings findMeanings(llvm::StringRef query) const;
  /// The ops with that index: one for each program that has it, or only that of
  /// `program`.
  llvm::Expected<std::vector<uint32_t>>
  findIndex(llvm::StringRef query, std::optional<uint32_t> program,
            uint64_t index) const;
  llvm::Error unknown(llvm::StringRef query) const;

  void explainMlirOp(Explanation &explanation);
  void findInstances(Explanation &explanation) const;
  void explainAbsence(Explanation &explanation) const;
  void listCandidates(Explanation &explanation, const Meanings &meanings) const;
  /// Describes a measured op, without its tracks.
  MeasuredOp describe(uint32_t key);
  void findTracks(std::vector<MeasuredOp> &measured) const;

  const ReportInput &input;
  OpNames names;
  std::vector<profile::OpSummary> merged;
};

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINER_H
