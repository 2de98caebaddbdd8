// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-pack-weights{vector-bits=128 vector-registers=16})' | FileCheck %s

// Panels of two vectors of four columns; the third panel has four columns of the
// weights and four of zeros: 1 2 ... 8 of the first row, 21 ... 28 of the second.
// CHECK: affine_map<(d0, d1, d2) -> (d1 floordiv 8, d2, d1 mod 8)>
// CHECK-LABEL: func.func @product
// CHECK: %[[W:.*]] = arith.constant dense_resource<packed> : tensor<3x3x8xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[W]] : tensor<4x3xf32>, tensor<3x3x8xf32>)
func.func @product(%x: tensor<4x3xf32>) -> tensor<4x20xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0],
   [21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0],
   [41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0]]> : tensor<3x20xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x20xf32>) -> tensor<4x20xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x20xf32>) outs(%f : tensor<4x20xf32>) -> tensor<4x20xf32>
  return %r : tensor<4x20xf32>
}

// A product that nobody uses does not count: with its four rows, both would get
// panels of two vectors.
// CHECK-LABEL: func.func @unused
// CHECK: arith.constant dense_resource<{{.*}}> : tensor<2x2x16xf32>
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return

// The constants of both.
// CHECK: packed: "0x400000000000803F0000004000004040000080400000A0400000C0400000E040000000410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E041
// CHECK-SAME: 00000000000000000000000000000000"
func.func @unused(%x: tensor<4x2xf32>, %y: tensor<1x2xf32>, %e: tensor<4x20xf32>, %f: tensor<1x20xf32>) -> tensor<1x20xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0],
   [21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0]]> : tensor<2x20xf32>
  %unused = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x20xf32>) outs(%e : tensor<4x20xf32>) -> tensor<4x20xf32>
  %alone = linalg.matmul ins(%y, %w : tensor<1x2xf32>, tensor<2x20xf32>) outs(%f : tensor<1x20xf32>) -> tensor<1x20xf32>
  return %alone : tensor<1x20xf32>
}
