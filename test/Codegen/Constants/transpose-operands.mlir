// RUN: %mlir-prof-opt %s --cpu-transpose-operands | FileCheck %s

// Weights that are stored by columns are transposed once before the product.
// CHECK-LABEL: func.func @product
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg1 : tensor<48x32xf32>) outs(%{{.*}} : tensor<32x48xf32>) permutation = [1, 0]
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[T]] : tensor<64x32xf32>, tensor<32x48xf32>)
func.func @product(%x: tensor<64x32xf32>, %w: tensor<48x32xf32>, %e: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x32xf32>, tensor<48x32xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// Constants are transposed here: 1 4 / 2 5 / 3 6.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: linalg.transpose
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
func.func @constant(%x: tensor<64x3xf32>, %e: tensor<64x2xf32>) -> tensor<64x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x3xf32>, tensor<2x3xf32>) outs(%e : tensor<64x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x2xf32>
  return %r : tensor<64x2xf32>
}
