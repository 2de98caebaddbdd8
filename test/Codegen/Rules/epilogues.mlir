// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// What follows a product is computed before it is stored.

// CHECK-LABEL: func @joined(
// CHECK-NOT: linalg
// CHECK: arith.addf {{.*}} fastmath<contract>
// CHECK: math.absf {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write
// CHECK: return
func.func @joined(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.abs ins(%p : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %t : tensor<16x32xf32>
}

// -----

// Numbers that take eight times the registers are not: vectors of 64 of them
// would be the result.

// CHECK-LABEL: func @too_wide(
// CHECK-NOT: vector<64xf64>
// CHECK: arith.addi {{.*}} : vector<64xi8>
// CHECK: vector.transfer_write {{.*}} : vector<64xi8>
// CHECK: arith.sitofp {{.*}} : vector<8xi8> to vector<8xf64>
// CHECK-NOT: vector<64xf64>
func.func @too_wide(%a: tensor<16x64xi8>, %b: tensor<64x128xi8>, %init: tensor<16x128xi8>) -> tensor<16x128xf64> {
  %e = tensor.empty() : tensor<16x128xf64>
  %p = linalg.matmul ins(%a, %b : tensor<16x64xi8>, tensor<64x128xi8>) outs(%init : tensor<16x128xi8>) -> tensor<16x128xi8>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<16x128xi8>) outs(%e : tensor<16x128xf64>) {
  ^bb0(%x: i8, %o: f64):
    %f = arith.sitofp %x : i8 to f64
    linalg.yield %f : f64
  } -> tensor<16x128xf64>
  return %t : tensor<16x128xf64>
}

// -----

// A function is so much code that it is there once for all rows of a step: the
// sums are stored, and a loop over the rows computes it in their place.

// CHECK-LABEL: func @late(
// CHECK: cpu.nest
// CHECK-NOT: elementwise
// CHECK-COUNT-16: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: scf.for
// CHECK-COUNT-2: vector.transfer_read {{.*}} memref<16x32xf32>, vector<16xf32>
// CHECK-COUNT-2: math.tanh
// CHECK-NOT: math.tanh
// CHECK: return
func.func @late(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %bias: tensor<16x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s = linalg.add ins(%p, %bias : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.tanh ins(%s : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %t : tensor<16x32xf32>
}

// -----

// The result of another type does not have room for the sums.

// CHECK-LABEL: func @narrowed(
// CHECK-COUNT-16: math.tanh
// CHECK: return
func.func @narrowed(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf16> {
  %e = tensor.empty() : tensor<16x32xf16>
  %p = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<16x32xf32>) outs(%e : tensor<16x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %f = math.tanh %x : f32
    %g = arith.truncf %f : f32 to f16
    linalg.yield %g : f16
  } -> tensor<16x32xf16>
  return %t : tensor<16x32xf16>
}

// -----

// The other summand lies where the result will be, and would be overwritten.

// CHECK-LABEL: func @in_place(
// CHECK: cpu.nest
// CHECK-SAME: reads_outputs
// CHECK-COUNT-16: math.tanh
// CHECK: return
func.func @in_place(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %sum: tensor<16x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<16x32xf32>) outs(%sum : tensor<16x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %f = math.tanh %x : f32
    %g = arith.addf %f, %o : f32
    linalg.yield %g : f32
  } -> tensor<16x32xf32>
  return %t : tensor<16x32xf32>
}
