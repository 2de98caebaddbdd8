// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{path=%t.schedule.mlir model=%t.model.mlir command=%t.sh report})' -o %t.model.mlir 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=MODEL < %t.model.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT < %t.schedule.mlir
// RUN: FileCheck %s --check-prefix=COMMAND < %t.sh
// RUN: mlir-opt %t.model.mlir --transform-preload-library=transform-library-paths=%t.schedule.mlir --transform-interpreter | FileCheck %s --check-prefix=TILED

// REPORT: 4 scheduled, 1 left
// REPORT-NEXT: 1 x linalg.generic: calls functions of the C library

// COMMAND: mlir-opt {{.*}}.model.mlir --transform-preload-library=transform-library-paths={{.*}}.schedule.mlir --transform-interpreter {{.*}}--reconcile-unrealized-casts

// The factor in panels is one with a loop over panels, and what follows is
// shown in the same shape, so that both stand in one loop.

// MODEL-LABEL: func.func @layer
// MODEL: %[[FILL:.*]] = linalg.fill ins({{.*}}) outs({{.*}} : tensor<77x3x32xf32>)
// MODEL: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[FILL]] : tensor<77x3x32xf32>) {
// MODEL: linalg.generic {{.*}} ins(%[[SUM]], {{.*}} : tensor<77x3x32xf32>, tensor<3x32xf32>) {{.*}} {mlirprof.schedule = "s0"} {
// MODEL: tensor.collapse_shape {{.*}} into tensor<77x96xf32>

// SCRIPT: named_sequence @s0.tile(
// SCRIPT: get_producer_of_operand %op[0]
// SCRIPT: get_producer_of_operand %0[2]
// SCRIPT: tile_using_for %op tile_sizes [8, 1, 0] interchange = [1, 2, 0]
// SCRIPT: fuse_into_containing_op
// SCRIPT: fuse_into_containing_op
// SCRIPT: loop.peel
// SCRIPT: named_sequence @s0.reduce(
// SCRIPT: tile_using_for %op tile_sizes [0, 0, 0, 1]

// Blocks of eight rows, and the five that are left.

// TILED-LABEL: func.func @layer
// TILED: scf.for {{.*}} to %c3 step %c1
// TILED: scf.for {{.*}} to %c72 step %c8
// TILED: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}vector<8x1x32xf32>)
// TILED: vector.contract {{.*}} vector<8x1xf32>, vector<1x1x32xf32> into vector<8x1x32xf32>
// TILED: arith.maximumf {{.*}} : vector<8x1x32xf32>
// TILED: vector.contract {{.*}} vector<5x1xf32>, vector<1x1x32xf32> into vector<5x1x32xf32>
func.func @layer(%x: tensor<77x40xf32>, %w: tensor<3x40x32xf32>, %b: tensor<96xf32>) -> tensor<77x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<77x96xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<77x96xf32>) -> tensor<77x96xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n floordiv 32, k, n mod 32)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<77x40xf32>, tensor<3x40x32xf32>) outs(%fill : tensor<77x96xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %p = arith.mulf %a, %f : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<77x96xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sum, %b : tensor<77x96xf32>, tensor<96xf32>) outs(%empty : tensor<77x96xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %y = arith.maximumf %s, %zero : f32
    linalg.yield %y : f32
  } -> tensor<77x96xf32>
  return %result : tensor<77x96xf32>
}

// A convolution: its windows are loops, and with these gone it is a product.

// TILED-LABEL: func.func @convolution
// TILED: vector.contract {{.*}} vector<8x1xf32>, vector<1x32xf32> into vector<8x32xf32>
func.func @convolution(%x: tensor<1x10x10x4xf32>, %w: tensor<3x3x4x32xf32>, %o: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x32xf32>) outs(%o : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// What calls functions becomes loops.

// TILED-LABEL: func.func @exponential
// TILED: linalg.generic
func.func @exponential(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x32xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x32xf32>) outs(%empty : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
