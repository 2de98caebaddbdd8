//===- RepackArgument.h - Constants for other tiles -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_REPACKARGUMENT_H
#define MLIR_PROF_CODEGEN_REPACKARGUMENT_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/Support/MathExtras.h"
#include <optional>

namespace mlirprof::codegen {

/// The new order of the elements of a kernel's argument, which are packed into
/// panels: [outer][panels][inner][panel]. The columns, one after the other in
/// panels, are zero-padded to whole panels.
struct RepackedArgument {
  /// Its number among the kernel's arguments.
  unsigned index = 0;
  int64_t outer = 1, columns = 0, inner = 1;
  /// Columns of a panel, before and after.
  int64_t before = 1, after = 1;
  unsigned bytesPerElement = 4;

  /// The number of panels of `width` columns.
  int64_t countPanels(int64_t width) const {
    return llvm::divideCeil(columns, width);
  }
  /// The bytes of all panels after repacking.
  uint64_t getBytes() const {
    return uint64_t(outer * countPanels(after) * inner * after) *
           bytesPerElement;
  }
};

/// Makes `op`, in a kernel, read weights that are packed into panels
/// (cpu-pack-weights) from panels as wide as its choice of a tile wants. None,
/// and nothing is changed, if they are, or the weights are not packed or not
/// the kernel's argument.
std::optional<RepackedArgument> repackArgument(mlir::linalg::LinalgOp op,
                                               const TargetModel &target);

/// Copies the elements at `from` to `to`, which has room for getBytes().
void repack(const RepackedArgument &argument, const char *from, char *to);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_REPACKARGUMENT_H
