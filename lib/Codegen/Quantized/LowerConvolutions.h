//===- LowerConvolutions.h - Convolutions of bytes in linalg ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_QUANTIZED_LOWERCONVOLUTIONS_H
#define MLIR_PROF_LIB_CODEGEN_QUANTIZED_LOWERCONVOLUTIONS_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlirprof::codegen {

/// Lowers `op`, a convolution of bytes without a zero point and padding, if a
/// row of its window has several pixels, and at least as many numbers as
/// machines multiply at once: they follow each other in memory, and become one
/// loop.
void lowerByRows(mlir::tosa::Conv2DOp op);

/// Lowers `op`, a depthwise convolution of bytes without a zero point and
/// padding, if it has one filter for each channel. Upstream's lowering has a
/// loop over filters, whose results are reshaped, and adds the bias afterward.
void lowerDepthwise(mlir::tosa::DepthwiseConv2DOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_QUANTIZED_LOWERCONVOLUTIONS_H
