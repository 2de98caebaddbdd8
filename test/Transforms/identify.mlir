// Every op in a function gets an identity, constants none; the program says what
// each is.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// RUN: %mlir-prof-opt --prof-identify --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// Any tool reads it, without our dialect.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' --mlir-print-debuginfo %s | mlir-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// prof-strip gives the module back as it was.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-strip)' --mlir-print-debuginfo %s -o %t.stripped
// RUN: %mlirprof_opt --mlir-print-debuginfo %s -o %t.input
// RUN: diff %t.stripped %t.input

// The nodes are numbered in pre-order: 0 is @square, 3 @main.
// CHECK: module @net attributes {prof.program = {
// CHECK-SAME: levels = [{
// Columns stand in the order of their names. Container:
// CHECK-SAME: container = array<i32: -1, 0, 0, -1, 3, 4, 4, 4, 4, 3, 9, 3, 11, 3, 13, 3, 3>
// CHECK-SAME: cost = array<i64:
// CHECK-SAME: kind = array<i8: 2, 0, 0, 2, 1, 0, 3, 0, 0, 1, 0, 1, 0, 1, 0, 4, 0>
// CHECK-SAME: level = "input"
// The module is 0, the declaration 1; constants count.
// CHECK-SAME: position = array<i32: 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22>
// CHECK-SAME: trips = array<i64: -1, -1, -1, -1, 16, -1, -1, -1, -1, -1, -1, 256, -1, 4, -1, -1, -1>
// CHECK-SAME: strings = ["",
// CHECK-SAME: version = 1 : i32
module @net {
  func.func private @extern(f32) -> f32
  func.func @square(%x: f32) -> f32 {
    // CHECK: arith.mulf {{.*}} loc(fused<{prof = 1 : i32}>["square/mul"("net.py":3:1)])
    %0 = arith.mulf %x, %x : f32 loc("square/mul"("net.py":3:1))
    return %0 : f32 loc("square/return")
  // CHECK: } loc(fused<{prof = 0 : i32}>["square"])
  } loc("square")
  func.func @main(%a: memref<16xf32>, %n: index, %c: i1) {
    // CHECK: arith.constant 0 : index loc("zero")
    %c0 = arith.constant 0 : index loc("zero")
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %f = arith.constant 0.0 : f32
    // CHECK: scf.for
    scf.for %i = %c0 to %c16 step %c1 {
      // CHECK: memref.load {{.*}} loc(fused<{prof = 5 : i32}>["load"])
      %0 = memref.load %a[%i] : memref<16xf32> loc("load")
      // CHECK: func.call {{.*}} loc(fused<{prof = 6 : i32}>["call"("net.py":9:1)])
      %1 = func.call @square(%0) : (f32) -> f32 loc("call"("net.py":9:1))
      memref.store %1, %a[%i] : memref<16xf32> loc("store")
    // CHECK: } loc(fused<{prof = 4 : i32}>["loop"("net.py":7:2)])
    } loc("loop"("net.py":7:2))
    scf.for %i = %c0 to %n step %c1 {
    } loc("dynamic")
    scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c1, %c1) {
    } loc("parallel")
    affine.for %i = 0 to 10 step 3 {
    } loc("affine")
    cf.cond_br %c, ^exit, ^exit loc("branch")
  ^exit:
    return loc("return")
  }
}
