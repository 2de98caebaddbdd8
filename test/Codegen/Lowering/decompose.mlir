// RUN: %mlir-prof-opt %s --cpu-decompose | FileCheck %s

// The largest of a row, what lies below it as powers of e, their sum, the parts.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maxnumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.divf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pack
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad %arg0 low[0, 0] high[2, 0]
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 4, 8]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
func.func @pack(%x: tensor<6x8xf32>, %p: f32) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<2x8x4xf32>
  %s = linalg.pack %x padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<6x8xf32> -> tensor<2x8x4xf32>
  return %s : tensor<2x8x4xf32>
}

// A pad that takes elements away reads a part.
// CHECK-LABEL: func.func @crop
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<?xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][0, 1] [3, 7] [1, 1]
// CHECK: tensor.pad %[[PART]] low[1, 0] high[0, 2]
// CHECK: %[[REST:.*]] = affine.apply #{{.*}}()[%{{.*}}]
// CHECK: %[[END:.*]] = tensor.extract_slice %[[S]][3] [%[[REST]]] [1]
// CHECK: tensor.pad %[[END]] low[0] high[1]
func.func @crop(%x: tensor<4x8xf32>, %s: tensor<?xf32>, %p: f32) -> (tensor<4x9xf32>, tensor<?xf32>) {
  %0 = tensor.pad %x low[1, -1] high[-1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<4x8xf32> to tensor<4x9xf32>
  %1 = tensor.pad %s low[-3] high[1] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0, %1 : tensor<4x9xf32>, tensor<?xf32>
}
