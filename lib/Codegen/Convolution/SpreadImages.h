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
  /// The filter positions that meet pixels of the image.
  int64_t tap = 0;
  int64_t taps = 0;
  /// The pixel that the first of them meets for the first result; positions
  /// below 0 or past the last pixel are zeros.
  int64_t pixel = 0;
};

/// The position of a spatial dimension in the shapes of the image, the filter
/// and the result.
struct ConvolutionSpace {
  unsigned inImage = 0, inFilter = 0, inResult = 0;
};

/// A spatial dimension of a transposed convolution.
struct SpreadSpace : ConvolutionSpace {
  int64_t stride = 1;
  llvm::SmallVector<ConvolutionPart> parts;
  /// Zero padding of the image that covers all parts.
  int64_t low = 0, high = 0;
};

/// A convolution of an image whose pixels were spread into zeros.
struct TransposedConvolution {
  mlir::Value image;
  llvm::SmallVector<SpreadSpace> spaces;
};

/// Matches such a convolution, provided that omitting the zeros changes only
/// the NaN that infinities and NaN in the filter would produce with them, and
/// signs of zeros (-0.0 and a product of zero are 0.0). None if `op` is another
/// op, or has too many parts.
std::optional<TransposedConvolution>
findTransposedConvolution(mlir::linalg::LinalgOp op);

/// A spatial dimension with a single pixel.
struct PixelSpace : ConvolutionSpace {
  /// The filter position that meets the pixel for the first result; each
  /// further result uses the position before.
  int64_t tap = 0;
};

/// A convolution of a one-pixel image among zeros.
struct PixelConvolution {
  mlir::Value image;
  llvm::SmallVector<PixelSpace> spaces;
};

/// Matches such a convolution, all of whose results meet the pixel, under the
/// conditions of findTransposedConvolution. None for other ops.
std::optional<PixelConvolution> findPixelConvolution(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONVOLUTION_SPREADIMAGES_H
