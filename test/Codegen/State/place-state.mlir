// RUN: %mlir-prof-opt %s --cpu-place-state | FileCheck %s

// All variables are parts of one buffer, each at a multiple of 64 bytes.

// CHECK: memref.global "public" @mlirprof_state : memref<192xi8> = dense<0> {alignment = 64 : i64}
// CHECK: memref.global "private" constant @first.first : memref<3xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
memref.global "private" @first : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
memref.global "private" @second : memref<20xf32> = uninitialized
memref.global "private" constant @table : memref<3xf32> = dense<[4.0, 5.0, 6.0]>

// A value that is in its place already is not copied, another one is; what the
// caller gets of its old value is saved before.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<20xf32>) -> memref<20xf32>
// CHECK: %[[STATE:.*]] = memref.get_global @mlirprof_state
// CHECK: memref.view %[[STATE]]{{.*}} : memref<192xi8> to memref<3xf32>
// CHECK: %[[SECOND:.*]] = memref.view %{{.*}} : memref<192xi8> to memref<20xf32>
// CHECK: %[[OLD:.*]] = bufferization.clone %[[SECOND]]
// CHECK: memref.copy %[[X]], %[[SECOND]]
// CHECK-NOT: memref.copy
// CHECK: return %[[OLD]] : memref<20xf32>
func.func @main(%x: memref<20xf32>,
                %first: memref<3xf32> {mlirprof.variable = @first},
                %second: memref<20xf32> {mlirprof.variable = @second})
    -> (memref<20xf32>, memref<3xf32> {mlirprof.variable = @first},
        memref<20xf32> {mlirprof.variable = @second}) {
  return %second, %first, %x : memref<20xf32>, memref<3xf32>, memref<20xf32>
}

// CHECK-LABEL: func.func @mlirprof_reset()
// CHECK: %[[FIRST:.*]] = memref.view {{.*}} to memref<3xf32>
// CHECK: %[[VALUE:.*]] = memref.get_global @first.first
// CHECK: memref.copy %[[VALUE]], %[[FIRST]]
// CHECK: %[[SECOND:.*]] = memref.view {{.*}} to memref<20xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[SECOND]] : memref<20xf32>)
