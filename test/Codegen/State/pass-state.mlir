// RUN: %mlir-prof-opt %s --cpu-pass-state | FileCheck %s

// Callers pass the memory of the variables, behind the other arguments.

// CHECK-NOT: memref.global
memref.global "public" @mlirprof_state : memref<64xi8> = dense<0> {alignment = 64 : i64}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32>, %[[STATE:[^:]*]]: memref<64xi8> {mlirprof.state})
// CHECK-NOT: get_global
// CHECK: %[[PLACE:.*]] = memref.view %[[STATE]]
// CHECK: memref.copy %[[X]], %[[PLACE]]
// CHECK: memref.view %[[STATE]]
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %state = memref.get_global @mlirprof_state : memref<64xi8>
  %place = memref.view %state[%zero][] : memref<64xi8> to memref<4xf32>
  memref.copy %x, %place : memref<4xf32> to memref<4xf32>
  %again = memref.get_global @mlirprof_state : memref<64xi8>
  %same = memref.view %again[%zero][] : memref<64xi8> to memref<4xf32>
  memref.copy %same, %x : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @other(%{{.*}}: memref<4xf32>) {
func.func @other(%x: memref<4xf32>) {
  return
}
