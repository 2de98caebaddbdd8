//===- Report.h - Reports ---------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_REPORT_H
#define MLIR_PROF_REPORT_REPORT_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Report/Table.h"

namespace mlirprof::report {

/// Parts of the names of the ops that bound the phases of steps: the forward
/// pass begins with `first`, and the backward pass ends with `last`. Empty: the
/// first and the last op that are not the optimizer's.
struct StepOps {
  std::string first;
  std::string last;
};

/// Input of reports. `ownership` and `attribution` are both set, or both null
/// without a module; everything must outlive the results.
struct ReportInput {
  const profile::Profile &profile;
  const attribution::Ownership *ownership = nullptr;
  const attribution::Attribution *attribution = nullptr;
  /// For recordings by mlir-prof: the level of reports that require one. Empty
  /// for the most informative one: input, or "loops" for loops.
  llvm::StringRef level = {};
  StepOps stepOps = {};
};

enum class Needs : uint8_t {
  Profile,
  /// Also an Ownership.
  Ownership,
  /// A recording by mlir-prof, which has a program.
  Program,
};

enum class RowSelection : uint8_t {
  /// Omits ops of the module, and groups of them, without a measurement.
  Measured,
  All,
};

/// One way to group measurements. To add one, add a file in lib/Report/By and a
/// line in Reports.def there.
struct ReportKind {
  /// For --by.
  llvm::StringRef name;
  /// One line for help.
  llvm::StringRef description;
  Needs needs = Needs::Profile;
  /// `merged` is mergeRuns(input.profile).
  Table (*build)(const ReportInput &input,
                 llvm::ArrayRef<profile::OpSummary> merged,
                 RowSelection selection);
  /// Whether its rows come from single events, which recordings keep on
  /// request.
  bool usesEvents = false;
};

/// All reports, in the order in which help lists them.
///
/// Rows of `measured-op-type` and `hlo-module` group measured ops: all time of
/// a row is sole. Rows of `op-type`, `location`, `source` and `module-path`
/// group ops of the module by this rule: a measured op all of whose owners are
/// in the group counts once as sole time of the group; a measured op with
/// owners in several groups, or with several owners and parts that no op owns
/// (class partial), counts once as shared time of each of these groups, and the
/// estimated parts of its owners in a group add up to estimated time. Over
/// disjoint groups that contain all ops, sole and estimated times thus add up
/// to exactly the time with owners. In `module-path`, a tree, a row contains
/// the ops of all rows below it, so the same holds for the rows at one depth,
/// for ops at that depth. A row's count is the number of calls of the group
/// (countCalls).
llvm::ArrayRef<ReportKind> getReports();

/// Finds a report by name; for an unknown one, the error lists all names.
llvm::Expected<const ReportKind *> findReport(llvm::StringRef name);

/// The header of every report of a recording by mlir-prof.
struct RunHeader {
  std::string source;
  uint64_t iterations = 0;
  int64_t minPs = 0;
  /// Median of `medianOf` of the iterations that the recording lists.
  int64_t medianPs = 0;
  uint64_t medianOf = 0;
  int64_t meanPs = 0;
  /// 0 if nothing was sampled.
  int64_t samplePeriodPs = 0;
  /// "wall time" or "processor time"; empty if unknown.
  std::string sampledTime;
  uint64_t samples = 0;
  /// Number of samples at instructions of the model, including its callees, and
  /// of those whose instruction, or innermost loop, has an op.
  uint64_t codeSamples = 0;
  uint64_t identifiedSamples = 0;
};

/// One for each run with iterations.
std::vector<RunHeader> getRunHeaders(const profile::Profile &profile);

/// A report, ready for output.
struct Report {
  std::string by;
  /// Query::group: `table` has the sums of the rows that are alike in these.
  std::vector<std::string> group;
  /// The unit that the profile counted in place of time, or empty. The
  /// numbers named after times, such as Coverage::opTimePs, are then in it.
  std::string unit;
  std::vector<RunHeader> runs;
  Table table;
  View view;
  /// Not set without a module.
  std::optional<attribution::Coverage> coverage;
  /// That of the host, if `coverage` is that of devices.
  std::optional<attribution::Coverage> hostCoverage;
  std::vector<attribution::UnmatchedReason> unmatched;
  /// Losses of all runs, one entry per name; most time first.
  std::vector<Loss> losses;
};

/// Builds the report `kind` and applies `query`. Fails if the report requires a
/// module and there is none, if the ownership does not belong to this profile,
/// and if the query does not fit.
llvm::Expected<Report>
buildReport(const ReportInput &input, const ReportKind &kind,
            const Query &query = {},
            RowSelection selection = RowSelection::Measured);

/// Checks that ownership and attribution belong to each other and to the
/// profile, so that indices need not be checked later.
llvm::Error checkInput(const ReportInput &input);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_REPORT_H
