//===- DiffCsv.cpp - Diffs as comma-separated values ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"

using namespace mlirprof;
using namespace mlirprof::report;

static void writeCsv(const DiffReport &diff, const WriteOptions &options,
                     llvm::raw_ostream &os) {
  Report report;
  report.table = diff.table;
  report.view = diff.view;
  llvm::cantFail(findReportWriter("csv"))->write(report, options, os);
}

DiffWriter report::diffwriter::Csv() {
  return {"csv", "the rows as comma-separated values (RFC 4180)", writeCsv};
}
