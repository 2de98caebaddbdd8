// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-plan-buffers))' | FileCheck %s

// All buffers of known size are parts of one: those that are alive together beside
// each other, the others in the same place.

func.func private @use(memref<100xf32>)
func.func private @use_more(memref<100xf32>, memref<100xf32>)

// 100 numbers take 400 bytes; the second one begins at the next multiple of 64.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<848xi8>
// CHECK: %[[A:.*]] = arith.constant 0 : index
// CHECK: %[[FIRST:.*]] = memref.view %[[ALL]][%[[A]]][] : memref<848xi8> to memref<100xf32>
// CHECK: %[[B:.*]] = arith.constant 448 : index
// CHECK: %[[SECOND:.*]] = memref.view %[[ALL]][%[[B]]][]
// CHECK: call @use_more(%[[FIRST]], %[[SECOND]])
// CHECK-NOT: memref.dealloc
// CHECK: %[[C:.*]] = arith.constant 0 : index
// CHECK: %[[THIRD:.*]] = memref.view %[[ALL]][%[[C]]][]
// CHECK: call @use_more(%[[SECOND]], %[[THIRD]])
// CHECK: memref.dealloc %[[ALL]]
// CHECK-NEXT: return
func.func @shared() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  call @use_more(%a, %b) : (memref<100xf32>, memref<100xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  call @use_more(%b, %c) : (memref<100xf32>, memref<100xf32>) -> ()
  memref.dealloc %b : memref<100xf32>
  memref.dealloc %c : memref<100xf32>
  return
}

// What is returned, has an unknown size, or is freed elsewhere stays.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[RESULT:.*]] = memref.alloc() : memref<100xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.alloc() : memref<100xf32>
// CHECK: scf.if
// CHECK: memref.dealloc
// CHECK: return %[[RESULT]]
func.func @kept(%n: index, %some: i1) -> memref<100xf32> {
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<100xf32>
  scf.if %some {
    memref.dealloc %c : memref<100xf32>
  }
  memref.dealloc %b : memref<?xf32>
  return %a : memref<100xf32>
}

// The buffer of a loop is that of all its iterations, beside what is alive around
// the loop.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<848xi8>
// CHECK: scf.for
// CHECK-NEXT: arith.constant 448 : index
// CHECK-NEXT: memref.view %[[ALL]]
// CHECK-NOT: memref.dealloc
// CHECK: }
// CHECK: memref.dealloc %[[ALL]]
func.func @loop(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<100xf32>
  scf.for %i = %zero to %n step %one {
    %b = memref.alloc() : memref<100xf32>
    func.call @use_more(%a, %b) : (memref<100xf32>, memref<100xf32>) -> ()
    memref.dealloc %b : memref<100xf32>
  }
  memref.dealloc %a : memref<100xf32>
  return
}

// A branch that is not taken takes no memory; a single buffer is one allocation
// already.
// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<848xi8>
// CHECK: memref.dealloc
// CHECK: } else {
// CHECK-NEXT: memref.alloc() : memref<100xf32>
// CHECK: memref.dealloc
func.func @branches(%some: i1) {
  scf.if %some {
    %a = memref.alloc() : memref<100xf32>
    %b = memref.alloc() : memref<100xf32>
    func.call @use_more(%a, %b) : (memref<100xf32>, memref<100xf32>) -> ()
    memref.dealloc %a : memref<100xf32>
    memref.dealloc %b : memref<100xf32>
  } else {
    %a = memref.alloc() : memref<100xf32>
    func.call @use(%a) : (memref<100xf32>) -> ()
    memref.dealloc %a : memref<100xf32>
  }
  return
}

// Iterations that may run at the same time have buffers of their own.
// CHECK-LABEL: func.func @parallel(
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<848xi8>
// CHECK: memref.dealloc
// CHECK: scf.reduce
func.func @parallel(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %a = memref.alloc() : memref<100xf32>
    %b = memref.alloc() : memref<100xf32>
    func.call @use_more(%a, %b) : (memref<100xf32>, memref<100xf32>) -> ()
    memref.dealloc %a : memref<100xf32>
    memref.dealloc %b : memref<100xf32>
    scf.reduce
  }
  return
}
