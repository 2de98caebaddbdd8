// Results at a constant 0 of a dimension of one element lose it.

// RUN: %mlir-prof-opt %s --cpu-reshape-loops --split-input-file | FileCheck %s

// CHECK-DAG: #[[BOTH:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @kept
// CHECK-SAME: (%[[X:.*]]: tensor<?x77xf64>, %[[SUMS:.*]]: tensor<?x1xf64>)
// CHECK: %[[INIT:.*]] = tensor.collapse_shape %[[SUMS]] {{\[\[}}0, 1]]
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: indexing_maps = [#[[BOTH]], #[[ROWS]]]
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%[[X]] : tensor<?x77xf64>) outs(%[[INIT]] : tensor<?xf64>)
// CHECK: tensor.expand_shape %[[SUM]] {{\[\[}}0, 1]]
// CHECK-SAME: into tensor<?x1xf64>
func.func @kept(%x: tensor<?x77xf64>, %sums: tensor<?x1xf64>) -> tensor<?x1xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x77xf64>) outs(%sums : tensor<?x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    linalg.yield %s : f64
  } -> tensor<?x1xf64>
  return %r : tensor<?x1xf64>
}

// -----

// Two results, one of which has such a place.

// CHECK-LABEL: func.func @two
// CHECK: linalg.generic
// CHECK-SAME: outs({{.*}} : tensor<3xf32>, tensor<3xf32>)
func.func @two(%x: tensor<3x77xf32>, %a: tensor<1x3xf32>, %b: tensor<3xf32>)
    -> (tensor<1x3xf32>, tensor<3xf32>) {
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x77xf32>) outs(%a, %b : tensor<1x3xf32>, tensor<3xf32>) {
  ^bb0(%v: f32, %p: f32, %q: f32):
    %s = arith.addf %v, %p : f32
    %m = arith.maximumf %v, %q : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<1x3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<1x3xf32>, tensor<3xf32>
}

// -----

// A place that only some elements have stays.

