//===- Registry.cpp - Finding a pipeline ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"
#include "Stages.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

llvm::ArrayRef<Pipeline> compile::getPipelines() {
  static const Pipeline pipelines[] = {
#define MLIRPROF_PIPELINE(NAME) pipeline::NAME(),
#include "Pipelines.def"
  };
  return pipelines;
}

llvm::Expected<std::vector<PipelineStage>>
compile::resolvePipeline(llvm::StringRef text, const TargetModel &target) {
  for (const Pipeline &pipeline : getPipelines())
    if (pipeline.name == text.trim())
      return pipeline.getStages(target);
  if (text.ends_with(".mlir"))
    return getTransformStages(text, target);
  return getTextualStages(text, target);
}

bool compile::formsKernels(llvm::StringRef text, const TargetModel &target) {
  return llvm::any_of(getPipelines(), [&](const Pipeline &pipeline) {
    return pipeline.name == text.trim() &&
           llvm::any_of(pipeline.getStages(target),
                        [](const PipelineStage &stage) {
                          return stage.form == StageForm::Dispatched;
                        });
  });
}
