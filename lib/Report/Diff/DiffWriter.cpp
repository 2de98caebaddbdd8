//===- DiffWriter.cpp - The formats that diffs are written in -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "mlir-prof/Support/FindNamed.h"

using namespace mlirprof;
using namespace mlirprof::report;

/// Rows as those of every report.
static void writeCsv(const DiffReport &diff, const WriteOptions &options,
                     llvm::raw_ostream &os) {
  Report report;
  report.table = diff.table;
  report.view = diff.view;
  llvm::cantFail(findReportWriter("csv"))->write(report, options, os);
}

llvm::ArrayRef<DiffWriter> report::getDiffWriters() {
  static const DiffWriter writers[] = {
      report::makeText(),
      report::makeMarkdown(),
      report::makeJson(),
      {"csv", "the rows as comma-separated values (RFC 4180)", writeCsv},
  };
  return writers;
}

llvm::Expected<const DiffWriter *>
report::findDiffWriter(llvm::StringRef name) {
  return findNamed(getDiffWriters(), "format", name);
}
