// DEFINE: %{features} =
// DEFINE: %{run} = %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{vector-bits=8 vector-registers=8 features=%{features}},func.func(cpu-apply-rules{vector-bits=8 vector-registers=8 features=%{features}},canonicalize,cse))'

// REDEFINE: %{features} = +dsp
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,PAIRS
// REDEFINE: %{features} = -dsp
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,NONE

// A block of two rows and two columns: a word of each row and each column is
// extended once, and four bytes of them are multiplied by two instructions. Both
// columns of a block are in one panel. Two of six elements are left.

// CHECK-LABEL: @product
// PAIRS:     vector.constant_mask [2] : vector<4xi1>
// PAIRS:     scf.for %{{.*}} step %c2
// PAIRS:     scf.for %{{.*}} step %c2
// PAIRS:     llvm.call_intrinsic "llvm.arm.sxtb16"
// PAIRS-COUNT-16: llvm.call_intrinsic "llvm.arm.smlad"
// PAIRS-NOT: llvm.call_intrinsic
// NONE-NOT:  llvm.call_intrinsic
// NONE-NOT:  vector<{{[2-9]}}x
// NONE:      return
func.func @product(%x: tensor<4x6xi8>, %start: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]]> : tensor<6x4xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<4x6xi8>, tensor<6x4xi8>) outs(%start : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// Bytes without a sign are not extended by it.

// CHECK-LABEL: @unsigned
// CHECK-NOT:  llvm.call_intrinsic
// CHECK:      return
func.func @unsigned(%x: tensor<4x8xi8>, %start: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24], [1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<8x4xi8>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<4x8xi8>, tensor<8x4xi8>) outs(%start : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
