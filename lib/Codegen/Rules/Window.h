//===- Window.h - Pixels that neighbors have in common ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_RULES_WINDOW_H
#define MLIR_PROF_LIB_CODEGEN_RULES_WINDOW_H

#include "../Nest/Plan.h"

namespace mlirprof::codegen {

/// How the pixels that a block of rows reads move: by `step` with each row, and
/// by `slide` with each of `taps` filter positions of the loop `dim`.
struct Window {
  unsigned dim = 0;
  int64_t step = 1, slide = 1, taps = 1;

  int64_t countPixels(int64_t rows) const {
    return std::min((rows - 1) * step + (taps - 1) * slide + 1, rows * taps);
  }
};

/// The filter loop along which neighbors in the row loop `rowDim` read common
/// pixels of the operand `image`; none if there is no such loop.
std::optional<Window> findWindow(mlir::linalg::LinalgOp op,
                                 const NestFacts &facts,
                                 std::optional<unsigned> rowDim,
                                 unsigned image = 0);

/// A block of at most `most` of `size` rows: equal ones, or somewhat fewer if
/// that leaves no rest, which would be more code.
int64_t getRowBlock(int64_t size, int64_t most);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_RULES_WINDOW_H
