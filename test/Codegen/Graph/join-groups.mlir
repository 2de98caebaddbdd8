// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-join-groups))' | FileCheck %s

// PyTorch's form: the reshapes around the convolution vanish, and the ops around
// it meet. Filter v reads the channels of group v floordiv 4.

// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, (d1 floordiv 4) * 8 + d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @channels_first(
// CHECK-SAME: %[[X:.*]]: tensor<1x32x29x29xf32>, %[[START:.*]]: tensor<1x16x14x14xf32>
// CHECK: %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3], [4]] : tensor<4x4x8x3x3xf32> into tensor<16x8x3x3xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[START]] : tensor<1x16x14x14xf32>)
// CHECK: return %[[SUMS]]
func.func @channels_first(%x: tensor<1x32x29x29xf32>, %start: tensor<1x16x14x14xf32>, %w: tensor<4x4x8x3x3xf32>) -> tensor<1x16x14x14xf32> {
  %image = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 4, 8, 29, 29] : tensor<1x32x29x29xf32> into tensor<1x4x8x29x29xf32>
  %init = tensor.expand_shape %start [[0], [1, 2], [3], [4]] output_shape [1, 4, 4, 14, 14] : tensor<1x16x14x14xf32> into tensor<1x4x4x14x14xf32>
  %sums = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%image, %w : tensor<1x4x8x29x29xf32>, tensor<4x4x8x3x3xf32>) outs(%init : tensor<1x4x4x14x14xf32>) -> tensor<1x4x4x14x14xf32>
  %result = tensor.collapse_shape %sums [[0], [1, 2], [3], [4]] : tensor<1x4x4x14x14xf32> into tensor<1x16x14x14xf32>
  return %result : tensor<1x16x14x14xf32>
}

// -----

// Channels last; the zeros have the joined shape, too. A choice stays.

// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, (d3 floordiv 6) * 6 + d6)>
// CHECK-LABEL: func @channels_last(
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x8x8x18xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x8x18xf32>) attrs = {mlirprof.choice = {threads = {count = "1"}}}
func.func @channels_last(%x: tensor<1x10x10x3x6xf32>, %w: tensor<3x6x3x3x6xf32>) -> tensor<1x8x8x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x3x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x3x6xf32>) -> tensor<1x8x8x3x6xf32>
  %sums = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>, mlirprof.choice = {threads = {count = "1"}}}
    ins(%x, %w : tensor<1x10x10x3x6xf32>, tensor<3x6x3x3x6xf32>) outs(%init : tensor<1x8x8x3x6xf32>) -> tensor<1x8x8x3x6xf32>
  return %sums : tensor<1x8x8x3x6xf32>
}

// -----

// One filter for each group is a depthwise convolution; groups inside of the
// filters are not neighbors in memory; and unknown sizes stay.

// CHECK-LABEL: func @others(
// CHECK: linalg.conv_2d_ngchw_gfchw
// CHECK: linalg.conv_2d_ngchw_fgchw
// CHECK: linalg.conv_2d_ngchw_gfchw
func.func @others(%x: tensor<1x4x8x6x6xf32>, %w: tensor<4x1x8x3x3xf32>, %o: tensor<1x4x1x4x4xf32>,
                  %v: tensor<2x4x8x3x3xf32>, %p: tensor<1x4x2x4x4xf32>,
                  %y: tensor<1x4x8x?x6xf32>, %u: tensor<4x2x8x3x3xf32>, %q: tensor<1x4x2x?x4xf32>)
    -> (tensor<1x4x1x4x4xf32>, tensor<1x4x2x4x4xf32>, tensor<1x4x2x?x4xf32>) {
  %a = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x4x8x6x6xf32>, tensor<4x1x8x3x3xf32>) outs(%o : tensor<1x4x1x4x4xf32>) -> tensor<1x4x1x4x4xf32>
  %b = linalg.conv_2d_ngchw_fgchw ins(%x, %v : tensor<1x4x8x6x6xf32>, tensor<2x4x8x3x3xf32>) outs(%p : tensor<1x4x2x4x4xf32>) -> tensor<1x4x2x4x4xf32>
  %c = linalg.conv_2d_ngchw_gfchw ins(%y, %u : tensor<1x4x8x?x6xf32>, tensor<4x2x8x3x3xf32>) outs(%q : tensor<1x4x2x?x4xf32>) -> tensor<1x4x2x?x4xf32>
  return %a, %b, %c : tensor<1x4x1x4x4xf32>, tensor<1x4x2x4x4xf32>, tensor<1x4x2x?x4xf32>
}
