// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// Blocks of 16 x 16: 16 loads, four rounds of 16 shuffles, 16 stores.

// CHECK-LABEL: func @square(
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.for {{.*}} step %c16
// CHECK-COUNT-16: vector.transfer_read
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: vector.transfer_write
func.func @square(%x: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) permutation = [1, 0]
  return %r : tensor<64x64xf32>
}

// -----

// Too narrow for blocks.

// CHECK-LABEL: func @narrow(
// CHECK: linalg.transpose
func.func @narrow(%x: tensor<64x3xf32>, %init: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %r = linalg.transpose ins(%x : tensor<64x3xf32>) outs(%init : tensor<3x64xf32>) permutation = [1, 0]
  return %r : tensor<3x64xf32>
}

// -----

// A function is computed row by row after the block has been transposed.

// CHECK-LABEL: func @function(
// CHECK: vector.shuffle
// CHECK-COUNT-16: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.transfer_read {{.*}} memref<32x32xf32>, vector<16xf32>
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @function(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %e = tensor.empty() : tensor<32x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %f = math.exp %x : f32
    linalg.yield %f : f32
  } -> tensor<32x32xf32>
  return %t : tensor<32x32xf32>
}

// -----

// Vectors of the result would be stored element by element.

// CHECK-LABEL: func @apart(
// CHECK: linalg.transpose
func.func @apart(%x: tensor<64x64xf32>, %init: tensor<64x64xf32>, %into: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %r = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) permutation = [1, 0]
  %s = tensor.insert_slice %r into %into[0, 0] [64, 64] [1, 2] : tensor<64x64xf32> into tensor<64x128xf32>
  return %s : tensor<64x128xf32>
}

// -----

// Groups of elements that are not those of a convolution: the distance between
// them says nothing about what may be read, or how much.

// CHECK-LABEL: func @spread_groups(
// CHECK-NOT: vector<64xf32>
// CHECK: return
func.func @spread_groups(%x: tensor<64xf32>, %init: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(r, v) -> ((v floordiv 4) * 16 + r)>, affine_map<(r, v) -> (r, v)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64xf32>) outs(%init : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

// CHECK-LABEL: func @far_groups(
// CHECK-NOT: vector<4000000xf32>
// CHECK: return
func.func @far_groups(%x: tensor<300000001xf32>, %init: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(r, v) -> ((v floordiv 4) * 1000000 + r)>, affine_map<(r, v) -> (r, v)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300000001xf32>) outs(%init : tensor<1x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    %q = arith.addf %p, %p : f32
    %s = math.tanh %q : f32
    %t = arith.mulf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}
