//===- Features.h - Processors that can run a library -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_FEATURES_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_FEATURES_H

#include "mlir-prof/Codegen/Target.h"

namespace mlirprof::compile {

/// The set of instructions that code for `target` may use, by the bits of
/// PROF_MODEL_FEATURES.
uint64_t getFeatures(const codegen::TargetModel &target);

/// The names of those of `features` that this machine lacks, for people; "" if
/// it has all of them.
std::string describeMissing(uint64_t features);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_FEATURES_H
