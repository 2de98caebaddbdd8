// RUN: %mlir-prof-opt %s --cpu-limit-unrolling | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[HINTS:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: } {llvm.loop_annotation = #[[HINTS]]}
// CHECK: scf.for
// CHECK-NOT: loop_annotation
// CHECK-NOT: mlirprof.choice
// CHECK: return
func.func @loops(%n: index, %m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<8xf32>
  } {mlirprof.parallel}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<8xf32>
  } {mlirprof.choice = {threads = {count = "1"}}}
  return
}
