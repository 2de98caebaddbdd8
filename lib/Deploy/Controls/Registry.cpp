//===- Registry.cpp - All controls ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Controls.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

llvm::ArrayRef<Control> deploy::getControls() {
  static const Control controls[] = {
#define MLIRPROF_CONTROL(NAME) control::NAME(),
#include "Controls.def"
  };
  return controls;
}
