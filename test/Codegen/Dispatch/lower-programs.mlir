// RUN: %mlir-prof-opt %s --cpu-lower-dispatches=threads=2 | FileCheck %s
// RUN: %mlir-prof-opt %s --cpu-lower-dispatches=threads=2 --convert-scf-to-cf \
// RUN:   --expand-strided-metadata --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// The variables of the code, and a program.
// CHECK-DAG: llvm.mlir.global weak @mlirprof_status(0 : i32)
// CHECK-DAG: llvm.mlir.global weak @mlirprof_executor()
// CHECK-DAG: llvm.func @prof_executor_run(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

// A function for each dispatch, whose return address tells it. They do not exist yet.
// CHECK: llvm.mlir.global internal constant @mlirprof_kernels_0()
// CHECK-SAME: mlirprof.addresses = ["move_dispatch_0", "move_dispatch_1", "move_dispatch_2", "move_dispatch_3", "grow_dispatch_4", "move_dispatch_5"]
// CHECK-SAME: mlirprof.thunk_kernels = ["move", "move", "move", "move", "grow", "move"]
// CHECK-SAME: mlirprof.thunk_places = [#[[FIRST:loc[0-9]*]],
// CHECK-SAME: : !llvm.array<6 x ptr>
// CHECK: @mlirprof_table_0() {{.*}}mlirprof.kernels = ["move", "move", "move", "move", "grow", "move"]
// The header: 6 dispatches, 17 bindings, 2 arguments, 5 successors, 6 kernels, 7 addresses
// (x, 0, all, 64, y, z, and the workspace), 2 parameters, at most 3 bindings and 2 arguments.
// CHECK-SAME: array<i32: 1296367617, 6, 17, 2, 5, 6, 7, 2, 3, 2,
// Dispatch 2 waits for 0, 3 for 2, and 5 for 1, and for 0 and 4, which read an argument: it may
// be the one that 5 writes.
// CHECK-SAME: 0, 0, 1, 1, 1, 0, 0, 3, 0, 0, 0, 2, 0,
// CHECK-SAME: 1, 1, 1, 1, 1, 0, 3, 3, 0, 0, 2, 1, 0,
// CHECK-SAME: 2, 2, 1, 1, 1, 0, 6, 3, 0, 0, 3, 1, 1,
// CHECK-SAME: 3, 3, 1, 1, 1, 0, 9, 3, 0, 0, 4, 0, 1,
// CHECK-SAME: 4, 4, 1, 1, 1, 0, 12, 2, 0, 2, 4, 1, 0,
// CHECK-SAME: 5, 5, 1, 1, 1, 0, 14, 3, 2, 0, 5, 0, 3,
// Bindings: the second part of the allocation is 64 bytes behind its begin.
// CHECK-SAME: 0, 0, 0, 1, 0, 0, 2, 0, 0,
// CHECK-SAME: 0, 0, 0, 3, 0, 0, 2, 64, 0,
// CHECK-SAME: 2, 5, 5, 3, 5>
// CHECK: llvm.mlir.global external @mlirprof_workspace_0() {{.*}}: i64
func.func private @move(memref<16xf32>, index, memref<16xf32>) attributes {dispatch.kernel}
func.func private @grow(memref<?xf32>, memref<?xf32>) attributes {dispatch.kernel}

// CHECK-LABEL: func.func @main
// CHECK-NOT: dispatch.run
// CHECK: %[[BYTES:.*]] = llvm.mlir.addressof @mlirprof_workspace_0
// CHECK: llvm.load %[[BYTES]]
// CHECK: %[[CODE:.*]] = llvm.call @prof_executor_run
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[CODE]]
// CHECK: scf.if %[[FAILED]]
// CHECK: llvm.store %[[CODE]]
// A buffer that was freed between dispatches lives until all have run.
// CHECK: memref.dealloc %{{.*}} : memref<?xf32>
// CHECK: memref.dealloc %{{.*}} : memref<192xi8>
// LOWERED: llvm.func @main
// LOWERED-NOT: unrealized_conversion_cast
func.func @main(%x: memref<16xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %all = memref.alloc() : memref<192xi8>
  %a = memref.view %all[%c0][] : memref<192xi8> to memref<16xf32>
  dispatch.run @move ins(%x, %c0 : memref<16xf32>, index) outs(%a : memref<16xf32>)
    {instance = 0 : i32}
  %b = memref.view %all[%c64][] : memref<192xi8> to memref<16xf32>
  dispatch.run @move ins(%x, %c64 : memref<16xf32>, index) outs(%b : memref<16xf32>)
    {instance = 1 : i32}
  %c = memref.view %all[%c128][] : memref<192xi8> to memref<16xf32>
  dispatch.run @move ins(%a, %c0 : memref<16xf32>, index) outs(%c : memref<16xf32>)
    {instance = 2 : i32}
  dispatch.run @move ins(%c, %c0 : memref<16xf32>, index) outs(%a : memref<16xf32>)
    {instance = 3 : i32}
  %n = memref.dim %y, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  dispatch.run @grow ins(%y : memref<?xf32>) outs(%z : memref<?xf32>) {instance = 4 : i32}
  memref.dealloc %z : memref<?xf32>
  dispatch.run @move ins(%b, %c0 : memref<16xf32>, index) outs(%x : memref<16xf32>)
    {instance = 5 : i32}
  memref.dealloc %all : memref<192xi8>
  return
}

// One program for each run of the loop's body, and one behind the number that the host reads.
// CHECK-LABEL: func.func @control
// CHECK: scf.for
// CHECK: llvm.call @prof_executor_run
// CHECK: }
// CHECK: memref.load
// CHECK: llvm.call @prof_executor_run
func.func @control(%x: memref<16xf32>, %y: memref<16xf32>, %count: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %count step %c1 {
    dispatch.run @move ins(%x, %i : memref<16xf32>, index) outs(%y : memref<16xf32>)
      {instance = 6 : i32}
  }
  %r = memref.load %y[%c0] : memref<16xf32>
  dispatch.run @move ins(%y, %c0 : memref<16xf32>, index) outs(%x : memref<16xf32>)
    {instance = 7 : i32}
  return %r : f32
}
