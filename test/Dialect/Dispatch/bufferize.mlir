// One-shot bufferization: inputs are read, outputs written in place, and nothing
// is allocated or copied but where two values live at the same time.

// RUN: %mlir-prof-opt --split-input-file --pass-pipeline="builtin.module(empty-tensor-to-alloc-tensor,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results,canonicalize,cse,canonicalize)" %s | FileCheck %s

// CHECK-LABEL: func.func private @twice(
// CHECK-SAME: %[[a:.+]]: memref<4xf32>, %[[out:.+]]: memref<4xf32>) attributes {dispatch.kernel}
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[a]] : memref<4xf32>) outs(%[[out]] : memref<4xf32>)
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func private @twice(%a: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %x : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[x:.+]]: memref<4xf32>
// CHECK: %[[e:.+]] = memref.alloc
// CHECK-NEXT: dispatch.run @twice ins(%[[x]] : memref<4xf32>) outs(%[[e]] : memref<4xf32>)
// CHECK-NEXT: %[[f:.+]] = memref.alloc
// CHECK-NEXT: dispatch.run @twice ins(%[[e]] : memref<4xf32>) outs(%[[f]] : memref<4xf32>) {instance = 1 : i32}
// CHECK-NEXT: return %[[f]]
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = dispatch.run @twice ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
    -> tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %1 = dispatch.run @twice ins(%0 : tensor<4xf32>) outs(%f : tensor<4xf32>)
    {instance = 1 : i32} -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A destination that is updated keeps the rest of its content, so it is copied
// where its old content is read later.

func.func private @set(%a: tensor<4xf32>, %i: index, %out: tensor<8x4xf32>)
    -> tensor<8x4xf32> attributes {dispatch.kernel} {
  %0 = tensor.insert_slice %a into %out[%i, 0] [1, 4] [1, 1]
    : tensor<4xf32> into tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[a:.+]]: memref<4xf32>, %[[i:.+]]: index, %[[c:.+]]: memref<8x4xf32>
// CHECK-NEXT: dispatch.run @set ins(%[[a]], %[[i]] : memref<4xf32>, index) outs(%[[c]] : memref<8x4xf32>) updates [0]
// CHECK-NEXT: return %[[c]]
func.func @in_place(%a: tensor<4xf32>, %i: index, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = dispatch.run @set ins(%a, %i : tensor<4xf32>, index) outs(%c : tensor<8x4xf32>)
    updates [0] -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[c:[a-z0-9]+]]: memref<8x4xf32>
// CHECK: %[[new:.+]] = memref.alloc
// CHECK-NEXT: memref.copy %[[c]], %[[new]]
// CHECK-NEXT: dispatch.run @set {{.*}} outs(%[[new]] : memref<8x4xf32>)
func.func @both(%a: tensor<4xf32>, %i: index, %c: tensor<8x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = dispatch.run @set ins(%a, %i : tensor<4xf32>, index) outs(%c : tensor<8x4xf32>)
    updates [0] -> tensor<8x4xf32>
  return %c, %0 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Kernels take buffers without strides. A destination that is a part of another
// buffer is written after the run.

func.func private @fill(%out: tensor<4x2xf32>) -> tensor<4x2xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%c : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[c:.+]]: memref<4x8xf32>
// CHECK-NEXT: %[[part:.+]] = memref.subview %[[c]]
// CHECK-NEXT: %[[own:.+]] = memref.alloc() {{.*}} : memref<4x2xf32>
// CHECK: dispatch.run @fill outs(%[[own]] : memref<4x2xf32>)
// CHECK-NEXT: memref.copy %[[own]], %[[part]]
// CHECK-NEXT: return %[[c]]
func.func @part(%c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.extract_slice %c[0, 0] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %0 = dispatch.run @fill outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = tensor.insert_slice %0 into %c[0, 0] [4, 2] [1, 1]
    : tensor<4x2xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
