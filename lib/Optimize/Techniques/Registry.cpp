//===- Registry.cpp - Finding a technique ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::optimize;

llvm::ArrayRef<Technique> optimize::getTechniques() {
  static const Technique techniques[] = {
#define MLIRPROF_TECHNIQUE(NAME) technique::NAME(),
#include "Techniques.def"
  };
  return techniques;
}

const Technique *optimize::findTechnique(llvm::StringRef name) {
  const Technique *found =
      llvm::find_if(getTechniques(), [&](const Technique &technique) {
        return technique.name == name;
      });
  return found == getTechniques().end() ? nullptr : found;
}
