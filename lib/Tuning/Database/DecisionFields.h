//===- DecisionFields.h - Fields of entries of a database -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TUNING_DATABASE_DECISIONFIELDS_H
#define MLIR_PROF_LIB_TUNING_DATABASE_DECISIONFIELDS_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/ArrayRef.h"

#include <simdjson.h>
#include <string>

namespace mlirprof::tuning {

/// Reads an entry of the list of decisions or observations. Returns the fault
/// of `object`, or "".
std::string readDecision(const simdjson::dom::object &object,
                         Decision &decision);
std::string readObservation(const simdjson::dom::object &object,
                            Observation &observation);

/// Checks that `object` holds all of `names`, each once, and nothing else,
/// which would be lost when the file is written again. Returns the fault, or
/// "".
std::string checkMembers(const simdjson::dom::object &object,
                         llvm::ArrayRef<llvm::StringRef> names);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_LIB_TUNING_DATABASE_DECISIONFIELDS_H
