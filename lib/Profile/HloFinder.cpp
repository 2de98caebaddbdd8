//===- HloFinder.cpp - The HLO instruction of an op key -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/HloFinder.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

HloFinder::Found HloFinder::find(const OpKey &key) {
  const auto *details = key.getIf<HloInstructionKey>();
  if (!details)
    return {};
  const HloModule *module =
      modules.find(details->getModule(), details->programId);
  if (!module)
    return {};
  std::unique_ptr<HloIndex> &index = indices[module];
  if (!index)
    index = std::make_unique<HloIndex>(*module);
  uint32_t instruction = index->find(key.op);
  if (instruction == kNone)
    return {};
  return {index.get(), instruction};
}
