// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(func.func(cpu-place-workspace))' %s | FileCheck %s

// Two buffers follow each other at multiples of 64 bytes, that of a branch too.
// CHECK-LABEL: func.func private @kernel
// CHECK-SAME: %{{.*}}: memref<10xf32>,
// CHECK-SAME: %[[B:arg[0-9]+]]: memref<5xf32> {mlirprof.workspace = 0 : i64},
// CHECK-SAME: %[[C:arg[0-9]+]]: memref<2x100xi8> {mlirprof.workspace = 64 : i64})
// CHECK-SAME: mlirprof.workspace = 320 : i64
func.func private @kernel(%a: memref<10xf32>, %is: i1, %zero: i8)
    attributes {dispatch.kernel} {
  %b = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
  %part = memref.subview %a[0] [5] [1]
    : memref<10xf32> to memref<5xf32, strided<[1]>>
  // CHECK-NOT: memref.alloc
  // CHECK: memref.copy %{{.*}}, %[[B]]
  memref.copy %part, %b : memref<5xf32, strided<[1]>> to memref<5xf32>
  scf.if %is {
    %c = memref.alloc() : memref<2x100xi8>
    // CHECK: linalg.fill {{.*}} outs(%[[C]]
    linalg.fill ins(%zero : i8) outs(%c : memref<2x100xi8>)
    // CHECK-NOT: memref.dealloc
    memref.dealloc %c : memref<2x100xi8>
  }
  memref.dealloc %b : memref<5xf32>
  return
}

// A function without allocations stays as it is.
// CHECK-LABEL: func.func @plain
// CHECK-SAME: (%{{.*}}: memref<4xf32>) {
func.func @plain(%a: memref<4xf32>) {
  return
}

// Nobody calls other functions with a workspace.
// CHECK-LABEL: func.func private @other
// CHECK: memref.alloc
func.func private @other() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
