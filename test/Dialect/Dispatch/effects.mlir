// On tensors a run only computes; on buffers it reads its inputs and writes its
// outputs.

// RUN: %mlir-prof-opt --cse %s | FileCheck %s

func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel}

// CHECK-LABEL: func.func @tensors
// CHECK: %[[r:.+]] = dispatch.run
// CHECK-NOT: dispatch.run
// CHECK: return %[[r]], %[[r]]
func.func @tensors(%a: tensor<4xf32>, %e: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = dispatch.run @k ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = dispatch.run @k ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = dispatch.run @k ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The run writes %b, not %a: one load of %a is enough, %b is loaded again.

// CHECK-LABEL: func.func @buffers
// CHECK-COUNT-2: memref.load
// CHECK: dispatch.run
// CHECK-COUNT-1: memref.load
// CHECK-NOT: memref.load
// CHECK: return
func.func @buffers(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> (f32, f32, f32, f32) {
  %0 = memref.load %a[%i] : memref<4xf32>
  %1 = memref.load %b[%i] : memref<4xf32>
  dispatch.run @k ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  %3 = memref.load %b[%i] : memref<4xf32>
  %4 = memref.load %b[%i] : memref<4xf32>
  return %0, %1, %3, %4 : f32, f32, f32, f32
}
