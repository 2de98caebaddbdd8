// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-simplify-products,canonicalize))' | FileCheck %s

// The weights of a batched product are copies of one matrix: the batch becomes
// a loop over rows.

// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @right(
// CHECK-SAME: %[[X:.*]]: tensor<4x6x8xf32>, %[[W:.*]]: tensor<8x10xf32>, %[[E:.*]]: tensor<4x6x10xf32>
// CHECK-NEXT: %[[P:.*]] = linalg.generic {indexing_maps = [#[[LEFT]], #[[RIGHT]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[X]], %[[W]] : {{.*}}) outs(%[[E]] : {{.*}}) attrs = {mlirprof.choice = {threads = {count = "1"}}}
// CHECK: return %[[P]]
func.func @right(%x: tensor<4x6x8xf32>, %w: tensor<8x10xf32>, %e: tensor<4x6x10xf32>) -> tensor<4x6x10xf32> {
  %f = tensor.empty() : tensor<4x8x10xf32>
  %b = linalg.broadcast ins(%w : tensor<8x10xf32>) outs(%f : tensor<4x8x10xf32>) dimensions = [0]
  %p = linalg.batch_matmul {mlirprof.choice = {threads = {count = "1"}}}
    ins(%x, %b : tensor<4x6x8xf32>, tensor<4x8x10xf32>) outs(%e : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
  return %p : tensor<4x6x10xf32>
}

// -----

// As PyTorch writes it for four dimensions: a transposed weight with a
// dimension of one element, broadcast along two, which a reshape joins. The
// transpose is read through the map as well.

// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-LABEL: func @heads(
// CHECK-SAME: %[[X:.*]]: tensor<6x5x8xf32>, %[[W:.*]]: tensor<1x10x8xf32>
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2]] : tensor<1x10x8xf32> into tensor<10x8xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[RIGHT]], #{{.*}}]
// CHECK-SAME: ins(%[[X]], %[[M]] :
#t = affine_map<(d0, d1, d2) -> (0, d2, d1)>
#u = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#r = affine_map<(d0, d1, d2, d3) -> (0, d2, d3)>
#s = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @heads(%x: tensor<6x5x8xf32>, %w: tensor<1x10x8xf32>, %e: tensor<6x5x10xf32>) -> tensor<6x5x10xf32> {
  %f = tensor.empty() : tensor<1x8x10xf32>
  %t = linalg.generic {indexing_maps = [#t, #u], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%w : tensor<1x10x8xf32>) outs(%f : tensor<1x8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x10xf32>
  %g = tensor.empty() : tensor<2x3x8x10xf32>
  %b = linalg.generic {indexing_maps = [#r, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%t : tensor<1x8x10xf32>) outs(%g : tensor<2x3x8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x8x10xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<2x3x8x10xf32> into tensor<6x8x10xf32>
  %p = linalg.batch_matmul ins(%x, %c : tensor<6x5x8xf32>, tensor<6x8x10xf32>) outs(%e : tensor<6x5x10xf32>) -> tensor<6x5x10xf32>
  return %p : tensor<6x5x10xf32>
}

// -----

// The left operand is the same for all batches, too.

// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func @left(
// CHECK: linalg.generic {indexing_maps = [#[[LEFT]], #{{.*}}, #{{.*}}]
func.func @left(%x: tensor<6x8xf32>, %w: tensor<4x8x10xf32>, %e: tensor<4x6x10xf32>) -> tensor<4x6x10xf32> {
  %f = tensor.empty() : tensor<4x6x8xf32>
  %b = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<4x6x8xf32>) dimensions = [0]
  %p = linalg.batch_matmul ins(%b, %w : tensor<4x6x8xf32>, tensor<4x8x10xf32>) outs(%e : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
  return %p : tensor<4x6x10xf32>
}

// -----

// A copy that is no broadcast stays, and so does one that a reshape mixes with
// other dimensions.

// CHECK-LABEL: func @others(
// CHECK: linalg.broadcast
// CHECK: tensor.collapse_shape
// CHECK: linalg.batch_matmul
func.func @others(%x: tensor<12x6x8xf32>, %w: tensor<3x8x10xf32>, %e: tensor<12x6x10xf32>) -> tensor<12x6x10xf32> {
  %f = tensor.empty() : tensor<4x3x8x10xf32>
  %b = linalg.broadcast ins(%w : tensor<3x8x10xf32>) outs(%f : tensor<4x3x8x10xf32>) dimensions = [0]
  %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<4x3x8x10xf32> into tensor<12x8x10xf32>
  %p = linalg.batch_matmul ins(%x, %c : tensor<12x6x8xf32>, tensor<12x8x10xf32>) outs(%e : tensor<12x6x10xf32>) -> tensor<12x6x10xf32>
  return %p : tensor<12x6x10xf32>
}

// -----

// A filter with one tap: a product of pixels, every second of which is a slice.

// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d4, d3)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @one_tap(
// CHECK-SAME: %[[X:.*]]: tensor<1x9x9x4xf32>
// CHECK: %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<4x2xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 5, 5, 4] [1, 2, 2, 1]
// CHECK: linalg.generic {indexing_maps = [#[[PIXELS]], #[[WEIGHTS]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[S]], %[[W]] :
// CHECK-LABEL: func @chosen(
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @one_tap(%x: tensor<1x9x9x4xf32>, %e: tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32> {
  %filter = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x1x4x2xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %filter : tensor<1x9x9x4xf32>, tensor<1x1x4x2xf32>) outs(%e : tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  return %sums : tensor<1x5x5x2xf32>
}

func.func @chosen(%x: tensor<1x9x9x4xf32>, %filter: tensor<1x1x4x2xf32>, %e: tensor<1x9x9x2xf32>) -> tensor<1x9x9x2xf32> {
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>, mlirprof.choice = {algorithm = {name = "direct"}}}
    ins(%x, %filter : tensor<1x9x9x4xf32>, tensor<1x1x4x2xf32>) outs(%e : tensor<1x9x9x2xf32>) -> tensor<1x9x9x2xf32>
  return %sums : tensor<1x9x9x2xf32>
}
