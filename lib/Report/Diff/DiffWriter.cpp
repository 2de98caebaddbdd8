//===- DiffWriter.cpp - Output formats of diffs ---------------------------===//
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
llvm::ArrayRef<DiffWriter> report::getDiffWriters() {
  static const DiffWriter writers[] = {
#define MLIRPROF_DIFF_WRITER(NAME) diffwriter::NAME(),
#include "Writers.def"
  };
  return writers;
}

llvm::Expected<const DiffWriter *>
report::findDiffWriter(llvm::StringRef name) {
  return findNamed(getDiffWriters(), "format", name);
}
