//===- CopyBox.h - Elements of constants in another order -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CONSTANTS_COPYBOX_H
#define MLIR_PROF_LIB_CODEGEN_CONSTANTS_COPYBOX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace mlirprof::codegen {

/// Calls `work(begin, end)` for parts of 0 to `count`, on all processors if the
/// parts together touch many `bytes`. Models have up to gigabytes of constants.
void forParts(int64_t count, int64_t bytes,
              llvm::function_ref<void(int64_t, int64_t)> work);

/// Copies the elements of a box of `sizes`, of `bytes` each; strides are in
/// elements, and the last one of the target is 1.
void copyBox(const char *source, llvm::ArrayRef<int64_t> sizes,
             llvm::ArrayRef<int64_t> sourceStrides,
             llvm::ArrayRef<int64_t> targetStrides, unsigned bytes,
             char *target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONSTANTS_COPYBOX_H
