//===- TargetFeatures.h - What a target's processor can do ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_TARGETFEATURES_H
#define MLIR_PROF_LIB_COMPILE_TARGETFEATURES_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/ADT/StringExtras.h"

namespace mlirprof {

/// Whether the target is said to have `name`. Features that are not named are
/// not assumed.
inline bool hasFeature(const TargetModel &target, llvm::StringRef name) {
  return llvm::any_of(llvm::split(target.features, ','),
                      [&](llvm::StringRef feature) {
                        return feature.consume_front("+") && feature == name;
                      });
}

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_TARGETFEATURES_H
