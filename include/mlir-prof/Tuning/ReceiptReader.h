//===- ReceiptReader.h - Reading trials -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_RECEIPTREADER_H
#define MLIR_PROF_TUNING_RECEIPTREADER_H

#include "mlir-prof/Tuning/DecisionDatabase.h"

namespace mlirprof::tuning {

/// Reads the trials of searches from `text`, which `where` names in errors:
/// decisions, or receipts, of which only the observations are used. Fails if
/// the text is neither, is damaged, or was written by a version without
/// observations.
llvm::Expected<DecisionDatabase> parseTrials(llvm::StringRef text,
                                             llvm::StringRef where);

/// Reads the file `path`, which must exist.
llvm::Expected<DecisionDatabase> loadTrials(llvm::StringRef path);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_RECEIPTREADER_H
