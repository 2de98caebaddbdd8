// RUN: %mlir-prof-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %mlir-prof-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize)' | FileCheck %s --check-prefix=BUFFERS

// A body becomes code on the buffers of the function; an output that is not read
// and an elementwise input share a buffer without a copy.

// CHECK-LABEL: func @copy(
// CHECK: cpu.nest ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>) attributes {elementwise = array<i32: 0>} {
// CHECK-NEXT: ^bb0(%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>):
// CHECK: } -> tensor<8xf32>

// BUFFERS-LABEL: func @copy(
// BUFFERS-SAME: %[[X:.*]]: memref<8xf32>)
// BUFFERS-NOT: memref.alloc
// BUFFERS: %[[V:.*]] = vector.load %[[X]]
// BUFFERS-NEXT: vector.store %[[V]], %[[X]]
// BUFFERS-NEXT: return %[[X]]
func.func @copy(%x: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = cpu.nest ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>)
      attributes {elementwise = array<i32: 0>} {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %v = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// An input that is read at other places must not be overwritten.

// BUFFERS-LABEL: func @reverse(
// BUFFERS-SAME: %[[X:.*]]: memref<8xf32>)
// BUFFERS: %[[OUT:.*]] = memref.alloc
// BUFFERS: vector.store %{{.*}}, %[[OUT]]
// BUFFERS: return %[[OUT]]
func.func @reverse(%x: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = cpu.nest ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %v = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    %w = vector.shuffle %v, %v [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
    vector.store %w, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Output that is read, of an argument that must not change: a copy.

// BUFFERS-LABEL: func @double(
// BUFFERS-SAME: %[[X:.*]]: memref<8xf32>)
// BUFFERS: %[[OUT:.*]] = memref.alloc
// BUFFERS: memref.copy %[[X]], %[[OUT]]
// BUFFERS: vector.load %[[OUT]]
func.func @double(%x: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = cpu.nest outs(%x : tensor<8xf32>) attributes {reads_outputs} {
  ^bb0(%out: memref<8xf32>):
    %v = vector.load %out[%c0] : memref<8xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.store %w, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @shape(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{must have a buffer of 'tensor<8xf32>' as argument of the body, not 'memref<9xf32>'}}
  %r = cpu.nest outs(%x : tensor<8xf32>) {
  ^bb0(%out: memref<9xf32>):
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @arguments(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{must have one argument of the body for each operand}}
  %r = cpu.nest ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%out: memref<8xf32>):
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @position(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{does not have an input 1}}
  %r = cpu.nest ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) attributes {elementwise = array<i32: 1>} {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @tensor_in_body(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{must not use tensors in its body}}
  %r = cpu.nest outs(%x : tensor<8xf32>) {
  ^bb0(%out: memref<8xf32>):
    %e = tensor.extract %x[%c0] : tensor<8xf32>
    memref.store %e, %out[%c0] : memref<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
