//===- SpreadImages.h - Convolutions of images among zeros ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CONVOLUTION_SPREADIMAGES_H
#define MLIR_PROF_LIB_CODEGEN_CONVOLUTION_SPREADIMAGES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlirprof::codegen {

/// Every Sth pixel of the result along one dimension.
struct ConvolutionPart {
  int64_t first = 0;
  int64_t count = 0;
  /// The places of the filter that meet pixels of the image.
  int64_t tap = 0;
  int64_t taps = 0;
  /// The pixel that the first of them meets for the first result; below 0 or
  /// behind the last one there are zeros.
  int64_t pixel = 0;
};

/// Where a dimension of space is in the shapes of the image, the filter and the
/// result.
struct ConvolutionSpace {
  unsigned inImage = 0, inFilter = 0, inResult = 0;
};

/// A dimension of space of a transposed convolution.
struct SpreadSpace : ConvolutionSpace {
  int64_t stride = 1;
  llvm::SmallVector<ConvolutionPart> parts;
  /// Zeros around the image, for all parts.
  int64_t low = 0, high = 0;
};

/// What a convolution of an image whose pixels were spread into zeros is of.
struct TransposedConvolution {
  mlir::Value image;
  llvm::SmallVector<SpreadSpace> spaces;
};

/// What `op` is, where it is such a convolution and leaving out the zeros
/// changes nothing but what infinities and NaN in the filter would make of
/// them, and signs of zeros (-0.0 and a product of zero are 0.0); none where it
/// is another op, or has too many parts.
std::optional<TransposedConvolution>
findTransposedConvolution(mlir::linalg::LinalgOp op);

/// A dimension of space with a single pixel.
struct PixelSpace : ConvolutionSpace {
  /// The place of the filter that meets the pixel for the first result; for
  /// each further result it is the one before.
  int64_t tap = 0;
};

/// A convolution of an image of one pixel among zeros.
struct PixelConvolution {
  mlir::Value image;
  llvm::SmallVector<PixelSpace> spaces;
};

/// What `op` is, where it is such a convolution, all of whose results meet the
/// pixel, under the conditions of findTransposedConvolution.
std::optional<PixelConvolution> findPixelConvolution(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONVOLUTION_SPREADIMAGES_H
