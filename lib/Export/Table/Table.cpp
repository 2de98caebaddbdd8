//===- Table.cpp - A profile as a table and as JSON -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Exporters.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/Writer.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;

/// One row per measured op rather than per op of the module: only measured ops
/// cover all time, each once.
static llvm::Error writeCsv(const ExportInput &input, llvm::raw_ostream &os) {
  auto kind = findReport("measured-op");
  if (!kind)
    return kind.takeError();
  auto writer = findReportWriter("csv");
  if (!writer)
    return writer.takeError();
  auto report =
      buildReport({input.profile, input.ownership, input.attribution}, **kind);
  if (!report)
    return report.takeError();
  (*writer)->write(*report, {}, os);
  return llvm::Error::success();
}

Exporter exporter::Csv() {
  return {"csv",
          "table of the measured ops, times in ps",
          ExportNeeds::Ownership,
          writeCsv,
          /*hasStacks=*/false,
          ExportCounts::All};
}

Exporter exporter::Json() {
  return {"json",
          "the whole profile as JSON, which can be read back",
          ExportNeeds::Profile,
          [](const ExportInput &input, llvm::raw_ostream &os) -> llvm::Error {
            writeProfileJson(input.profile, os);
            return llvm::Error::success();
          },
          /*hasStacks=*/false,
          ExportCounts::All};
}
