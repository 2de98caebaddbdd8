// A function that a pass makes belongs to the ops that it was made for.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="convert-math-to-funcs" remarks=false},prof-snapshot{level=funcs})' --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// Input: 0 @f, 1 and 2 the powers, 3 their sum, 4 the return. Each op of the new
// function comes from both powers.
// CHECK: level = "funcs"
// CHECK-SAME: parents = array<i32: 0, 1, 2, 3, 4, 1, 2
func.func @f(%x: i32, %y: i32) -> i32 {
  %0 = math.ipowi %x, %y : i32 loc("first")
  %1 = math.ipowi %y, %x : i32 loc("second")
  %2 = arith.addi %0, %1 : i32 loc("sum")
  return %2 : i32 loc("return")
} loc("f")
