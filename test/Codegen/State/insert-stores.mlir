// RUN: %mlir-prof-opt %s --cpu-insert-stores | FileCheck %s

// Only stores of variables become insertions.

// CHECK-LABEL: func.func @store(
// CHECK-SAME: %[[X:.*]]: tensor<4x2xf32>, %[[OLD:.*]]: tensor<4x2xf32>
// CHECK: %[[NEW:.*]] = tensor.insert_slice %[[X]] into %[[OLD]][0, 0] [4, 2] [1, 1]
// CHECK: %[[OTHER:.*]] = bufferization.materialize_in_destination %[[X]] in %[[OLD]]
// CHECK: return %[[NEW]], %[[OTHER]]
func.func @store(%x: tensor<4x2xf32>, %old: tensor<4x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %new = bufferization.materialize_in_destination %x in %old {mlirprof.store}
    : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %other = bufferization.materialize_in_destination %x in %old
    : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %new, %other : tensor<4x2xf32>, tensor<4x2xf32>
}
