//===- Schedule.h - Schedules that replay in stock mlir-opt -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prepared module (linalg on tensors, see prepareModel) and a script of the
// transform dialect that makes tiled loops of vectors of its ops, with the
// tiles that the rules of the default pipeline choose. Both are for mlir-opt 22
// without a plugin:
//
//   tagForSchedule(module, target)    // model.opt.mlir
//   writeSchedule(module, target, os) // model.schedule.mlir
//   getReplayCommand(...)             // and how to bring them together
//
// An op that the script cannot make vectors of stays as it is and becomes loops
// over scalars, as do functions such as exp, which call the C library:
// polynomials belong to the default pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_SCHEDULE_H
#define MLIR_PROF_OPTIMIZE_SCHEDULE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlirprof::codegen {
struct TargetModel;
} // namespace mlirprof::codegen

namespace mlirprof::optimize {

/// On an op that the script looks for: the name of its schedule, "s3". Ops with
/// equal schedules share it.
inline constexpr llvm::StringLiteral kScheduleAttribute = "mlirprof.schedule";

struct ScheduleReport {
  /// Structured ops that the script makes vectors of, alone or as a part of
  /// another one's loops.
  unsigned scheduled = 0;
  /// Structured ops that become loops over scalars.
  unsigned left = 0;
  /// Why, one line for each reason: "3 x linalg.generic: calls functions".
  std::vector<std::string> reasons;
};

/// Gives the structured ops of `prepared` the names of their schedules.
/// Products whose constants lie in panels are shown with a loop over the
/// panels, which upstream's vectorizer needs; the numbers are the same.
ScheduleReport tagForSchedule(mlir::ModuleOp prepared,
                              const codegen::TargetModel &target);

/// Writes the script for `tagged`, which tagForSchedule has seen and nothing
/// has changed since.
llvm::Error writeSchedule(mlir::ModuleOp tagged,
                          const codegen::TargetModel &target,
                          llvm::raw_ostream &os);

/// The command line, quoted for a POSIX shell, that applies the file `script`
/// to the file `model` and goes on to the LLVM dialect, on stdout. Scripts that
/// the options of passes cannot hold (with a space, a comma, a quote, a bracket
/// or a brace in their path) are an error.
llvm::Expected<std::string>
getReplayCommand(llvm::StringRef model, llvm::StringRef script,
                 const codegen::TargetModel &target);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SCHEDULE_H
