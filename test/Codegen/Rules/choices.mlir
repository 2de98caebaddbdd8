// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// The tile that was chosen: 3 rows of 2 vectors, so 6 sums.

// CHECK-LABEL: func @tile(
// CHECK: scf.for {{.*}} step %c3
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-6: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @tile(%a: tensor<99x100xf32>, %b: tensor<100x64xf32>, %c: tensor<99x64xf32>) -> tensor<99x64xf32> {
  %r = linalg.matmul {mlirprof.choice = {tiles = {rows = "3", vectors = "2"}}}
    ins(%a, %b : tensor<99x100xf32>, tensor<100x64xf32>) outs(%c : tensor<99x64xf32>) -> tensor<99x64xf32>
  return %r : tensor<99x64xf32>
}

// The tile of a convolution: 7 pixels of one vector.

// CHECK-LABEL: func @convolution_tile(
// CHECK: scf.for {{.*}} step %c7
// CHECK: %[[SUMS:.*]]:7 = scf.for
// CHECK-COUNT-7: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @convolution_tile(%image: tensor<1x30x30x16xf32>, %filter: tensor<3x3x16x64xf32>, %c: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {mlirprof.choice = {tiles = {rows = "7", vectors = "1"}}}
    ins(%image, %filter : tensor<1x30x30x16xf32>, tensor<3x3x16x64xf32>) outs(%c : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %r : tensor<1x28x28x64xf32>
}

// What reads a product is computed with it, unless that was chosen against.

// CHECK-LABEL: func @epilogue_alone(
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK: arith.negf
// CHECK: return
func.func @epilogue_alone(%a: tensor<4x32xf32>, %b: tensor<32x32xf32>, %c: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %e = tensor.empty() : tensor<4x32xf32>
  %r = linalg.matmul {mlirprof.choice = {fusion = {with = "none"}}}
    ins(%a, %b : tensor<4x32xf32>, tensor<32x32xf32>) outs(%c : tensor<4x32xf32>) -> tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
  } -> tensor<4x32xf32>
  return %n : tensor<4x32xf32>
}

// Loops get what was chosen for the op, for the passes behind.

// CHECK-LABEL: func @threads(
// CHECK: scf.for
// CHECK: } {mlirprof.choice = {threads = {count = "1"}}
// CHECK: return
func.func @threads(%a: tensor<400x32xf32>) -> tensor<400x32xf32> {
  %e = tensor.empty() : tensor<400x32xf32>
  %n = linalg.negf {mlirprof.choice = {threads = {count = "1"}}} ins(%a : tensor<400x32xf32>) outs(%e : tensor<400x32xf32>) -> tensor<400x32xf32>
  return %n : tensor<400x32xf32>
}

// Tiles that are none: the rule's.

// CHECK-LABEL: func @no_tile(
// CHECK: scf.for {{.*}} step %c8 {
// CHECK: return
func.func @no_tile(%a: tensor<98x100xf32>, %b: tensor<100x64xf32>, %c: tensor<98x64xf32>) -> tensor<98x64xf32> {
  %r = linalg.matmul {mlirprof.choice = {tiles = {rows = "0", vectors = "-3"}}}
    ins(%a, %b : tensor<98x100xf32>, tensor<100x64xf32>) outs(%c : tensor<98x64xf32>) -> tensor<98x64xf32>
  return %r : tensor<98x64xf32>
}
