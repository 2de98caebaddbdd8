//===- Schedule.h - Schedules that replay in stock mlir-opt -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a script of the transform dialect for a prepared module (linalg on
// tensors, see StageForm::Prepared) that tiles and vectorizes its ops, with the
// tiles that the rules of the default pipeline choose. Both files are for
// mlir-opt 22 without a plugin:
//
//   tagForSchedule(module, target)    // model.opt.mlir
//   writeSchedule(module, target, os) // model.schedule.mlir
//   getReplayCommand(...)             // and how to bring them together
//
// An op that the script cannot vectorize is not changed and becomes loops over
// scalars. So do functions such as exp, which call the C library, since
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

/// The attribute of an op that the script looks for: the name of its schedule,
/// "s3". Ops with equal schedules share a name.
inline constexpr llvm::StringLiteral kScheduleAttribute = "mlirprof.schedule";

struct ScheduleReport {
  /// Number of structured ops that the script vectorizes, alone or within the
  /// loops of another one.
  unsigned scheduled = 0;
  /// Number of structured ops that become loops over scalars.
  unsigned left = 0;
  /// The reasons, one line each: "3 x linalg.generic: calls functions".
  std::vector<std::string> reasons;
};

/// Gives the structured ops of `prepared` the names of their schedules.
/// Rewrites products whose constants are packed in panels with a loop over the
/// panels, which upstream's vectorizer needs; the results are the same.
ScheduleReport tagForSchedule(mlir::ModuleOp prepared,
                              const codegen::TargetModel &target);

/// Writes the script for `tagged`, as tagForSchedule left it.
llvm::Error writeSchedule(mlir::ModuleOp tagged,
                          const codegen::TargetModel &target,
                          llvm::raw_ostream &os);

/// The command line, quoted for a POSIX shell, that applies the file `script`
/// to the file `model`, lowers the result to the LLVM dialect and writes it to
/// standard output. Fails if the path of the script has a character that
/// options of passes do not support (a space, a comma, a quote, a bracket or a
/// brace).
llvm::Expected<std::string>
getReplayCommand(llvm::StringRef model, llvm::StringRef script,
                 const codegen::TargetModel &target);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SCHEDULE_H
