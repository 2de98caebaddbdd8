//===- MemoryFunctions.h - memcpy and its like for packages -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_MEMORYFUNCTIONS_H
#define MLIR_PROF_LIB_DEPLOY_MEMORYFUNCTIONS_H

#include <string>

namespace mlirprof::deploy {

/// memcpy, memmove and memset in LLVM's assembly, for packages that do not get
/// them from a program: words at a time where all is aligned.
std::string writeMemoryFunctions(unsigned addressBits);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_MEMORYFUNCTIONS_H
