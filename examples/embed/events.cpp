//===- events.cpp - Prints the events of a recording, without MLIR ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Report/Report.h"
#include "mlir-prof/Report/Writer.h"
#include "llvm/Support/raw_ostream.h"

static int fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: events RECORDING\n";
    return 2;
  }
  auto profile = mlirprof::importer::importProfile(argv[1], {});
  if (!profile)
    return fail(profile.takeError());
  auto kind = mlirprof::report::findReport("event");
  if (!kind)
    return fail(kind.takeError());
  auto report = mlirprof::report::buildReport({*profile}, **kind);
  if (!report)
    return fail(report.takeError());
  auto writer = mlirprof::report::findReportWriter("csv");
  if (!writer)
    return fail(writer.takeError());
  (*writer)->write(*report, {}, llvm::outs());
  return 0;
}
