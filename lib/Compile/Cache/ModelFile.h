//===- ModelFile.h - Compiled models as bytes -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H
#define MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H

#include "llvm/ADT/StringRef.h"

namespace mlirprof::compile {

/// The first bytes of a file, another one for each form.
inline constexpr llvm::StringLiteral kModelMagic = "MLPMODL6";
/// Mapped files begin at multiples of it. Whoever loads the model copies
/// constants of greater alignment.
inline constexpr uint64_t kFileAlignment = 4096;
/// The greatest alignment of a constant; LLVM's limit.
inline constexpr uint64_t kMostAlignment = uint64_t(1) << 32;

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_CACHE_MODELFILE_H
