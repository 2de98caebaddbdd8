// Factors that are no constants are put into groups by code, before the product.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{features=+avx512vnni,+avx512bf16,+avx512vl})' | FileCheck %s
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{features=-avx512vnni})' | FileCheck %s --check-prefix=NONE

// Two panels of 32 columns; 4 columns in the second, which a mask keeps to. Of
// ten rows two groups of four are read by a loop; the last one is filled up
// with zeros. Where signs are to be flipped the sums start from -128 times those
// of the columns, which are computed, too.

// CHECK-DAG: [[COLUMN:#.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-DAG: [[LEFT:#.*]] = affine_map<(d0) -> (d0 * -32 + 36)>
// CHECK-DAG: [[ROW0:#.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: [[ROW3:#.*]] = affine_map<(d0) -> (d0 * 4 + 3)>
// CHECK-DAG: [[BYTES:#.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2 floordiv 4, (d1 mod 32) * 4 + d2 mod 4)>
// CHECK-DAG: [[PAIRS:#.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2 floordiv 2, (d1 mod 32) * 2 + d2 mod 2)>

// CHECK-LABEL: func.func @signs(
// CHECK-SAME: %[[A:[^ ]*]]: tensor<9x10xi8>, %[[W:[^ ]*]]: tensor<10x36xi8>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x3x128xi8>
// CHECK: %[[GROUPS:.*]] = scf.for %[[PANEL:.*]] = {{.*}} iter_args(%{{.*}} = %[[EMPTY]])
// CHECK: %[[WHOLE:.*]] = scf.for %[[GROUP:.*]] = %{{.*}} to %[[TWO:.*]] step
// CHECK-DAG: %[[C:.*]] = affine.apply [[COLUMN]](%[[PANEL]])
// CHECK-DAG: %[[L:.*]] = affine.apply [[LEFT]](%[[PANEL]])
// CHECK: %[[MASK:.*]] = vector.create_mask %[[L]] : vector<16xi1>
// CHECK: %[[R0:.*]] = affine.apply [[ROW0]](%[[GROUP]])
// CHECK: %[[V0:.*]] = vector.transfer_read %[[W]][%[[R0]], %[[C]]], %{{.*}}, %[[MASK]]
// CHECK: %[[V1:.*]] = vector.transfer_read
// CHECK: %[[V2:.*]] = vector.transfer_read
// CHECK: %[[R3:.*]] = affine.apply [[ROW3]](%[[GROUP]])
// CHECK: %[[V3:.*]] = vector.transfer_read %[[W]][%[[R3]], %[[C]]]
// CHECK-DAG: %[[EVEN:.*]] = vector.interleave %[[V0]], %[[V2]] :
// CHECK-DAG: %[[ODD:.*]] = vector.interleave %[[V1]], %[[V3]] :
// CHECK: %[[ALL:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<32xi8> -> vector<64xi8>
// CHECK: vector.transfer_write %[[ALL]], %{{.*}}[%[[PANEL]], %[[GROUP]], %{{.*}}]
// CHECK-COUNT-4: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK: scf.yield
// CHECK: %[[V8:.*]] = vector.transfer_read
// CHECK: %[[V9:.*]] = vector.transfer_read
// CHECK-NOT: transfer_read
// CHECK-DAG: vector.interleave %[[V8]], %[[ZERO8:.*]] :
// CHECK-DAG: vector.interleave %[[V9]], %[[ZERO9:.*]] :
// CHECK: vector.transfer_write
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[W]] : tensor<10x36xi8>)
// CHECK: arith.extsi
// CHECK: %[[FACTOR:.*]] = arith.constant -128 : i32
// CHECK: arith.muli %{{.*}}, %[[FACTOR]] : i32
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<36xi32>)
// CHECK: linalg.generic {indexing_maps = [{{.*}}, [[BYTES]], {{.*}}]{{.*}} ins(%[[A]], %[[GROUPS]] : {{.*}}) outs(%[[START]] :
// CHECK: arith.xori
// NONE-LABEL: func.func @signs(
// NONE-NOT: vector.interleave
// NONE: linalg.matmul
func.func @signs(%a: tensor<9x10xi8>, %w: tensor<10x36xi8>) -> tensor<9x36xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x36xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<9x36xi32>) -> tensor<9x36xi32>
  %r = linalg.matmul ins(%a, %w : tensor<9x10xi8>, tensor<10x36xi8>) outs(%f : tensor<9x36xi32>) -> tensor<9x36xi32>
  return %r : tensor<9x36xi32>
}

// Pairs of bf16, all columns there: no mask and nothing to start from.

// CHECK-LABEL: func.func @halves(
// CHECK-NOT: vector.create_mask
// CHECK-COUNT-4: vector.interleave %{{.*}}, %{{.*}} : vector<16xbf16> -> vector<32xbf16>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, [[PAIRS]], {{.*}}]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x3xbf16>, tensor<1x2x64xbf16>)
// CHECK-NOT: xori
func.func @halves(%a: tensor<64x3xbf16>, %w: tensor<3x32xbf16>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.matmul ins(%a, %w : tensor<64x3xbf16>, tensor<3x32xbf16>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
