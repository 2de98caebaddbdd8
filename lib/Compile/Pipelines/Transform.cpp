//===- Transform.cpp - A schedule of the transform dialect ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"
#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

llvm::Expected<std::vector<PipelineStage>>
compile::getTransformStages(StringRef path, const TargetModel &target) {
  if (!llvm::sys::fs::exists(path))
    return inputError(path, "there is no such file",
                      "A pipeline that ends in .mlir is a file with a schedule "
                      "of the transform dialect.");
  std::vector<PipelineStage> stages = pipeline::Naive().getStages(target);
  // After the input stage, so that schedules see linalg.
  auto at =
      stages.insert(stages.begin() + 1,
                    {"custom", [file = path.str()](OpPassManager &manager) {
                       manager.addPass(createApplySchedulePass({file}));
                       return llvm::Error::success();
                     }});
  // A schedule may create ops that this stage decomposes (such as packs).
  stages.insert(std::next(at), getLeftoverStage());
  return stages;
}
