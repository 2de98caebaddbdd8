//===- Json.cpp - The JSON form -------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XPlane.h"
#include "mlir-prof/Support/Error.h"
using namespace mlirprof;
bool xplane::detectJson(llvm::StringRef bytes) { return false; }
llvm::Error xplane::readJson(llvm::StringRef bytes, llvm::StringRef where,
                             ProfileBuilder &builder) {
  return llvm::Error::success();
}
