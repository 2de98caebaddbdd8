//===- Explain.h - Explaining the time of an op -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_EXPLAIN_H
#define MLIR_PROF_REPORT_EXPLAIN_H

#include "mlir-prof/Report/Report.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::report {

/// The track on which events of a measured op ran. Events are found by the op's
/// name.
struct TrackUse {
  std::string plane;
  uint32_t line = 0;
  std::string track;
  uint64_t events = 0;
};

/// An op of the module that owns a part of a measured op's time.
struct OwnerShare {
  /// Index into Ownership::ops.
  uint32_t op = 0;
  uint64_t weight = 0;
  /// Its estimated part; all of the time if it is the only owner.
  int64_t partPs = 0;
};

/// One measured op and the owners of its time.
struct MeasuredOp {
  /// Index into Profile::opKeys.
  uint32_t key = 0;
  /// "module(program_id)/instruction" or "node:kernel".
  std::string name;
  /// Kernel or HLO opcode; empty if unknown.
  std::string kernel;
  uint64_t count = 0;
  int64_t timePs = 0;
  /// Null without a module.
  const attribution::Match *match = nullptr;
  std::vector<OwnerShare> owners;
  std::vector<TrackUse> tracks;
};

/// A dispatch that ran the code of an op.
struct InstanceShare {
  /// Index into Profile::programs, and into Program::instances.
  uint32_t program = 0;
  uint32_t instance = 0;
  /// The part of the op's time; estimated where the dispatch is not known.
  int64_t partPs = 0;
};

/// A possible meaning of a query.
struct Candidate {
  /// The query that has only this meaning.
  std::string query;
  std::string description;
  int64_t timePs = 0;
};

/// The answer to "why has this op this time?".
struct Explanation {
  enum class Kind : uint8_t { MlirOp, MeasuredOp, Ambiguous };

  Kind kind = Kind::MlirOp;
  std::string query;
  /// MlirOp: its index into Ownership::ops.
  uint32_t op = 0;
  /// MlirOp: the total time of the ops inside it.
  int64_t insidePs = 0;
  /// MlirOp: the measured ops that contribute to its time, largest first.
  /// MeasuredOp: the op itself.
  std::vector<MeasuredOp> measured;
  /// MlirOp with code that dispatches run: these, most time first.
  std::vector<InstanceShare> instances;
  /// MlirOp without time: the reasons, in complete sentences.
  std::vector<std::string> reasons;
  /// MlirOp whose name no measured op has: the most similar names.
  std::vector<std::string> nearest;
  /// Ambiguous: the possible meanings, most time first.
  std::vector<Candidate> candidates;
};

/// Explains `query`: the index of an op of the module ("12", "#12"; of the
/// second program "1:#12"), the name in its location, or its location as text;
/// a measured op's name, alone or as MeasuredOp::name; or the name of a kind of
/// op, which means all ops of that kind. Ops of the module take precedence.
/// Fails, with the nearest names, if nothing has that name, and if the query
/// requires a module but there is none.
llvm::Expected<Explanation> explain(const ReportInput &input,
                                    llvm::StringRef query);

enum class ExplainFormat : uint8_t { Text, Json };

/// Writes an explanation. JSON is {"schema": "mlir-prof.explain/2", "query",
/// "kind": "op" | "measured-op" | "ambiguous", ...} with all numbers
/// integers and times in picoseconds.
void writeExplanation(const ReportInput &input, const Explanation &explanation,
                      ExplainFormat format, llvm::raw_ostream &os);

/// Combines explain and writeExplanation.
llvm::Error explainOp(const ReportInput &input, llvm::StringRef query,
                      ExplainFormat format, llvm::raw_ostream &os);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_EXPLAIN_H
