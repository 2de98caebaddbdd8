//===- HloStructure.h - Identifying HLO instructions ------------*- C++ -*-===//
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

/// A hash of the computation of instruction `index`: opcode, shapes, fused
/// instructions, and the shapes of its operands; without names and ids, which
/// change with each compilation.
std::string hashStructure(const profile::HloIndex &module, uint32_t index);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_HLOSTRUCTURE_H
