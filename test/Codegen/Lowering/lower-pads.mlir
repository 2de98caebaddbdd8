// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-lower-pads))' | FileCheck %s

// Each element is written once: borders, and the image. A row with its channels
// is one row.

// CHECK-LABEL: func @image(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x7x3xf32>
// CHECK-DAG: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1], [2, 3]] : tensor<2x5x7x3xf32> into tensor<2x5x21xf32>
// CHECK-DAG: %[[EMPTY:.*]] = tensor.empty() : tensor<2x8x30xf32>
// CHECK-NOT: linalg.fill {{.*}} -> tensor<2x8x30xf32>
// CHECK: %[[TOP:.*]] = tensor.extract_slice %[[EMPTY]][0, 0, 0] [2, 1, 30] [1, 1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[TOP]]
// CHECK: tensor.extract_slice {{.*}}[0, 6, 0] [2, 2, 30] [1, 1, 1]
// CHECK: linalg.fill
// CHECK: tensor.extract_slice {{.*}}[0, 1, 0] [2, 5, 3] [1, 1, 1]
// CHECK: linalg.fill
// CHECK: tensor.extract_slice {{.*}}[0, 1, 24] [2, 5, 6] [1, 1, 1]
// CHECK: linalg.fill
// CHECK: %[[INNER:.*]] = tensor.extract_slice {{.*}}[0, 1, 3] [2, 5, 21] [1, 1, 1]
// CHECK: linalg.copy ins(%[[ROWS]] : tensor<2x5x21xf32>) outs(%[[INNER]]
// CHECK: tensor.expand_shape {{.*}} {{\[\[}}0], [1], [2, 3]]
func.func @image(%x: tensor<2x5x7x3xf32>) -> tensor<2x8x10x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x5x7x3xf32> to tensor<2x8x10x3xf32>
  return %p : tensor<2x8x10x3xf32>
}

// -----

// Of unknown size: all is filled, and then part of it written again.

// CHECK-LABEL: func @dynamic(
// CHECK: linalg.fill {{.*}} -> tensor<?x9xf32>
// CHECK: linalg.copy
func.func @dynamic(%x: tensor<?x7xf32>) -> tensor<?x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<?x7xf32> to tensor<?x9xf32>
  return %p : tensor<?x9xf32>
}

// -----

// Rows of many channels are long enough. Another op that uses the image reads it
// from the padded tensor, so that what computes the image can be fused with the
// copy; one that comes before does not.

// CHECK-LABEL: func @shared(
// CHECK-NOT: tensor.collapse_shape
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: linalg.copy ins(%[[SUM]] : tensor<1x5x7x32xf32>)
// CHECK: %[[PADDED:.*]] = tensor.insert_slice
// CHECK: %[[READ:.*]] = tensor.extract_slice %[[PADDED]][0, 1, 1, 0] [1, 5, 7, 32] [1, 1, 1, 1]
// CHECK: linalg.mul ins(%[[READ]], %[[READ]] :
// CHECK-LABEL: func @before(
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: linalg.mul ins(%[[SUM]], %[[SUM]] :
func.func @shared(%x: tensor<1x5x7x32xf32>) -> (tensor<1x7x9x32xf32>, tensor<1x5x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x7x32xf32>
  %sum = linalg.add ins(%x, %x : tensor<1x5x7x32xf32>, tensor<1x5x7x32xf32>) outs(%e : tensor<1x5x7x32xf32>) -> tensor<1x5x7x32xf32>
  %p = tensor.pad %sum low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x5x7x32xf32> to tensor<1x7x9x32xf32>
  %square = linalg.mul ins(%sum, %sum : tensor<1x5x7x32xf32>, tensor<1x5x7x32xf32>) outs(%e : tensor<1x5x7x32xf32>) -> tensor<1x5x7x32xf32>
  return %p, %square : tensor<1x7x9x32xf32>, tensor<1x5x7x32xf32>
}
func.func @before(%x: tensor<1x5x7x32xf32>) -> (tensor<1x7x9x32xf32>, tensor<1x5x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x7x32xf32>
  %sum = linalg.add ins(%x, %x : tensor<1x5x7x32xf32>, tensor<1x5x7x32xf32>) outs(%e : tensor<1x5x7x32xf32>) -> tensor<1x5x7x32xf32>
  %square = linalg.mul ins(%sum, %sum : tensor<1x5x7x32xf32>, tensor<1x5x7x32xf32>) outs(%e : tensor<1x5x7x32xf32>) -> tensor<1x5x7x32xf32>
  %p = tensor.pad %sum low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x5x7x32xf32> to tensor<1x7x9x32xf32>
  return %p, %square : tensor<1x7x9x32xf32>, tensor<1x5x7x32xf32>
}
