// Tensors whose elements a body picks at sums of its indices become inputs.

// RUN: %mlir-prof-opt %s --prof-lift-extracts --split-input-file | FileCheck %s

// CHECK-DAG: #[[BACK:.*]] = affine_map<(d0, d1) -> (-d0 + 4, d1)>
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: %[[X:.*]]: tensor<5x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[BACK]], #{{.*}}]
// CHECK-SAME: ins(%[[X]] : tensor<5x3xf32>)
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NOT: tensor.extract
// CHECK: linalg.yield %[[ELEMENT]]
func.func @reverse(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %x[%back, %j] : tensor<5x3xf32>
    linalg.yield %v : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// A constant that is only copied is copied here: 1 2 3 / 4 5 6 becomes
// 4 1 / 5 2 / 6 3 as bytes.

// CHECK-LABEL: func.func @constant
// CHECK: %[[COPY:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<3x2xi8>
// CHECK: return %[[COPY]]
// CHECK: [[NAME]]: "0x40000000040105020603"
func.func @constant() -> tensor<3x2xi8> {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<3x2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<3x2xi8>) {
  ^bb0(%o: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %c1, %j : index
    %v = tensor.extract %t[%back, %i] : tensor<2x3xi8>
    linalg.yield %v : i8
  } -> tensor<3x2xi8>
  return %r : tensor<3x2xi8>
}

// -----

// Places in a table that the data say, places behind the end, and a part of a
// tensor, which no map says, stay.

// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-3: tensor.extract
func.func @elsewhere(%x: tensor<5xf32>, %at: tensor<5xindex>, %long: tensor<9xf32>)
    -> tensor<5xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%at : tensor<5xindex>) outs(%e : tensor<5xf32>) {
  ^bb0(%p: index, %o: f32):
    %i = linalg.index 0 : index
    %next = arith.addi %i, %c1 : index
    %u = tensor.extract %x[%p] : tensor<5xf32>
    %v = tensor.extract %x[%next] : tensor<5xf32>
    %w = tensor.extract %long[%i] : tensor<9xf32>
    %s = arith.addf %u, %v : f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
