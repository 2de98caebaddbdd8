//===- Registry.cpp - All containers --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Containers.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

llvm::ArrayRef<Container> deploy::getContainers() {
  static const Container containers[] = {
#define MLIRPROF_CONTAINER(NAME) container::NAME(),
#include "Containers.def"
  };
  return containers;
}
