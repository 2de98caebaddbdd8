// RUN: %mlir-prof-opt %s --cpu-thread-state | FileCheck %s

// Variables are values: arguments and results of functions, handed on by loops and
// calls. The first values stay in memory.

// CHECK: memref.global "private" @sum : memref<4xf32> = dense<1.000000e+00>
// CHECK: memref.global "private" @count : memref<i32> = dense<3>
// CHECK: memref.global "private" @fresh : memref<4xf32> = uninitialized
// CHECK-NOT: ml_program
ml_program.global private mutable @sum(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @count(3 : i32) : i32
ml_program.global private mutable @fresh : tensor<4xf32>
ml_program.global private mutable @constant(dense<2.0> : tensor<4xf32>) : tensor<4xf32>

// A store is an insertion of the value into the old one; what follows takes the
// value itself. A variable that is only read is no result.
// CHECK-LABEL: func.func private @add(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>,
// CHECK-SAME: %[[SUM:.*]]: tensor<4xf32> {bufferization.writable = true, mlirprof.variable = @sum},
// CHECK-SAME: %[[COUNT:.*]]: tensor<i32> {bufferization.writable = true, mlirprof.variable = @count})
// CHECK-SAME: -> (i32, tensor<4xf32> {mlirprof.variable = @sum})
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK: %[[STORED:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[SUM]] {mlirprof.store}
// CHECK: %[[N:.*]] = tensor.extract %[[COUNT]][]
// CHECK: return %[[N]], %[[STORED]]
func.func private @add(%x: tensor<4xf32>) -> i32 {
  %sum = ml_program.global_load @sum : tensor<4xf32>
  %new = arith.addf %sum, %x : tensor<4xf32>
  ml_program.global_store @sum = %new : tensor<4xf32>
  %count = ml_program.global_load @count : i32
  return %count : i32
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index,
// CHECK-SAME: %[[FRESH:[^:]*]]: tensor<4xf32> {{{[^}]*}}mlirprof.variable = @fresh},
// CHECK-SAME: %[[COUNT:[^:]*]]: tensor<i32> {{{[^}]*}}mlirprof.variable = @count},
// CHECK-SAME: %[[SUM:[^:]*]]: tensor<4xf32> {{{[^}]*}}mlirprof.variable = @sum})
// CHECK: arith.constant dense<2.000000e+00>
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[S:.*]] = %[[SUM]], %[[C:.*]] = %[[COUNT]])
// CHECK: %[[CALL:.*]]:2 = func.call @add(%[[X]], %[[S]], %[[C]])
// CHECK: %[[INSERTED:.*]] = tensor.insert %[[CALL]]#0 into %[[C]][]
// CHECK: scf.yield %[[CALL]]#1, %[[INSERTED]]
// CHECK: return %{{.*}}, %[[LOOP]]#1, %[[LOOP]]#0
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fresh = ml_program.global_load @fresh : tensor<4xf32>
  %constant = ml_program.global_load @constant : tensor<4xf32>
  ml_program.global_store @fresh = %constant : tensor<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %count = func.call @add(%x) : (tensor<4xf32>) -> i32
    ml_program.global_store @count = %count : i32
  }
  return %fresh : tensor<4xf32>
}