// CHECK: #[[SECOND:.*]] = affine_map<(d0, d1) -> (d0, 1)>
// CHECK-LABEL: func.func @column
// CHECK: indexing_maps = [{{.*}}, #[[SECOND]]]
func.func @column(%x: tensor<3x77xf32>, %a: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 1)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x77xf32>) outs(%a : tensor<3x2xf32>) {
  ^bb0(%v: f32, %p: f32):
    %s = arith.addf %v, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// More such places than loops.

// CHECK: #[[CHANNELS:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: func.func @means
// CHECK: %[[INIT:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x8x1x1xf32> into tensor<8xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[CHANNELS]]]
// CHECK-SAME: outs(%[[INIT]] : tensor<8xf32>)
// CHECK: tensor.expand_shape %[[SUM]] {{.*}} into tensor<1x8x1x1xf32>
func.func @means(%x: tensor<8x14x14xf32>, %f: tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(c, h, w) -> (c, h, w)>,
                       affine_map<(c, h, w) -> (0, c, 0, 0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<8x14x14xf32>) outs(%f : tensor<1x8x1x1xf32>) {
  ^bb0(%v: f32, %p: f32):
    %s = arith.addf %v, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x8x1x1xf32>
  return %r : tensor<1x8x1x1xf32>
}

// -----

// One sum of all.

// CHECK-LABEL: func.func @one
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<f32>)
func.func @one(%x: tensor<77xf32>, %f: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0, 0)>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<77xf32>) outs(%f : tensor<1x1xf32>) {
  ^bb0(%v: f32, %p: f32):
    %s = arith.addf %v, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Seven pixels a row do not fill tiles of eight rows: all pixels are rows, of the
// product and of what follows it, and the bias stays.

// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @pixels
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[LEFT]], #[[RIGHT]], #[[SUM]]], {{.*}} ins({{.*}} : tensor<49x16xf32>, tensor<16x32xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<49x32xf32>, tensor<32xf32>)
// CHECK: tensor.expand_shape %[[B]] {{\[\[}}0, 1, 2], [3]] output_shape [1, 7, 7, 32]
#pixel = affine_map<(n, h, w, f, c) -> (n, h, w, c)>
#weight = affine_map<(n, h, w, f, c) -> (c, f)>
#result = affine_map<(n, h, w, f, c) -> (n, h, w, f)>
#all = affine_map<(n, h, w, f) -> (n, h, w, f)>
#bias = affine_map<(n, h, w, f) -> (f)>
func.func @pixels(%x: tensor<1x7x7x16xf32>, %w: tensor<16x32xf32>, %b: tensor<32xf32>, %e: tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32> {
  %p = linalg.generic {indexing_maps = [#pixel, #weight, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x7x7x16xf32>, tensor<16x32xf32>) outs(%e : tensor<1x7x7x32xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x32xf32>
  %f = tensor.empty() : tensor<1x7x7x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #bias, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p, %b : tensor<1x7x7x32xf32>, tensor<32xf32>) outs(%f : tensor<1x7x7x32xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}

// -----

// The op after the product stores into a part of a larger tensor, of which a
// reshape would be a copy: both keep their loops, so that they remain one nest.

// CHECK-LABEL: func.func @padded
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
#pixel = affine_map<(n, h, w, f, c) -> (n, h, w, c)>
#weight = affine_map<(n, h, w, f, c) -> (c, f)>
#result = affine_map<(n, h, w, f, c) -> (n, h, w, f)>
#all = affine_map<(n, h, w, f) -> (n, h, w, f)>
func.func @padded(%x: tensor<1x7x7x16xf32>, %w: tensor<16x32xf32>, %e: tensor<1x7x7x32xf32>, %t: tensor<1x9x9x32xf32>) -> tensor<1x9x9x32xf32> {
  %p = linalg.generic {indexing_maps = [#pixel, #weight, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x7x7x16xf32>, tensor<16x32xf32>) outs(%e : tensor<1x7x7x32xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x32xf32>
  %f = tensor.empty() : tensor<1x7x7x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p : tensor<1x7x7x32xf32>) outs(%f : tensor<1x7x7x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x32xf32>
  %i = tensor.insert_slice %r into %t[0, 1, 1, 0] [1, 7, 7, 32] [1, 1, 1, 1] : tensor<1x7x7x32xf32> into tensor<1x9x9x32xf32>
  return %i : tensor<1x9x9x32xf32>
}

// -----

// A scale for each channel, with one row and column, is contiguous along channels.

// CHECK-LABEL: func.func @scale(
// CHECK: %[[SCALE:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2, 3]] : tensor<1x32x1x1xf32> into tensor<1x32xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0, %[[SCALE]] : tensor<1x8x64x32xf32>, tensor<1x32xf32>)
func.func @scale(%x: tensor<1x8x64x32xf32>, %s: tensor<1x32x1x1xf32>) -> tensor<1x8x64x32xf32> {
  %e = tensor.empty() : tensor<1x8x64x32xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, c, 0, 0)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<1x8x64x32xf32>, tensor<1x32x1x1xf32>) outs(%e : tensor<1x8x64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x8x64x32xf32>
  return %r : tensor<1x8x64x32xf32>
}

// -----

// A filled tensor of dynamic size is collapsed as any other tensor.

// CHECK-LABEL: func.func @dynamic_result(
// CHECK: %[[EMPTY:.*]] = tensor.empty(%{{.*}}) : tensor<?x1xf16>
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[FILL]] {{.*}} into tensor<?xf16>
// CHECK: linalg.generic {{.*}} outs(%[[FLAT]] : tensor<?xf16>)
func.func @dynamic_result(%x: tensor<?x16x2xf16>) -> tensor<?x1xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16x2xf16>
  %low = arith.constant -9.0 : f16
  %e = tensor.empty(%n) : tensor<?x1xf16>
  %f = linalg.fill ins(%low : f16) outs(%e : tensor<?x1xf16>) -> tensor<?x1xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, 0)>], iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%x : tensor<?x16x2xf16>) outs(%f : tensor<?x1xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.maximumf %a, %o : f16
    linalg.yield %m : f16
  } -> tensor<?x1xf16>
  return %r : tensor<?x1xf16>
}
