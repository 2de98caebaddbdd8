// A convolution of a single pixel among zeros becomes a product with the filter
// in reverse.

// RUN: %mlir-prof-opt %s --cpu-pixel-convolutions-to-matmul --split-input-file \
// RUN:   | FileCheck %s

// Result 0 meets the pixel at place 3 of the filter, result 2 at place 1.

// CHECK-DAG: #[[REVERSE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, -d2 + 3)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[PIXEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @pixel
// CHECK-SAME: (%[[X:.*]]: tensor<5x7x1xf32>, %[[K:.*]]: tensor<4x7x4xf32>, %[[INIT:.*]]: tensor<5x4x3xf32>)
// CHECK: %[[IMAGE:.*]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<5x7xf32>
// CHECK: %[[REVERSED:.*]] = linalg.generic {indexing_maps = [#[[REVERSE]], #[[ALL]]]
// CHECK-SAME: ins(%[[K]] : tensor<4x7x4xf32>) outs(%{{.*}} : tensor<4x7x3xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[PIXEL]], #[[TAPS]], #[[RESULT]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[IMAGE]], %[[REVERSED]] : tensor<5x7xf32>, tensor<4x7x3xf32>)
// CHECK-SAME: outs(%[[INIT]] : tensor<5x4x3xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: return %[[Y]]
func.func @pixel(%x: tensor<5x7x1xf32>, %k: tensor<4x7x4xf32>, %init: tensor<5x4x3xf32>)
    -> tensor<5x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7x6xf32>) -> tensor<5x7x6xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 3] [5, 7, 1] [1, 1, 1]
      : tensor<5x7x1xf32> into tensor<5x7x6xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<5x7x6xf32>, tensor<4x7x4xf32>)
      outs(%init : tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// -----

// A constant filter is copied now: 3, 2, 1.

// CHECK-LABEL: func.func @constant
// CHECK: %[[TAPS:.*]] = arith.constant dense_resource<[[COPIED:.*]]> : tensor<1x1x3xf32>
// CHECK: linalg.generic
// CHECK-SAME: %[[TAPS]] : tensor<5x1xf32>, tensor<1x1x3xf32>
// CHECK: [[COPIED]]: "0x4000000000004040000000400000803F"
func.func @constant(%x: tensor<5x1x1xf32>, %init: tensor<5x1x3xf32>) -> tensor<5x1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %k = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %e = tensor.empty() : tensor<5x1x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<5x1x5xf32>) -> tensor<5x1x5xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 2] [5, 1, 1] [1, 1, 1]
      : tensor<5x1x1xf32> into tensor<5x1x5xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<5x1x5xf32>, tensor<1x1x3xf32>)
      outs(%init : tensor<5x1x3xf32>) -> tensor<5x1x3xf32>
  return %y : tensor<5x1x3xf32>
}

// -----

// The last result does not meet the pixel; nor is this one of two pixels.

// CHECK-LABEL: func.func @not_all
// CHECK: linalg.conv_1d_ncw_fcw
// CHECK: linalg.conv_1d_ncw_fcw
func.func @not_all(%x: tensor<5x7x1xf32>, %two: tensor<5x7x2xf32>, %k: tensor<4x7x4xf32>, %init: tensor<5x4x3xf32>)
    -> (tensor<5x4x3xf32>, tensor<5x4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7x6xf32>) -> tensor<5x7x6xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 1] [5, 7, 1] [1, 1, 1]
      : tensor<5x7x1xf32> into tensor<5x7x6xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<5x7x6xf32>, tensor<4x7x4xf32>)
      outs(%init : tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  %q = tensor.insert_slice %two into %zeros[0, 0, 2] [5, 7, 2] [1, 1, 1]
      : tensor<5x7x2xf32> into tensor<5x7x6xf32>
  %z = linalg.conv_1d_ncw_fcw ins(%q, %k : tensor<5x7x6xf32>, tensor<4x7x4xf32>)
      outs(%init : tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return %y, %z : tensor<5x4x3xf32>, tensor<5x4x3xf32>
}
