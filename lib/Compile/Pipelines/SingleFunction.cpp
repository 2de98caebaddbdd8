//===- SingleFunction.cpp - A model as one function -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"
#include "Stages.h"

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

static std::vector<PipelineStage> getStages(const TargetModel &target) {
  return {getInputStage(target),
          getPreparationStage(target),
          getPublicStage(target),
          getTiledStage(target),
          getBufferStage(),
          getVectorLoopStage(target),
          getContractedLLVMStage(target)};
}

Pipeline pipeline::SingleFunction() {
  return {"single-function",
          "the same rules on the whole model at once; parallel by OpenMP",
          getStages};
}
