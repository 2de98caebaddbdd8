// RUN: %mlir-prof-opt %s --cpu-lower-copies | FileCheck %s
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-lower-copies,cpu-small-nests),canonicalize)' | FileCheck %s --check-prefix=NEST

// CHECK-LABEL: func.func @strided
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%arg0 : memref<4x8xf32, strided<[16, 1]>>) outs(%arg1 : memref<4x8xf32>)
// CHECK: linalg.yield %in : f32
func.func @strided(%a: memref<4x8xf32, strided<[16, 1]>>, %b: memref<4x8xf32>) {
  memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  return
}

// Vectors, whose loops may be shared by threads.
// NEST-LABEL: func.func @strided
// NEST: scf.for
// NEST: vector.transfer_read {{.*}} vector<8xf32>
// NEST: vector.transfer_write
// NEST: mlirprof.parallel
// NEST-NOT: mlirprof.copy

// A mark that came with a model does not say that buffers do not overlap.
// NEST-LABEL: func.func @marked
// NEST: linalg.generic
// NEST-NOT: mlirprof.copy
func.func @marked(%a: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xf32>) outs(%a : memref<8xf32>) attrs = {mlirprof.copy} {
  ^bb0(%x: f32, %y: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  }
  return
}

// NEST-LABEL: func.func @marked_named
// NEST: linalg.map
// NEST-NOT: mlirprof.copy
func.func @marked_named(%a: memref<9xf32>) {
  %from = memref.subview %a[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %to = memref.subview %a[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.map { arith.negf } ins(%from : memref<8xf32, strided<[1]>>) outs(%to : memref<8xf32, strided<[1], offset: 1>>) {mlirprof.copy}
  linalg.copy {mlirprof.copy} ins(%from : memref<8xf32, strided<[1]>>) outs(%to : memref<8xf32, strided<[1], offset: 1>>)
  return
}

// A copy of contiguous buffers is one of memory.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: memref.copy
func.func @plain(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  return
}
