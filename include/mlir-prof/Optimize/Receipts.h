//===- Receipts.h - Trials and their outcomes -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Receipts as JSON: {"schema": "mlir-prof.receipts/2", "model", "machine",
// "before": {...}, "after": {...}, "control", "whole", "receipts": [...]}.
// Times are picoseconds for one run of the model. Any change of the format
// changes its number; fields may be added.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_RECEIPTS_H
#define MLIR_PROF_OPTIMIZE_RECEIPTS_H

#include "mlir-prof/Optimize/Optimizer.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::optimize {

/// Writes all receipts of `result` as JSON. `model` names the model.
void writeReceipts(const OptimizerResult &result, const ModelSites &sites,
                   llvm::StringRef model, llvm::StringRef machine,
                   llvm::raw_ostream &os);

/// Writes the outcome of a search for its user: time before and after, and why.
void printSummary(const OptimizerResult &result, const ModelSites &sites,
                  llvm::raw_ostream &os);

/// Explains the ops whose label contains `op`: time and bound, the trials with
/// them, now and before, and their outcomes. Fails when there is none.
llvm::Error explainOp(llvm::StringRef op, const OptimizerResult &result,
                      const ModelSites &sites,
                      const tuning::DecisionDatabase &database,
                      llvm::StringRef machine, llvm::raw_ostream &os);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_RECEIPTS_H
