// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-parallelize{threads=8}))' | FileCheck %s
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-parallelize{threads=1}))' | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: scf.parallel

// Work that is worth it goes to all threads.

// CHECK-LABEL: func @large(
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c100000) step (%c1)
// CHECK-NOT: scf.for
// CHECK: return
func.func @large(%a: memref<100000xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<100000xf32>
  } {mlirprof.parallel}
  return
}

// One thread was chosen, also for the loops within.

// CHECK-LABEL: func @one(
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @one(%a: memref<1000x100xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      memref.store %x, %a[%i, %j] : memref<1000x100xf32>
    } {mlirprof.parallel}
  } {mlirprof.choice = {threads = {count = "1"}}, mlirprof.parallel}
  return
}

// All were chosen for little work; more than there are is all, none is one.

// CHECK-LABEL: func @all(
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @all(%a: memref<10xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "8"}}, mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "65536"}}, mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "0"}}, mlirprof.parallel}
  return
}

// Three of eight: a loop over three parts.

// CHECK-LABEL: func @three(
// CHECK: %[[PARTS:.*]] = arith.constant 3 : index
// CHECK: scf.parallel (%[[PART:.*]]) = (%{{.*}}) to (%[[PARTS]]) step (%{{.*}}) {
// CHECK: scf.for {{.*}} {
// CHECK: memref.store
// CHECK: } {mlirprof.choice = {threads = {count = "3"}}, mlirprof.parallel}
// CHECK: return
func.func @three(%a: memref<10xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "3"}}, mlirprof.parallel}
  return
}

// What is no number of threads chooses nothing, and a choice makes no loop
// parallel.

// CHECK-LABEL: func @none(
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @none(%a: memref<10xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "-1"}}, mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "99999999999999999999"}}, mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = 8}}, mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<10xf32>
  } {mlirprof.choice = {threads = {count = "8"}}}
  return
}

// A batch of one is no work to share: that is the loop within.

// CHECK-LABEL: func @batch_of_one(
// CHECK: %[[PARTS:.*]] = arith.constant 2 : index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[PARTS]])
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @batch_of_one(%a: memref<1x80000xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 80000 : index
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<1x80000xf32>
    } {mlirprof.choice = {threads = {count = "2"}}, mlirprof.parallel}
  } {mlirprof.choice = {threads = {count = "2"}}, mlirprof.parallel}
  return
}
