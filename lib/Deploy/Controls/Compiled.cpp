//===- Compiled.cpp - A host side that is code ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Controls.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

static llvm::Error apply(DeployedModel &model) {
  model.exported.push_back(model.name);
  return llvm::Error::success();
}

Control control::Compiled() {
  return {"compiled", "machine code", /*needsGraph=*/false, apply};
}
