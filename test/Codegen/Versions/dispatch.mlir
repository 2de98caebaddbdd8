// Static sizes and constant numbers reach all that versions do; how the one for
// a call is found.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' %S/Inputs/decides.mlir -o %t.decides.mlir
// RUN: FileCheck %s --check-prefix=CHAIN < %t.decides.mlir
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' %S/Inputs/layers.mlir -o %t.layers.mlir
// RUN: FileCheck %s --check-prefix=SWITCH < %t.layers.mlir

// A second time nothing changes.
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' %t.layers.mlir | diff %t.layers.mlir -

// Results pass the branches as they are: no buffer is made or copied there, and
// the inliner leaves calls alone.
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(inline,canonicalize,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,canonicalize,cse)' %t.layers.mlir | FileCheck %s --check-prefix=BUFFERS

// The numbers are read first; order is that of the versions' numbers.
// CHAIN-LABEL: func.func @main(
// CHAIN-SAME: passthrough = ["alwaysinline"]
// CHAIN-DAG: %[[ROWS:.*]] = tensor.dim %arg0, %c0
// CHAIN-DAG: %[[N:.*]] = tensor.extract %arg2[] : tensor<i32>
// CHAIN: %[[IS8:.*]] = arith.cmpi eq, %[[ROWS]], %c8 : index
// CHAIN: %[[IS1:.*]] = arith.cmpi eq, %arg1, %c1_i64 : i64
// CHAIN: %[[BOTH:.*]] = arith.andi %[[IS8]], %[[IS1]]
// CHAIN: scf.if %[[BOTH]]
// CHAIN: tensor.cast %arg0 : tensor<?x16xf32> to tensor<8x16xf32>
// CHAIN: call @main.version1(
// CHAIN: call @main.version2(
// CHAIN: arith.cmpi eq, %[[N]], %c3_i32 : i32
// CHAIN: call @main.version3(%arg0,
// CHAIN: call @main.generic(%arg0,

// Rows and branch are known: the loop carries a static tensor.
// CHAIN-LABEL: func.func private @main.version1(
// CHAIN-SAME: %arg0: tensor<8x16xf32>, %arg1: i64
// CHAIN-SAME: -> tensor<?x16xf32> attributes {no_inline}
// CHAIN-NOT: tensor<?x
// CHAIN: scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (tensor<8x16xf32>)
// CHAIN-NOT: tensor<?x
// CHAIN: linalg.matmul {{.*}} -> tensor<8x16xf32>
// CHAIN-NOT: scf.if
// CHAIN-NOT: linalg.mul
// CHAIN: %[[SUM:.*]] = linalg.add {{.*}} -> tensor<8x16xf32>
// CHAIN-NEXT: tensor.cast %[[SUM]] : tensor<8x16xf32> to tensor<?x16xf32>
// CHAIN-NEXT: return

// Rows alone: through the loop, whose result has two uses, the branch, and what
// is called.
// CHAIN-LABEL: func.func private @main.version2(
// CHAIN: scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (tensor<8x16xf32>)
// CHAIN: scf.if {{.*}} -> (tensor<8x16xf32>)
// CHAIN: linalg.add {{.*}} -> tensor<8x16xf32>
// CHAIN: linalg.mul {{.*}} -> tensor<8x16xf32>
// CHAIN: return

// Branch and trips.
// CHAIN-LABEL: func.func private @main.version3(
// CHAIN-SAME: %arg0: tensor<?x16xf32>
// CHAIN: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHAIN-NOT: scf.if
// CHAIN: linalg.add
// CHAIN: return

// As it was.
// CHAIN-LABEL: func.func private @main.generic(
// CHAIN-NOT: 8x16
// CHAIN: scf.for
// CHAIN: scf.if
// CHAIN: return

// SWITCH-LABEL: func.func @main(
// SWITCH-NOT: mlirprof.choice
// SWITCH: %[[ROWS:.*]] = tensor.dim
// SWITCH: scf.index_switch %[[ROWS]]
// SWITCH: case 1 {
// SWITCH: call @main.version1(%{{.*}}) : (tensor<1x12xf32>) -> tensor<?x5xf32>
// SWITCH: case 8 {
// SWITCH: case 0 {
// SWITCH: default {
// SWITCH: call @main.generic(%arg0)
// Constants are those of the function.
// SWITCH-LABEL: func.func private @main.version1(
// SWITCH: dense_resource<w1>
// SWITCH-LABEL: func.func private @main.version2(
// SWITCH: dense_resource<w1>
// SWITCH-NOT: w1_1

// BUFFERS-LABEL: func.func @main(
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: call @main.version1(
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: call @main.generic(
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: return
