//===- ProbeScope.h - The ops that get probes ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_PROBESCOPE_H
#define MLIR_PROF_TRANSFORMS_PROBESCOPE_H

#include "llvm/ADT/StringRef.h"

namespace mlirprof::transforms {

/// The values of the option `scope` of prof-instrument, for messages.
inline constexpr llvm::StringLiteral kProbeScopes =
    "op, siblings, depth:N, height:N or all";
/// Whether `text` is one of them.
bool isProbeScope(llvm::StringRef text);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_PROBESCOPE_H
