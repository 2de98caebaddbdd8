//===- HloStructure.h - Knowing an HLO instruction again --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_HLOSTRUCTURE_H
#define MLIR_PROF_LIB_DIFF_HLOSTRUCTURE_H

#include "mlir-prof/Profile/HloModule.h"

namespace mlirprof::diff {

/// What instruction `index` computes, as a hash: opcode, shapes, what is fused
/// in it, and the shapes of its operands; neither names nor ids, which each
/// compilation gives anew.
std::string hashStructure(const profile::HloIndex &module, uint32_t index);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_HLOSTRUCTURE_H
