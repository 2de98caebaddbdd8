//===- KeptSamples.cpp - Keeping single events ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/KeptSamples.h"

using namespace mlirprof;
using namespace mlirprof::profile;

/// Whether probes measured the ops of `run`.
static bool isInstrumented(const Run &run) {
  return llvm::any_of(run.ops, [](const OpSummary &op) {
    return op.find(Quantity::RawExecute) != nullptr;
  });
}

std::string profile::describeKeeping(const Run &run) {
  if (run.producer.format != "mlir-prof")
    return "";
  if (isInstrumented(run))
    return "Record again with --instances=N: mlir-prof record " + run.source +
           " --mode=instrument --instances=N -o FILE.";
  return "Record again with --keep-events: mlir-prof record " + run.source +
         " --keep-events -o FILE.";
}
