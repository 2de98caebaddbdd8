//===- Expansion.h - Putting layers back ---------------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_REPEATS_EXPANSION_H
#define MLIR_PROF_LIB_COMPILE_REPEATS_EXPANSION_H

#include "Copies.h"
#include "mlir-prof/Codegen/ConstantScope.h"

namespace mlirprof::compile {

/// Puts the copies that were removed into `block`, which passes have made of
/// those that stayed. Fails if they do not follow from these; the block may be
/// half done then.
llvm::LogicalResult expandCopies(mlir::Block &block, const Copies &copies,
                                 codegen::ConstantScope &constants);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_REPEATS_EXPANSION_H
