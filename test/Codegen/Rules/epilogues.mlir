// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// What follows a product is computed before it is stored.

// CHECK-LABEL: func @joined(
// CHECK-NOT: linalg
// CHECK: arith.addf {{.*}} fastmath<contract>
// CHECK: math.tanh {{.*}} : vector<16xf32>
// CHECK: return
func.func @joined(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.tanh ins(%p : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
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
