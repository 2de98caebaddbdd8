// A level after inlining and loops: what the new nodes came from.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="inline,symbol-dce,convert-scf-to-cf"},prof-snapshot{level=cf})' --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// Input: 0 @square, 1 mul, 2 return, 3 @main, 4 call, 5 call, 6 add, 7 return.
// CHECK: prof.program = {
// CHECK-SAME: level = "input"
// The second level has @main, the two products, the sum and the return.
// CHECK-SAME: caller_counts = array<i32: 0, 1, 1, 0, 0>, callers = array<i32: 4, 5>
// CHECK-SAME: container = array<i32: -1, 8, 8, 8, 8>
// CHECK-SAME: level = "cf"
// CHECK-SAME: parent_counts = array<i32: 1, 1, 1, 1, 1>, parents = array<i32: 3, 1, 1, 6, 7>
// The callee owns, and new locations do not pile up old identities.
// CHECK: arith.mulf {{.*}} loc(fused<{prof = 9 : i32}>[callsite("mul" at "first")])
// CHECK: arith.mulf {{.*}} loc(fused<{prof = 10 : i32}>[callsite("mul" at "second")])
// CHECK: arith.addf {{.*}} loc(fused<{prof = 11 : i32}>["sum"])
func.func private @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32 loc("mul")
  return %0 : f32 loc("square/return")
}
func.func @main(%x: f32, %y: f32) -> f32 {
  %0 = call @square(%x) : (f32) -> f32 loc("first")
  %1 = call @square(%y) : (f32) -> f32 loc("second")
  %2 = arith.addf %0, %1 : f32 loc("sum")
  return %2 : f32 loc("return")
}

// Of an op that came from very many others some are left out, not silently.
// RUN: %python %S/Inputs/many_origins.py > %t.many.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-snapshot{level=many})' %t.many.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: warning: level 'many': 1 ops come from more than 128 ops; 72 of their origins are left out
