// Where an op that lost its location gets its identity from.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-repair)' --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK-LABEL: func.func @parent
func.func @parent(%a: memref<4xf32>, %c0: index, %c4: index, %c1: index) {
  scf.for %i = %c0 to %c4 step %c1 {
    // Parents come before users.
    // CHECK: memref.load {{.*}} loc(fused<{prof = 1 : i32}>["loop"])
    %0 = memref.load %a[%i] : memref<4xf32> loc(unknown)
    memref.store %0, %a[%i] : memref<4xf32> loc(fused<{prof = 2 : i32}>["store"])
    scf.yield loc(fused<{prof = 1 : i32}>["loop"])
  } loc(fused<{prof = 1 : i32}>["loop"])
  return loc(fused<{prof = 3 : i32}>["return"])
}

// A chain of lost ops, to its user; and one whose user only returns it, from
// its operand.
// CHECK-LABEL: func.func @chain
func.func @chain(%x: f32) -> f32 {
  // CHECK: arith.addf {{.*}} loc(fused<{prof = 5 : i32}>["mul"])
  %0 = arith.addf %x, %x : f32 loc(unknown)
  // CHECK: arith.subf {{.*}} loc(fused<{prof = 5 : i32}>["mul"])
  %1 = arith.subf %0, %x : f32 loc(unknown)
  %2 = arith.mulf %1, %1 : f32 loc(fused<{prof = 5 : i32}>["mul"])
  // CHECK: arith.divf {{.*}} loc(fused<{prof = 5 : i32}>["mul"])
  %3 = arith.divf %2, %x : f32 loc(unknown)
  return %3 : f32 loc(fused<{prof = 6 : i32}>["return"])
}

// CHECK-LABEL: func.func @neighbor
func.func @neighbor(%a: memref<f32>, %x: f32) {
  // CHECK: memref.store {{.*}} loc(fused<{prof = 8 : i32}>["next"])
  memref.store %x, %a[] : memref<f32> loc(unknown)
  memref.store %x, %a[] : memref<f32> loc(fused<{prof = 8 : i32}>["next"])
  // Rather the op before than the return.
  // CHECK: memref.store {{.*}} loc(fused<{prof = 8 : i32}>["next"])
  memref.store %x, %a[] : memref<f32> loc(unknown)
  return loc(fused<{prof = 9 : i32}>["return"])
}

// In a graph of blocks.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^b loc(fused<{prof = 10 : i32}>["branch"])
^a:
  // CHECK: cf.br {{.*}} loc(fused<{prof = 10 : i32}>["branch"])
  cf.br ^b loc(unknown)
^b:
  // CHECK: return loc(fused<{prof = 10 : i32}>["branch"])
  return loc(unknown)
}

// Nothing near: the function.
// CHECK-LABEL: func.func @alone
func.func @alone(%x: f32) -> f32 {
  // CHECK: arith.addf {{.*}} loc(fused<{prof = 11 : i32}>["alone"])
  %0 = arith.addf %x, %x : f32 loc(unknown)
  // CHECK: return {{.*}} loc(fused<{prof = 11 : i32}>["alone"])
  return %0 : f32 loc(unknown)
} loc(fused<{prof = 11 : i32}>["alone"])

// Constants lose theirs; identities of several ops stay, and the callee owns.
// CHECK-LABEL: func.func @others
func.func @others(%x: f32) -> f32 {
  // CHECK: arith.constant {{.*}} loc("zero")
  %c = arith.constant 0.0 : f32 loc(fused<{prof = 12 : i32}>["zero"])
  // CHECK: arith.addf {{.*}} loc(fused[fused<{prof = 12 : i32}>["a"], fused<{prof = 13 : i32}>["b"]])
  %0 = arith.addf %x, %c : f32 loc(fused[fused<{prof = 12 : i32}>["a"], fused<{prof = 13 : i32}>["b"]])
  // No identity is negative.
  // CHECK: arith.subf {{.*}} loc(fused[fused<{prof = 12 : i32}>["a"], fused<{prof = 13 : i32}>["b"]])
  %1 = arith.subf %0, %x : f32 loc(fused<{prof = -1 : i32}>["negative"])
  return %1 : f32 loc(fused<{prof = 14 : i32}>["return"])
}
