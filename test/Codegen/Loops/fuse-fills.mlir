// RUN: mlir-prof-opt --cpu-fuse-elementwise %s | FileCheck %s

// A broadcast of equal elements is a fill.

// CHECK-LABEL: @equal
// CHECK:       [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK:       [[FILL:%.*]] = linalg.fill ins([[ZERO]] : f32)
// CHECK:       linalg.matmul {{.*}} outs([[FILL]] : tensor<4x8xf32>)
// CHECK-NOT:   linalg.generic
func.func @equal(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %bias = arith.constant dense<0.0> : tensor<8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %start = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%empty : tensor<4x8xf32>)
    dimensions = [0]
  %r = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x8xf32>)
    outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// So is an op that stores a value from around it, but not one that computes with what
// was there.

// CHECK-LABEL: @around
// CHECK:       linalg.fill ins(%arg0 : f32)
// CHECK:       linalg.generic
func.func @around(%value: f32, %init: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %empty = tensor.empty() : tensor<4xf32>
  %filled = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                            iterator_types = ["parallel"]} outs(%empty : tensor<4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %value : f32
  } -> tensor<4xf32>
  %twice = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                           iterator_types = ["parallel"]} outs(%init : tensor<4xf32>) {
  ^bb0(%out: f32):
    %sum = arith.addf %out, %out : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %filled, %twice : tensor<4xf32>, tensor<4xf32>
}
