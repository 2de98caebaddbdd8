// A convolution of an image that was spread into zeros becomes one for every
// second (third) pixel of the result, of the image as it was.

// RUN: %mlir-prof-opt %s --prof-transposed-convolutions --split-input-file \
// RUN:   | FileCheck %s

// Pixel 2i of the result reads tap 1, pixel 2i + 1 taps 0 and 2.

// CHECK-LABEL: func.func @apart
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x5xf32>, %[[K:.*]]: tensor<4x3x3xf32>)
// CHECK: linalg.fill {{.*}} -> tensor<1x4x9xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x4x9xf32>
// CHECK: %[[INIT:.*]] = linalg.fill {{.*}} -> tensor<1x4x5xf32>
// CHECK: %[[WINDOW:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 5] [1, 1, 1]
// CHECK: %[[TAPS:.*]] = tensor.extract_slice %[[K]][0, 0, 1] [4, 3, 1] [1, 1, 2]
// CHECK: %[[EVEN:.*]] = linalg.conv_1d_ncw_fcw
// CHECK-SAME: ins(%[[WINDOW]], %[[TAPS]] : tensor<1x3x5xf32>, tensor<4x3x1xf32>)
// CHECK-SAME: outs(%[[INIT]]
// CHECK: %[[HALF:.*]] = tensor.insert_slice %[[EVEN]] into %[[EMPTY]][0, 0, 0] [1, 4, 5] [1, 1, 2]
// CHECK: tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 5] [1, 1, 1]
// CHECK: tensor.extract_slice %[[K]][0, 0, 0] [4, 3, 2] [1, 1, 2]
// CHECK: %[[ODD:.*]] = linalg.conv_1d_ncw_fcw
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %[[ODD]] into %[[HALF]][0, 0, 1] [1, 4, 4] [1, 1, 2]
// CHECK: return %[[WHOLE]]
func.func @apart(%x: tensor<1x3x5xf32>, %k: tensor<4x3x3xf32>) -> tensor<1x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %f = tensor.empty() : tensor<1x4x9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x11xf32>, tensor<4x3x3xf32>)
      outs(%init : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  return %y : tensor<1x4x9xf32>
}

// -----

// The outer taps meet the zeros around the image.

// CHECK-LABEL: func.func @around
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 1]
// CHECK: tensor.extract_slice %[[PADDED]][0, 0, 0] [1, 3, 6] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 3, 2] [1, 1, 2]
// CHECK: tensor.extract_slice %[[PADDED]][0, 0, 1] [1, 3, 6] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 1] [4, 3, 2] [1, 1, 2]
func.func @around(%x: tensor<1x3x5xf32>, %k: tensor<4x3x4xf32>, %init: tensor<1x4x10xf32>)
    -> tensor<1x4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x13xf32>) -> tensor<1x3x13xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x13xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x13xf32>, tensor<4x3x4xf32>)
      outs(%init : tensor<1x4x10xf32>) -> tensor<1x4x10xf32>
  return %y : tensor<1x4x10xf32>
}

// -----

// Two taps three apart: every third pixel is what it began with.

// CHECK-LABEL: func.func @gaps
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<4x14x6xf32>)
// CHECK-COUNT-2: linalg.conv_1d_nwc_wcf
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[BIAS]][0, 2, 0] [4, 4, 6] [1, 3, 1]
// CHECK: tensor.insert_slice %[[LEFT]] into {{.*}}[0, 2, 0] [4, 4, 6] [1, 3, 1]
// CHECK-NOT: linalg.conv
func.func @gaps(%x: tensor<4x5x3xf32>, %k: tensor<2x3x6xf32>, %bias: tensor<4x14x6xf32>)
    -> tensor<4x14x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x15x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x15x3xf32>) -> tensor<4x15x3xf32>
  %p = tensor.insert_slice %x into %zeros[0, 1, 0] [4, 5, 3] [1, 3, 1]
      : tensor<4x5x3xf32> into tensor<4x15x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%p, %k : tensor<4x15x3xf32>, tensor<2x3x6xf32>)
      outs(%bias : tensor<4x14x6xf32>) -> tensor<4x14x6xf32>
  return %y : tensor<4x14x6xf32>
}

// -----

// Ones are no zeros, and a maximum is no sum.

// CHECK-LABEL: func.func @ones
// CHECK: linalg.conv_1d_ncw_fcw
// CHECK-SAME: tensor<1x3x11xf32>
// CHECK: linalg.pooling_ncw_max
// CHECK-SAME: tensor<1x3x11xf32>
func.func @ones(%x: tensor<1x3x5xf32>, %k: tensor<4x3x3xf32>, %init: tensor<1x4x9xf32>,
                %low: tensor<1x3x9xf32>) -> (tensor<1x4x9xf32>, tensor<1x3x9xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x11xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %p = tensor.insert_slice %x into %ones[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %q = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x11xf32>, tensor<4x3x3xf32>)
      outs(%init : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  %window = tensor.empty() : tensor<3xf32>
  %m = linalg.pooling_ncw_max ins(%q, %window : tensor<1x3x11xf32>, tensor<3xf32>)
      outs(%low : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
  return %y, %m : tensor<1x4x9xf32>, tensor<1x3x9xf32>
}
