// RUN: %mlir-prof-opt %s --cpu-lower-tosa | FileCheck %s

// CHECK-LABEL: func.func @add
// CHECK-NOT: tosa.
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.addf
func.func @add(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Divisions by the size of a window are in 32 bits.

// CHECK-LABEL: func.func @average
// CHECK:         arith.divui {{.*}} : i32
// CHECK:         arith.remui {{.*}} : i32
// CHECK:         arith.divui {{.*}} : i32
// CHECK-NOT:     div{{.*}} i64
// CHECK:         return
func.func @average(%x: tensor<1x9x9x4xi8>) -> tensor<1x5x5x4xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %zero, %zero {acc_type = i32, kernel = array<i64: 3, 3>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>}
      : (tensor<1x9x9x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x4xi8>
  return %0 : tensor<1x5x5x4xi8>
}
