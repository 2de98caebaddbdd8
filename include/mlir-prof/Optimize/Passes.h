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

/// The last stage of prof-pgo-pipeline.
enum class PgoStage : uint8_t {
  /// Locations carry the profile; the code does not change.
  Annotated,
  /// The module has versions, packed constants and approximated math functions
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
/// decisions made with one. It puts the profile on locations. For later stages
/// it applies the decisions in the file, and for ops without a decision the
/// choices that the profile alone justifies (Technique::isTrusted); then it
/// continues like the pipeline `single-function`. `onError` receives errors in
/// the options.
llvm::LogicalResult buildPgoPipeline(
    mlir::OpPassManager &manager, const PgoPipelineOptions &options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError);

/// Registers `prof-pgo-pipeline`, and `prof-write-schedule`, which writes the
/// transform script for a prepared module and gives its ops the names that the
/// script looks for. A second call does not do anything.
void registerOptimizePasses();

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_PASSES_H
