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
// Times are picoseconds for one run of the model. Fields may be added; any
// other change of the format changes its number.
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

/// Prints the outcome of a search for the user: the times before and after, and
/// the choices with reasons.
void printSummary(const OptimizerResult &result, const ModelSites &sites,
                  llvm::raw_ostream &os);

/// Explains the ops whose label contains `op`: their time and bound, and the
/// trials with them, in this search and earlier ones, with outcomes. Fails if
/// there is no such op.
llvm::Error explainOp(llvm::StringRef op, const OptimizerResult &result,
                      const ModelSites &sites,
                      const tuning::DecisionDatabase &database,
                      llvm::StringRef machine, llvm::raw_ostream &os);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_RECEIPTS_H
