//===- BitsAsBytes.h - Constants of i1 by other versions of MLIR *- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_BITSASBYTES_H
#define MLIR_PROF_LIB_MODULE_BITSASBYTES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::module {

/// Versions of MLIR differ in the hexadecimal form of `dense` constants of i1:
/// some write a byte for each element, while this one expects a bit. Returns
/// `text`, a module, with bits in place of bytes of 0 and 1, and spaces behind
/// them, so that all places stay; "" if there is nothing to change.
std::string packBits(llvm::StringRef text);

} // namespace mlirprof::module

#endif // MLIR_PROF_LIB_MODULE_BITSASBYTES_H
