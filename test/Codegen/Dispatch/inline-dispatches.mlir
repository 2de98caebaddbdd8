// Runs become calls, and kernels functions with one workgroup.

// RUN: %mlir-prof-opt --inline-dispatches %s | FileCheck %s
// RUN: %mlir-prof-opt --inline-dispatches --inline %s | FileCheck %s --check-prefix=INLINE

// CHECK: func.func private @fill(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// INLINE-NOT: dispatch
// INLINE-NOT: @fill
func.func private @fill(%out: tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%c : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func private @store(
// CHECK-SAME: %[[out:.+]]: memref<?x2xindex>) {
// CHECK: %[[column:.+]] = arith.constant 0 : index
// CHECK: %[[id:.+]] = arith.constant 0 : index
// CHECK: %[[count:.+]] = arith.constant 1 : index
// CHECK: memref.store %[[count]], %[[out]][%[[id]], %[[column]]]
func.func private @store(%out: memref<?x2xindex>) attributes {dispatch.kernel} {
  %c0 = arith.constant 0 : index
  %x = dispatch.workgroup_id 1
  %n = dispatch.workgroup_count 2
  memref.store %n, %out[%x, %c0] : memref<?x2xindex>
  return
}
// CHECK-LABEL: func.func @main
// CHECK: %[[r:.+]] = call @fill(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: call @store(%{{.*}}) : (memref<?x2xindex>) -> ()
// CHECK: return %[[r]]
// INLINE-LABEL: func.func @main
// INLINE: linalg.fill
// INLINE: memref.store
func.func @main(%e: tensor<4xf32>, %m: memref<?x2xindex>) -> tensor<4xf32> {
  %0 = dispatch.run @fill outs(%e : tensor<4xf32>) -> tensor<4xf32>
  dispatch.run @store outs(%m : memref<?x2xindex>)
  return %0 : tensor<4xf32>
}
