//===- QuantizedOps.h - Ops on integers with a scale ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of tosa ops that the converter of TensorFlow Lite makes of one of its
// ops, and whose arithmetic differs from that op's. They are brought into the
// form that computes what TensorFlow Lite Micro does.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_QUANTIZED_QUANTIZEDOPS_H
#define MLIR_PROF_LIB_CODEGEN_QUANTIZED_QUANTIZEDOPS_H

#include "mlir/IR/Operation.h"

namespace mlirprof::codegen {

/// Replaces each bilinear tosa.resize of integers, and the tosa.rescale that
/// brings its sums back to the type and the scale of its input, by one op.
///
/// It differs from the standard's arithmetic: places are multiples of 2^-10,
/// and halves are rounded away from zero. Resizes whose sums are used otherwise
/// keep the standard's.
void lowerQuantizedResizes(mlir::Operation *root);

/// Moves the scale of each tosa.rescale before tosa.reduce_sum into the one
/// after it, so that sums of 8-bit integers are exact and rounded as one
/// number. The two scales are quotients by powers of two of a scale of 24 bits,
/// and of the inverse of one.
void mergeSumScales(mlir::Operation *root);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_QUANTIZED_QUANTIZEDOPS_H
