//===- hottest.cpp - Prints the ten hottest ops of a recording ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Session.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: hottest RECORDING MODEL\n";
    return 2;
  }
  mlirprof::OpenOptions options;
  options.model = argv[2];
  options.onNote = [](llvm::StringRef text) { llvm::errs() << text << '\n'; };
  auto session = mlirprof::openSession(argv[1], options);
  if (!session) {
    llvm::errs() << llvm::toString(session.takeError()) << '\n';
    return 1;
  }
  mlirprof::report::Query query;
  query.top = 10;
  auto report = session->report("", query);
  if (!report) {
    llvm::errs() << llvm::toString(report.takeError()) << '\n';
    return 1;
  }
  // Rows of this report are ops of the module.
  uint32_t number = *report->table.findColumn("index");
  for (uint32_t row : report->view.rows) {
    auto op = size_t(report->table.getInteger(row, number));
    llvm::outs() << llvm::formatv(
        "{0,14} ps  {1} {2}\n", session->attribution->ops[op].totalPs(),
        session->ownership->ops[op].op, session->ownership->ops[op].location);
  }
  return 0;
}
