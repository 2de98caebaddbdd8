// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(func.func(cpu-settle-buffers))' %s | FileCheck %s

// Each branch copies its buffer to that of the result, and nothing is freed.

// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[X:[^:]*]]: memref<4xf32>, %[[Y:[^:]*]]: memref<4xf32>
// CHECK: %[[SETTLED:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.if %[[C]]
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: memref.copy %[[A]], %[[SETTLED]]
// CHECK: else
// CHECK: memref.copy %[[X]], %[[SETTLED]]
// CHECK-NOT: memref.dealloc
// CHECK: memref.copy %[[SETTLED]], %[[Y]]
func.func @branch(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) {
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  memref.copy %r, %y : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %r : memref<4xf32>
  }
  return
}

// A loop that exchanges its buffers saves them before it writes over them.

// CHECK-LABEL: func.func @exchange(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32>, %[[Y:[^:]*]]: memref<4xf32>
// CHECK: memref.copy %[[X]], %[[A:.*]] : memref
// CHECK: memref.copy %[[Y]], %[[B:.*]] : memref
// CHECK: scf.for
// CHECK: memref.copy %[[B]], %[[SAVED_B:.*]] : memref
// CHECK: memref.copy %[[A]], %[[SAVED_A:.*]] : memref
// CHECK: memref.copy %[[SAVED_B]], %[[A]] : memref
// CHECK: memref.copy %[[SAVED_A]], %[[B]] : memref
// CHECK: memref.copy %[[A]], %[[Y]]
func.func @exchange(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y)
      -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  memref.copy %r#0, %y : memref<4xf32> to memref<4xf32>
  return
}

// The buffer that a condition passes on stays in its place.

// CHECK-LABEL: func.func @while(
// CHECK-SAME: %[[X:[^:]*]]: memref<i1>
// CHECK: %[[A:.*]] = memref.alloc() : memref<i1>
// CHECK: memref.copy %[[X]], %[[A]]
// CHECK: scf.while
// CHECK-NOT: memref.copy
// CHECK: memref.load %[[A]]
// CHECK-NOT: memref.copy
// CHECK: do
// CHECK: memref.copy %[[B:.*]], %[[A]]
func.func @while(%x: memref<i1>) {
  %r = scf.while (%a = %x) : (memref<i1>) -> memref<i1> {
    %c = memref.load %a[] : memref<i1>
    scf.condition(%c) %a : memref<i1>
  } do {
  ^bb0(%a: memref<i1>):
    %b = memref.alloc() : memref<i1>
    memref.copy %a, %b : memref<i1> to memref<i1>
    scf.yield %b : memref<i1>
  }
  memref.copy %r, %x : memref<i1> to memref<i1>
  return
}
