// DEFINE: %{features} =
// DEFINE: %{run} = %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{vector-bits=8 vector-registers=8 features=%{features}},func.func(cpu-apply-rules{vector-bits=8 vector-registers=8 features=%{features}},canonicalize,cse))'

// REDEFINE: %{features} = +dsp
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,PAIRS
// REDEFINE: %{features} = -dsp
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,NONE

// A block of two rows and two columns: the words of both columns are extended
// before the rows. The assembly for a row extends its word, and multiplies four
// bytes by two instructions for each column. Both columns of a block are in one
// panel. Two of six elements are left.

// CHECK-LABEL: @product
// PAIRS:     vector.constant_mask [2] : vector<4xi1>
// PAIRS:     scf.for %{{.*}} step %c2
// PAIRS:     scf.for %{{.*}} step %c2
// PAIRS-COUNT-4: llvm.call_intrinsic "llvm.arm.sxtb16"
// PAIRS-NOT: llvm.call_intrinsic
// PAIRS-COUNT-2: llvm.inline_asm "sxtb16 $2, $3\0Asmlad $0, $2, $4, $0\0Asmlad $1, $2, $6, $1\0Asxtb16 $2, $3, ror #8\0Asmlad $0, $2, $5, $0\0Asmlad $1, $2, $7, $1\0A", "=&r,=&r,=&r,r,r,r,r,r,0,1"
// PAIRS-COUNT-4: llvm.call_intrinsic "llvm.arm.sxtb16"
// PAIRS-COUNT-2: llvm.inline_asm
// PAIRS-NOT: llvm.inline_asm
// NONE-NOT:  llvm.call_intrinsic
// NONE-NOT:  vector<{{[2-9]}}x
// NONE:      return
func.func @product(%x: tensor<4x6xi8>, %start: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]]> : tensor<6x4xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<4x6xi8>, tensor<6x4xi8>) outs(%start : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// For a single row, its word is extended before the columns.

// CHECK-LABEL: @row
// PAIRS-COUNT-2: llvm.call_intrinsic "llvm.arm.sxtb16"
// PAIRS-COUNT-4: llvm.inline_asm "sxtb16 $1, $2\0Asmlad $0, $1, $3, $0\0Asxtb16 $1, $2, ror #8\0Asmlad $0, $1, $4, $0\0A"
// NONE-NOT:  llvm.inline_asm
// NONE:      return
func.func @row(%x: tensor<1x8xi8>, %start: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24], [1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<8x4xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<1x8xi8>, tensor<8x4xi8>) outs(%start : tensor<1x4xi32>) -> tensor<1x4xi32>
  return %0 : tensor<1x4xi32>
}

// Windows overlap in a line, of which no dimension is the place in a window.

// CHECK-LABEL: @lines
// PAIRS-COUNT-2: llvm.inline_asm "sxtb16 $2, $3\0Asmlad
// NONE-NOT:  llvm.inline_asm
// CHECK:     return
func.func @lines(%x: tensor<14xi8>, %start: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16]]> : tensor<2x8xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(x, f, k) -> (x * 2 + k)>, affine_map<(x, f, k) -> (f, k)>, affine_map<(x, f, k) -> (x, f)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<14xi8>, tensor<2x8xi8>) outs(%start : tensor<4x2xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %sum, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Bytes without a sign are not extended by it.

// CHECK-LABEL: @unsigned
// CHECK-NOT:  llvm.{{call_intrinsic|inline_asm}}
// CHECK:      return
func.func @unsigned(%x: tensor<4x8xi8>, %start: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24], [1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<8x4xi8>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<4x8xi8>, tensor<8x4xi8>) outs(%start : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
