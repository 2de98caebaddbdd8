// RUN: %mlir-prof-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(func.func(cpu-branch-weights))' | FileCheck %s
// RUN: %mlir-prof-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(func.func(cpu-branch-weights),one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize,cse,func.func(cpu-limit-unrolling),convert-scf-to-cf,expand-strided-metadata,convert-to-llvm,canonicalize,reconcile-unrealized-casts,cpu-loop-annotations)' -o %t.llvm.mlir
// RUN: FileCheck %s --check-prefix=GONE < %t.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir --split-input-file %t.llvm.mlir | FileCheck %s --check-prefix=LL

// No carrier is left behind.
// GONE-NOT: expect
// GONE-NOT: mlirprof

// Both ways of a branch.

// CHECK-LABEL: func @branch(
// CHECK: %[[C:.*]] = llvm.intr.expect.with.probability %arg1, %{{.*}}, 7.500000e-01 {mlirprof.weights = array<i32: 30, 10>}
// CHECK: scf.if %[[C]]
// LL-LABEL: @branch(
// LL: br i1 %{{.*}} !prof ![[WEIGHTS:[0-9]+]]
// LL: ![[WEIGHTS]] = !{!"branch_weights", i32 30, i32 10}
func.func @branch(%x: tensor<8xf32>, %c: i1, %k: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> tensor<8xf32> {
    %a = tensor.insert %k into %x[%c0] : tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } else {
    %a = tensor.insert %k into %x[%c1] : tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } {mlirprof.choice = {branches = {taken = "30", "not-taken" = "10"}}}
  return %r : tensor<8xf32>
}

// -----

// Counts beyond 32 bits are scaled; one that is not 0 does not become 0.

// CHECK-LABEL: func @large(
// CHECK: mlirprof.weights = array<i32: 1072694{{[0-9]*}}, 1>
func.func @large(%x: memref<8xf32>, %c: i1, %k: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    memref.store %k, %x[%c0] : memref<8xf32>
  } {mlirprof.choice = {branches = {taken = "1099511627776", "not-taken" = "5"}}}
  return
}

// -----

// A loop of few trips that change: no vectors, no unrolling.

// CHECK-LABEL: func @few(
// CHECK: scf.for
// CHECK: mlirprof.trips = #llvm.constant_range<i32, 3, 4>
// LL-LABEL: @few(
// LL: br i1 %{{.*}} !prof ![[TRIPS:[0-9]+]]
// LL: br label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
// LL: ![[TRIPS]] = !{!"branch_weights", i32 3, i32 1}
// LL: ![[LOOP]] = distinct !{![[LOOP]], ![[ONE:[0-9]+]], ![[TWO:[0-9]+]]}
// LL-DAG: !{{[0-9]+}} = !{!"llvm.loop.unroll.disable"}
// LL-DAG: !{{[0-9]+}} = !{!"llvm.loop.vectorize.enable", i1 false}
func.func @few(%x: tensor<8xf32>, %n: index, %k: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = tensor.insert %k into %a[%i] : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } {mlirprof.choice = {branches = {trips = "3"}}}
  return %r : tensor<8xf32>
}

// -----

// The same six trips each time: that many copies. A rule's limit comes after
// what was chosen.

// CHECK-LABEL: func @same(
// LL-LABEL: @same(
// LL: br i1 %{{.*}} !prof ![[TRIPS:[0-9]+]]
// LL: ![[TRIPS]] = !{!"branch_weights", i32 6, i32 1}
// LL-NOT: vectorize
// LL: !{!"llvm.loop.unroll.count", i32 6}
// LL-NOT: unroll.disable
func.func @same(%x: tensor<8xf32>, %n: index, %k: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %b = tensor.insert %k into %a[%i] : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } {mlirprof.parallel, mlirprof.choice = {branches = {trips = "6", always = "true"}}}
  return %r : tensor<8xf32>
}

// -----

// A loop with a condition.

// CHECK-LABEL: func @condition(
// CHECK: %[[C:.*]] = llvm.intr.expect.with.probability {{.*}} {mlirprof.weights = array<i32: 50, 1>}
// CHECK: scf.condition(%[[C]])
// LL-LABEL: @condition(
// LL: br i1 %{{.*}} !prof ![[TRIPS:[0-9]+]]
// LL: ![[TRIPS]] = !{!"branch_weights", i32 50, i32 1}
func.func @condition(%x: tensor<8xf32>, %n: index, %k: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %i = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %a, %i : tensor<8xf32>, index
  } do {
  ^bb0(%a: tensor<8xf32>, %i: index):
    %b = tensor.insert %k into %a[%i] : tensor<8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %b, %j : tensor<8xf32>, index
  } attributes {mlirprof.choice = {branches = {trips = "50"}}}
  return %r#0 : tensor<8xf32>
}

// -----

// Without a choice, with one that is no number, and where the bounds tell:
// nothing.

// CHECK-LABEL: func @nothing(
// CHECK-NOT: expect
// CHECK-NOT: trips = #
// LL-LABEL: @nothing(
// LL-NOT: !prof
func.func @nothing(%x: memref<8xf32>, %c: i1, %n: index, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.if %c {
    memref.store %k, %x[%c0] : memref<8xf32>
  } {mlirprof.choice = {branches = {taken = "many", "not-taken" = "1"}}}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %k, %x[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %k, %x[%i] : memref<8xf32>
  } {mlirprof.choice = {branches = {trips = "8"}}}
  return
}
