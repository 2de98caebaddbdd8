//===- Passes.h - Passes of the optimizer for other drivers -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_PASSES_H
#define MLIR_PROF_OPTIMIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace mlirprof::optimize {

/// How far prof-pgo-pipeline goes.
enum class PgoStage : uint8_t {
  /// The profile stands on locations; the code does not change.
  Annotated,
  /// Versions, packed constants and other mathematics are in the module
  /// (StageForm::Prepared).
  Prepared,
  /// The LLVM dialect.
  LLVM,
};

#define GEN_PASS_DECL
#include "mlir-prof/Optimize/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mlir-prof/Optimize/Passes.h.inc"

/// Options of the pipeline `prof-pgo-pipeline`.
struct PgoPipelineOptions {
  /// Recording or *.mlprof file.
  std::string profile;
  /// File of decisions by `mlir-prof optimize`.
  std::string decisions;
  PgoStage until = PgoStage::Annotated;
  unsigned threads = 1;
  /// Without it the pipeline is empty.
  bool enableProfile = true;
};

/// Builds the pipeline that a compiler runs early to use a profile and the
/// decisions made with one. It carries the profile on locations. Beyond that
/// stage it takes decisions from the file, and for an op without one, the
/// choices for which the profile itself is reason enough
/// (Technique::isTrusted); then it goes on like the default pipeline. `onError`
/// gets the faults of the options.
llvm::LogicalResult buildPgoPipeline(
    mlir::OpPassManager &manager, const PgoPipelineOptions &options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError);

/// Makes `prof-pgo-pipeline` known to pass pipelines of this process, and
/// `prof-write-schedule`: the transform script for a prepared module, and the
/// names that it looks for. A second call does nothing.
void registerOptimizePasses();

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_PASSES_H
