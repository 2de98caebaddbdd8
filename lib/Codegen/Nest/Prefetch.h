//===- Prefetch.h - Weights on their way before they are needed -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_PREFETCH_H
#define MLIR_PROF_LIB_CODEGEN_NEST_PREFETCH_H

#include "Operands.h"

namespace mlirprof::codegen {

/// Fetches the panels of a packed operand one panel ahead.
class PanelPrefetcher {
public:
  /// `sizes` are the sizes of all loops of the nest.
  PanelPrefetcher(const NestPlan &plan, llvm::ArrayRef<int64_t> sizes);

  /// Whether the panels of `operand` are worth it.
  bool isFor(const NestOperand &operand) const;

  /// In the innermost loop of a reduction: fetches the part of the next panel
  /// that belongs to `position`, so that all iterations over one panel together
  /// fetch the next one.
  void fetch(mlir::OpBuilder &builder, mlir::Location location,
             const NestOperand &operand, const NestPosition &position) const;

private:
  const NestPlan &plan;
  llvm::SmallVector<int64_t> sizes;
  /// The points of the loops inside of the loop over panels; 0 if unknown.
  int64_t points = 1;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_PREFETCH_H
