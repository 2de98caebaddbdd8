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
