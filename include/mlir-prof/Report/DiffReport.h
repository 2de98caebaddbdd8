//===- DiffReport.h - A diff as a table -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_DIFFREPORT_H
#define MLIR_PROF_REPORT_DIFFREPORT_H

#include "mlir-prof/Diff/Diff.h"
#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Report/Writer.h"

namespace mlirprof::report {

/// A diff, ready for output.
struct DiffReport {
  /// Names of the two profiles.
  std::string before;
  std::string after;
  const diff::ProfileDiff &diff;
  /// One row for each of diff.rows, in their order.
  Table table;
  View view;
};

/// Builds the table and applies `query`. Fails if the query does not fit the
/// table.
llvm::Expected<DiffReport> makeDiffReport(const diff::ProfileDiff &diff,
                                          llvm::StringRef before,
                                          llvm::StringRef after,
                                          const Query &query = {});

/// A format of diffs. Adding one is a file in lib/Report/Diff and a line in
/// Writers.def there.
struct DiffWriter {
  /// For --format.
  llvm::StringRef name;
  llvm::StringRef description;
  void (*write)(const DiffReport &report, const WriteOptions &options,
                llvm::raw_ostream &os);
};

/// All formats, "text" first.
llvm::ArrayRef<DiffWriter> getDiffWriters();

/// Finds a format by name; for an unknown one, the error lists all names.
llvm::Expected<const DiffWriter *> findDiffWriter(llvm::StringRef name);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_DIFFREPORT_H
