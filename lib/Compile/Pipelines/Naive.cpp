//===- Naive.cpp - Upstream's loops ---------------------------------------===//
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
  return {getInputStage(target), getCheckStage(), getBufferStage(),
          getLoopStage(), getLLVMStage(target)};
}

Pipeline pipeline::Naive() {
  return {"naive", "upstream's loops, one op after another", getStages};
}
