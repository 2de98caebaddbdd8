// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-canonicalize)' | FileCheck %s
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=UPSTREAM

// Branches and loops that lose a result are other ops then: with what was seen
// of them.

// CHECK-LABEL: func @results(
// CHECK: scf.if %arg0 -> (f32) {
// CHECK: } {mlirprof.choice = {branches = {"not-taken" = "10", taken = "30"}}}
// CHECK: scf.while
// CHECK: } attributes {mlirprof.choice = {branches = {trips = "7"}}}
func.func @results(%c: i1, %x: memref<8xf32>, %n: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.if %c -> (f32, f32) {
    %a = memref.load %x[%c0] : memref<8xf32>
    %b = memref.load %x[%c1] : memref<8xf32>
    memref.store %b, %x[%c0] : memref<8xf32>
    scf.yield %a, %b : f32, f32
  } else {
    %a = memref.load %x[%n] : memref<8xf32>
    memref.store %a, %x[%c0] : memref<8xf32>
    scf.yield %a, %a : f32, f32
  } {mlirprof.choice = {branches = {taken = "30", "not-taken" = "10"}}}
  %w:2 = scf.while (%i = %c0, %unused = %c1) : (index, index) -> (index, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %c1 : index, index
  } do {
  ^bb0(%i: index, %unused: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %c1 : index, index
  } attributes {mlirprof.choice = {branches = {trips = "7"}}}
  return %r#0, %w#0 : f32, index
}

// A result that is a choice between two values becomes a select; the branch is
// made anew for the rest.

// UPSTREAM-LABEL: func @select(
// UPSTREAM-NOT: mlirprof.choice
// UPSTREAM-LABEL: func @combined(

// CHECK-LABEL: func @select(
// CHECK: scf.if %arg0 -> (f32) {
// CHECK: } {mlirprof.choice = {branches = {"not-taken" = "10", taken = "30"}}}
func.func @select(%c: i1, %x: memref<8xf32>, %n: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.if %c -> (f32, index) {
    %a = memref.load %x[%c0] : memref<8xf32>
    scf.yield %a, %n : f32, index
  } else {
    %a = memref.load %x[%n] : memref<8xf32>
    memref.store %a, %x[%c0] : memref<8xf32>
    scf.yield %a, %c0 : f32, index
  } {mlirprof.choice = {branches = {taken = "30", "not-taken" = "10"}}}
  return %r#0, %r#1 : f32, index
}

// Two branches that become one on another condition: what was seen is of
// neither.

// CHECK-LABEL: func @combined(
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK-NEXT: scf.if %[[BOTH]] {
// CHECK-NOT: mlirprof.choice
// CHECK: return
func.func @combined(%c: i1, %d: i1, %x: memref<8xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    scf.if %d {
      memref.store %k, %x[%c0] : memref<8xf32>
    }
  } {mlirprof.choice = {branches = {taken = "30", "not-taken" = "10"}}}
  return
}

// In the pipeline as a whole they come to LLVM.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-canonicalize,func.func(cpu-branch-weights))' | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS-LABEL: func @results(
// WEIGHTS: mlirprof.weights = array<i32: 30, 10>
// WEIGHTS: mlirprof.weights = array<i32: 7, 1>
