//===- Version.h - Versions of the program ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_VERSION_H
#define MLIR_PROF_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace mlirprof {

/// Version of mlir-prof, "0.1.0".
llvm::StringRef getVersion();

/// Version of MLIR and LLVM used for building, "22.1.8".
llvm::StringRef getLLVMVersion();

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_VERSION_H
