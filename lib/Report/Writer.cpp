//===- Writer.cpp - Output formats of reports -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Writer.h"
#include "Writers/Writers.h"
#include "mlir-prof/Support/FindNamed.h"

using namespace mlirprof;
using namespace mlirprof::report;

llvm::ArrayRef<ReportWriter> report::getReportWriters() {
  static const ReportWriter writers[] = {
#define MLIRPROF_WRITER(NAME) writer::NAME(),
#include "Writers/Writers.def"
  };
  return writers;
}

llvm::Expected<const ReportWriter *>
report::findReportWriter(llvm::StringRef name) {
  return findNamed(getReportWriters(), "format", name);
}
