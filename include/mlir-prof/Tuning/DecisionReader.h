//===- DecisionReader.h - Reading the text of a database --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is JSON: {"schema": "mlir-prof.decisions/3", "decisions": [...],
// "observations": [...]}, both lists in the order of their keys, so that equal
// databases are equal files. Any change of the format changes its number; older
// versions can be read. Since version 2, observations have "sizes" if there are
// any. Before version 3, the member "schema" was called "format", and
// "neighborhood" had another spelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONREADER_H
#define MLIR_PROF_TUNING_DECISIONREADER_H

#include "mlir-prof/Tuning/DecisionDatabase.h"

namespace mlirprof::tuning {

/// The schema of the databases that this version writes.
inline constexpr llvm::StringLiteral kDecisionsSchema = "mlir-prof.decisions/3";

/// Reads `text`, which `where` names in errors. Fails if it is damaged, empty,
/// or of a newer format.
llvm::Expected<DecisionDatabase> parseDecisions(llvm::StringRef text,
                                                llvm::StringRef where);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONREADER_H
