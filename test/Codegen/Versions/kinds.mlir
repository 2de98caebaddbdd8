// Functions of other kinds: buffers, several blocks, recursion, several numbers
// of an i1.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' %s | FileCheck %s

// CHECK-LABEL: func.func @memory(
// CHECK: memref.cast %arg0 : memref<?x4xf32> to memref<8x4xf32>
// CHECK: call @memory.version1(
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[INDEX:.*]] = arith.index_castui %arg0 : i1 to index
// CHECK: scf.index_switch %[[INDEX]] -> tensor<?xf32>, i1
// CHECK-LABEL: func.func @recursive(

// CHECK-LABEL: func.func private @memory.version1(%arg0: memref<8x4xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c8
// CHECK: scf.for %{{.*}} = %c0 to %c3
func.func @memory(%a: memref<?x4xf32>, %n: index)
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=8 arg1=3"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %d = memref.dim %a, %c0 : memref<?x4xf32>
  scf.for %i = %c0 to %d step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %a[%i, %j] : memref<?x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @blocks.version1(
// CHECK-NOT: cond_br
// CHECK: arith.negf
// CHECK-LABEL: func.func private @blocks.version2(
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %arg1, %[[TRUE]]
// CHECK-LABEL: func.func private @blocks.generic(
// CHECK: cf.cond_br
func.func @blocks(%a: i1, %b: tensor<?xf32>) -> (tensor<?xf32>, i1)
    attributes {mlirprof.choice = {versions = {"1" = "arg0=1", "0" = "arg0=0"}}} {
  cf.cond_br %a, ^one, ^two
^one:
  return %b, %a : tensor<?xf32>, i1
^two:
  %n = arith.negf %b : tensor<?xf32>
  return %n, %a : tensor<?xf32>, i1
}

// What is called again is dispatched again.
// CHECK-LABEL: func.func private @recursive.version1(
// CHECK: call @recursive(%c2
// CHECK-LABEL: func.func private @recursive.generic(
// CHECK: func.call @recursive(
func.func @recursive(%n: index) -> index
    attributes {mlirprof.choice = {versions = {"1" = "arg0=3"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> index {
    scf.yield %c1 : index
  } else {
    %m = arith.subi %n, %c1 : index
    %q = func.call @recursive(%m) : (index) -> index
    %p = arith.muli %q, %n : index
    scf.yield %p : index
  }
  return %r : index
}
