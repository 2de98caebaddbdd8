//===- Version.cpp - Versions of the program ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Version.h"
#include "llvm/Config/llvm-config.h"

using namespace mlirprof;

llvm::StringRef mlirprof::getVersion() { return MLIRPROF_VERSION; }

llvm::StringRef mlirprof::getLLVMVersion() { return LLVM_VERSION_STRING; }
