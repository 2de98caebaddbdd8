//===- SourceChains.h - Call chains of ops ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_SOURCECHAINS_H
#define MLIR_PROF_MODULE_SOURCECHAINS_H

#include "mlir-prof/Profile/SourceChains.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::module {

/// Reads the locations of `root` and all ops in it, in pre-order. In a fused
/// location, the first part with a source position counts; chains of more than
/// 256 frames lose their outermost ones.
profile::SourceChains collectSourceChains(mlir::Operation *root);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_SOURCECHAINS_H
