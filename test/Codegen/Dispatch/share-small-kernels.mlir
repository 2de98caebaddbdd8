// Kernels that compute one number at a time do not depend on their sizes and integers.

// RUN: %mlir-prof-opt %s --pass-pipeline="builtin.module(share-sizes{vector-bits=8 vector-registers=13 features=+dsp},share-dispatches)" | FileCheck %s
// The rule finds the groups of four products in the shared kernel too.
// RUN: %mlir-prof-opt %s --pass-pipeline="builtin.module(share-sizes{vector-bits=8 vector-registers=13 features=+dsp},share-dispatches,func.func(cpu-apply-rules{vector-bits=8 vector-registers=13 features=+dsp}))" | FileCheck %s --check-prefix=TILED
// With vectors, each has code of its own.
// RUN: %mlir-prof-opt %s --pass-pipeline="builtin.module(share-sizes{vector-bits=512 vector-registers=32},share-dispatches)" | FileCheck %s --check-prefix=VECTORS

#image = affine_map<(p, f, c) -> (p, c)>
#filters = affine_map<(p, f, c) -> (f, c floordiv 4, c mod 4)>
#sums = affine_map<(p, f, c) -> (p, f)>
#points = affine_map<(p, f) -> (p, f)>
#each = affine_map<(p, f) -> (f)>
#tile = {tiles = {rows = "1", vectors = "1"}}

// VECTORS: @layer_12(%{{.*}}: tensor<25x12xi8>
// VECTORS: @layer_16(%{{.*}}: tensor<9x16xi8>

// CHECK-LABEL: func.func private @layer_12(
// CHECK-SAME: tensor<?x?xi8>, %{{.*}}: tensor<?x?x4xi8>, %{{.*}}: tensor<?xi32>,
// CHECK-SAME: %{{[^:]*}}: index, %{{[^:]*}}: index, %[[POINT:[^:]*]]: i32, %{{.*}}: tensor<?x?xi8>)
// CHECK: linalg.generic
// CHECK: mlirprof.loop_blocks = array<i64: 1, 1, 4>
// CHECK: arith.constant 7 : i32
// CHECK-NOT: arith.constant
// CHECK: arith.addi %{{.*}}, %[[POINT]] : i32
// CHECK-NOT: @layer_16(
// TILED: affine_map<()[s0] -> (s0 floordiv 4)>
// TILED: @layer_12
// TILED: cpu.nest
// TILED: llvm.inline_asm {{.*}}smlad
func.func private @layer_12(%x: tensor<25x12xi8>, %w: tensor<8x3x4xi8>, %b: tensor<8xi32>,
    %out: tensor<25x8xi8>) -> tensor<25x8xi8> attributes {dispatch.kernel} {
  %e = tensor.empty() : tensor<25x8xi32>
  %start = linalg.generic {indexing_maps = [#each, #points],
                           iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8xi32>) outs(%e : tensor<25x8xi32>) attrs = {mlirprof.choice = #tile} {
  ^bb0(%a: i32, %o: i32):
    linalg.yield %a : i32
  } -> tensor<25x8xi32>
  %sum = linalg.generic {indexing_maps = [#image, #filters, #sums],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<25x12xi8>, tensor<8x3x4xi8>) outs(%start : tensor<25x8xi32>)
      attrs = {mlirprof.choice = #tile} {
  ^bb0(%l: i8, %r: i8, %o: i32):
    %1 = arith.extsi %l : i8 to i32
    %2 = arith.extsi %r : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %o, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<25x8xi32>
  %shift = arith.constant 7 : i32
  %point = arith.constant -3 : i32
  %scaled = linalg.generic {indexing_maps = [#points, #points],
                            iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<25x8xi32>) outs(%out : tensor<25x8xi8>)
      attrs = {mlirprof.choice = #tile} {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.shrsi %a, %shift : i32
    %2 = arith.addi %1, %point : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<25x8xi8>
  return %scaled : tensor<25x8xi8>
}
func.func private @layer_16(%x: tensor<9x16xi8>, %w: tensor<2x4x4xi8>, %b: tensor<2xi32>,
    %out: tensor<9x2xi8>) -> tensor<9x2xi8> attributes {dispatch.kernel} {
  %e = tensor.empty() : tensor<9x2xi32>
  %start = linalg.generic {indexing_maps = [#each, #points],
                           iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<2xi32>) outs(%e : tensor<9x2xi32>) attrs = {mlirprof.choice = #tile} {
  ^bb0(%a: i32, %o: i32):
    linalg.yield %a : i32
  } -> tensor<9x2xi32>
  %sum = linalg.generic {indexing_maps = [#image, #filters, #sums],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x16xi8>, tensor<2x4x4xi8>) outs(%start : tensor<9x2xi32>)
      attrs = {mlirprof.choice = #tile} {
  ^bb0(%l: i8, %r: i8, %o: i32):
    %1 = arith.extsi %l : i8 to i32
    %2 = arith.extsi %r : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %o, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<9x2xi32>
  %shift = arith.constant 7 : i32
  %point = arith.constant 5 : i32
  %scaled = linalg.generic {indexing_maps = [#points, #points],
                            iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<9x2xi32>) outs(%out : tensor<9x2xi8>)
      attrs = {mlirprof.choice = #tile} {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.shrsi %a, %shift : i32
    %2 = arith.addi %1, %point : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<9x2xi8>
  return %scaled : tensor<9x2xi8>
}

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[FIRST:.*]] = arith.constant -3 : i32
// CHECK: dispatch.run @layer_12 ins({{.*}}, %[[FIRST]] : tensor<25x12xi8>, tensor<8x3x4xi8>, tensor<8xi32>, index, index, i32)
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 5 : i32
// CHECK: dispatch.run @layer_12 ins({{.*}}, %[[SECOND]] : tensor<9x16xi8>, tensor<2x4x4xi8>, tensor<2xi32>, index, index, i32)
func.func @main(%x: tensor<25x12xi8>, %w: tensor<8x3x4xi8>, %b: tensor<8xi32>, %o: tensor<25x8xi8>,
    %y: tensor<9x16xi8>, %v: tensor<2x4x4xi8>, %c: tensor<2xi32>, %p: tensor<9x2xi8>)
    -> (tensor<25x8xi8>, tensor<9x2xi8>) {
  %0 = dispatch.run @layer_12 ins(%x, %w, %b : tensor<25x12xi8>, tensor<8x3x4xi8>, tensor<8xi32>)
         outs(%o : tensor<25x8xi8>) -> tensor<25x8xi8>
  %1 = dispatch.run @layer_16 ins(%y, %v, %c : tensor<9x16xi8>, tensor<2x4x4xi8>, tensor<2xi32>)
         outs(%p : tensor<9x2xi8>) -> tensor<9x2xi8>
  return %0, %1 : tensor<25x8xi8>, tensor<9x2xi8>
}
