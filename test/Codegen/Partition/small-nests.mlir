// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules),one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize,cse,cpu-outline-cold,func.func(cpu-small-nests),canonicalize,cse)' | FileCheck %s

// An op for size is one vector a step: the last one is masked, so that there is
// one loop. Rows of a product are as many as leave no rest, so four of 12.

// CHECK-LABEL: func.func private @product_cold_0(
// CHECK: scf.for %[[J:.*]] = %c0 to %c37 step %c16
// CHECK-NEXT: %[[LEFT:.*]] = affine.apply
// CHECK-NEXT: vector.create_mask %[[LEFT]] : vector<16xi1>
// CHECK: scf.for {{.*}} = %c0 to %c12 step %c4
// CHECK: scf.for {{.*}} = %c0 to %c25 step %c1 iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK-COUNT-4: vector.transfer_write
// CHECK-NOT: linalg
// CHECK-NOT: small_nest
#cold = {code = {for = "size"}}
func.func @product(%a: tensor<12x25xf32>, %b: tensor<25x37xf32>) -> tensor<12x37xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x37xf32>
  %f = linalg.fill {mlirprof.choice = #cold} ins(%zero : f32) outs(%e : tensor<12x37xf32>) -> tensor<12x37xf32>
  %r = linalg.matmul {mlirprof.choice = #cold} ins(%a, %b : tensor<12x25xf32>, tensor<25x37xf32>) outs(%f : tensor<12x37xf32>) -> tensor<12x37xf32>
  return %r : tensor<12x37xf32>
}

// -----

// Whole vectors need no mask; sums along the vectors one reduction.

// CHECK-LABEL: func.func private @sums_cold_0(
// CHECK-NOT: mask
// CHECK: vector.reduction <add>
// CHECK-NOT: vector.reduction
// CHECK: memref.store
func.func @sums(%x: tensor<5x32xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<5x32xf32>) outs(%f : tensor<5xf32>) dimensions = [1] {mlirprof.choice = {code = {for = "size"}}}
  return %r : tensor<5xf32>
}

// -----

// What was on buffers before may overlap: it stays as it is, whatever it says
// of itself.

// CHECK-LABEL: func.func private @overlap_cold_0(
// CHECK: linalg.generic
// CHECK-NOT: small_nest
#shift = affine_map<(d0) -> (d0)>
func.func @overlap(%x: memref<64xf32>) {
  %from = memref.subview %x[0] [63] [1] : memref<64xf32> to memref<63xf32, strided<[1]>>
  %to = memref.subview %x[1] [63] [1] : memref<64xf32> to memref<63xf32, strided<[1], offset: 1>>
  linalg.generic {indexing_maps = [#shift, #shift], iterator_types = ["parallel"]}
      ins(%from : memref<63xf32, strided<[1]>>) outs(%to : memref<63xf32, strided<[1], offset: 1>>)
      attrs = {mlirprof.choice = {code = {for = "size"}}, mlirprof.small_nest} {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
