//===- OpNumbers.h - Numbers of ops at a level ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_OPNUMBERS_H
#define MLIR_PROF_LIB_SERVE_API_OPNUMBERS_H

#include "Lineage.h"
#include "ModuleText.h"
#include "mlir-prof/Attribution/ProgramMatch.h"

namespace mlirprof::serve {

/// The numbers of the ops of a level in the API: indices into Ownership::ops.
/// Must not outlive the profile.
class OpNumbers {
public:
  OpNumbers(OpenProfile &profile, llvm::StringRef level);

  /// The number of a node or instruction; kNone if the level does not list it.
  uint32_t find(const LinkedOp &linked) const;
  /// The line of the op `number`, from 0; kNone for ops that are not printed,
  /// as implicit terminators.
  uint32_t getLine(uint32_t number) const { return text->firstLine[number]; }

private:
  const Session &session;
  attribution::ProgramMatch rows;
  std::shared_ptr<const ModuleText> text;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_OPNUMBERS_H
