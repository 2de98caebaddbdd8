// The ops of the dialect, as text and as bytecode, on tensors and on buffers.

// RUN: %mlir-prof-opt %s | %mlir-prof-opt | FileCheck %s
// RUN: %mlir-prof-opt --mlir-print-op-generic %s | %mlir-prof-opt | FileCheck %s
// RUN: %mlir-prof-opt --emit-bytecode %s | %mlir-prof-opt | FileCheck %s

// CHECK: func.func private @add(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func private @add(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel}
func.func private @add_buffers(memref<4xf32>, memref<4xf32>, memref<4xf32>)
    attributes {dispatch.kernel}
func.func private @insert(tensor<4xf32>, index, tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {dispatch.kernel}
func.func private @two(tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
    attributes {dispatch.kernel}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[e:.+]] = tensor.empty
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: dispatch.run @add ins(%{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xf32>) outs(%[[e]] : tensor<4xf32>) -> tensor<4xf32>
  %0 = dispatch.run @add ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: dispatch.run @add {{.*}} {instance = 1 : i32, origins = [array<i32: 3, 5>, array<i32: 4>]} -> tensor<4xf32>
  %1 = dispatch.run @add ins(%0, %b : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>)
    {instance = 1 : i32, origins = [array<i32: 3, 5>, array<i32: 4>]} -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  // CHECK: dispatch.run @add_buffers ins(%{{.+}}, %{{.+}} : memref<4xf32>, memref<4xf32>) outs(%{{.+}} : memref<4xf32>){{$}}
  dispatch.run @add_buffers ins(%a, %b : memref<4xf32>, memref<4xf32>)
    outs(%c : memref<4xf32>)
  // A kernel is bufferized before or after its runs.
  // CHECK: dispatch.run @add ins
  dispatch.run @add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @updates
func.func @updates(%row: tensor<4xf32>, %at: index, %all: tensor<8x4xf32>,
                   %f: tensor<?xf32>, %i: tensor<?xi32>) -> tensor<8x4xf32> {
  // CHECK: dispatch.run @insert ins(%{{.+}}, %{{.+}} : tensor<4xf32>, index) outs(%{{.+}} : tensor<8x4xf32>) updates [0] -> tensor<8x4xf32>
  %0 = dispatch.run @insert ins(%row, %at : tensor<4xf32>, index)
    outs(%all : tensor<8x4xf32>) updates [0] -> tensor<8x4xf32>
  // CHECK: dispatch.run @two outs(%{{.+}}, %{{.+}} : tensor<?xf32>, tensor<?xi32>) updates [0, 1] -> tensor<?xf32>, tensor<?xi32>
  %1:2 = dispatch.run @two outs(%f, %i : tensor<?xf32>, tensor<?xi32>)
    updates [0, 1] -> tensor<?xf32>, tensor<?xi32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func private @grid
func.func private @grid(%out: memref<?xindex>) attributes {dispatch.kernel} {
  // CHECK: dispatch.workgroup_id 0
  %x = dispatch.workgroup_id 0
  // CHECK: dispatch.workgroup_count 2
  %n = dispatch.workgroup_count 2
  memref.store %n, %out[%x] : memref<?xindex>
  return
}

// CHECK-LABEL: func.func @devices
func.func @devices(%a: memref<4xf32>, %c: memref<4xf32>) {
  // CHECK: dispatch.transfer %{{.+}} to "npu" range [4, 8] : memref<4xf32>
  dispatch.transfer %a to "npu" range [4, 8] : memref<4xf32>
  // CHECK: dispatch.run @add_buffers {{.*}} {device = "npu"}
  dispatch.run @add_buffers ins(%a, %a : memref<4xf32>, memref<4xf32>)
    outs(%c : memref<4xf32>) {device = "npu"}
  // CHECK: dispatch.transfer %{{.+}} from "npu" : memref<4xf32>
  dispatch.transfer %c from "npu" : memref<4xf32>
  // CHECK: dispatch.wait "npu"
  dispatch.wait "npu"
  return
}
