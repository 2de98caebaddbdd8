//===- Report.h - The reports and how they are made -------------*- C++ -*-===//
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

/// What reports are made from. `ownership` and `attribution` come together, or
/// are both null without a module; everything must outlive what is made.
struct ReportInput {
  const profile::Profile &profile;
  const attribution::Ownership *ownership = nullptr;
  const attribution::Attribution *attribution = nullptr;
  /// Of a recording of our own: the level that reports that need one are of.
  /// Empty for the one that says most: input, of loops "loops".
  llvm::StringRef level = {};
};

enum class Needs : uint8_t {
  Profile,
  /// Also an Ownership.
  Ownership,
  /// A recording of our own, which has a program.
  Program,
};

enum class RowSelection : uint8_t {
  /// Leaves out ops of the module and groups of them without a measurement.
  Measured,
  All,
};

/// One way to group measurements. Adding one is a file in lib/Report/By and a
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
};

/// All reports, in the order in which help lists them.
///
/// Rows of `measured-op-type` and `hlo-module` group measured ops: all time of
/// a row is sole. Rows of `op-type`, `location`, `source` and `module-path`
/// group ops of the module, by this rule: a measured op all of whose owners lie
/// in the group counts once as sole time of the group; one with owners in
/// several groups, or with several owners and parts that no op owns (class
/// partial), counts once as shared time of each of these groups, and the
/// estimated parts of its owners in a group add up to estimated time. Over
/// disjoint groups that hold all ops, sole and estimated times thus add up
/// to exactly the time that has owners. In `module-path`, a tree, a row holds
/// the ops of all rows below it, so the same is true of the rows at one depth,
/// for the ops that are so deep. A row's count is how often the group was
/// called (countCalls).
llvm::ArrayRef<ReportKind> getReports();

/// Finds a report by name; an unknown one is an error that names all.
llvm::Expected<const ReportKind *> findReport(llvm::StringRef name);

/// What stands above every report of a recording of our own.
struct RunHeader {
  std::string source;
  uint64_t iterations = 0;
  int64_t minPs = 0;
  /// Of the iterations that the recording lists, `medianOf` of them.
  int64_t medianPs = 0;
  uint64_t medianOf = 0;
  int64_t meanPs = 0;
  /// 0 where nothing was sampled.
  int64_t samplePeriodPs = 0;
  /// "wall time" or "processor time"; empty where that is not told.
  std::string sampledTime;
  uint64_t samples = 0;
  /// Those at instructions of the model, its callees' included, and those of
  /// them whose instruction has an identity.
  uint64_t codeSamples = 0;
  uint64_t identifiedSamples = 0;
};

/// One for each run that has iterations.
std::vector<RunHeader> getRunHeaders(const profile::Profile &profile);

/// A report, ready to be written.
struct Report {
  std::string by;
  std::vector<RunHeader> runs;
  Table table;
  View view;
  /// Without a module there is none.
  std::optional<attribution::Coverage> coverage;
  std::vector<attribution::UnmatchedReason> unmatched;
  /// Losses of all runs, one entry a name; most time first.
  std::vector<Loss> losses;
};

/// Builds the report `kind` and runs `query` over it. Fails when it needs a
/// module and there is none, when the ownership is not one of this profile, and
/// on a query that does not fit.
llvm::Expected<Report>
buildReport(const ReportInput &input, const ReportKind &kind,
            const Query &query = {},
            RowSelection selection = RowSelection::Measured);

/// Checks that ownership and attribution belong to each other and to the
/// profile, so that indices need no check later.
llvm::Error checkInput(const ReportInput &input);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_REPORT_H
