//===- DecisionWriter.h - Writing the text of a database --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONWRITER_H
#define MLIR_PROF_TUNING_DECISIONWRITER_H

#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::tuning {

/// Writes `database` in the format that parseDecisions reads.
void writeDecisions(const DecisionDatabase &database, llvm::raw_ostream &os);

/// Writes the members of an entry of the list of observations, which
/// readObservation reads.
void writeObservation(llvm::json::OStream &json,
                      const Observation &observation);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONWRITER_H
