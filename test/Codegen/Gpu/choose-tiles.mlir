// RUN: mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-choose-tiles))" --split-input-file | FileCheck %s

// Threads compute as many elements as they read at once, if enough threads are left.
// CHECK-LABEL: func.func private @large
// CHECK-SAME: mlirprof.gpu = {
// CHECK-SAME: strategy = "elements"
// CHECK-SAME: width = 4 : i64
func.func private @large(%a: memref<1024x512xf32>, %out: memref<1024x512xf32>)
    attributes {dispatch.kernel} {
  %0 = bufferization.to_tensor %a restrict : memref<1024x512xf32> to tensor<1024x512xf32>
  %1 = bufferization.to_tensor %out restrict writable : memref<1024x512xf32> to tensor<1024x512xf32>
  %2 = linalg.exp ins(%0 : tensor<1024x512xf32>) outs(%1 : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  bufferization.materialize_in_destination %2 in restrict writable %out
    : (tensor<1024x512xf32>, memref<1024x512xf32>) -> ()
  return
}

// -----

// A row of 500 elements cannot be divided into groups of eight.
// CHECK-LABEL: func.func private @odd
// CHECK-SAME: strategy = "elements"
// CHECK-SAME: width = 4 : i64
func.func private @odd(%a: memref<4096x500xf16>, %out: memref<4096x500xf16>)
    attributes {dispatch.kernel} {
  %0 = bufferization.to_tensor %a restrict : memref<4096x500xf16> to tensor<4096x500xf16>
  %1 = bufferization.to_tensor %out restrict writable : memref<4096x500xf16> to tensor<4096x500xf16>
  %2 = linalg.abs ins(%0 : tensor<4096x500xf16>) outs(%1 : tensor<4096x500xf16>) -> tensor<4096x500xf16>
  bufferization.materialize_in_destination %2 in restrict writable %out
    : (tensor<4096x500xf16>, memref<4096x500xf16>) -> ()
  return
}

// -----

// The few threads of a warp share each of many sums, all of a workgroup the only one.
// CHECK-LABEL: func.func private @rows
// CHECK-SAME: lanes = 32 : i64
// CHECK-SAME: strategy = "reduction"
func.func private @rows(%a: memref<8192x512xf32>, %out: memref<8192xf32>)
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<8192x512xf32> to tensor<8192x512xf32>
  %1 = bufferization.to_tensor %out restrict writable : memref<8192xf32> to tensor<8192xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<8192xf32>) -> tensor<8192xf32>
  %3 = linalg.reduce {arith.addf} ins(%0 : tensor<8192x512xf32>) outs(%2 : tensor<8192xf32>) dimensions = [1]
  bufferization.materialize_in_destination %3 in restrict writable %out
    : (tensor<8192xf32>, memref<8192xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @all
// CHECK-SAME: lanes = 256 : i64
// CHECK-SAME: strategy = "reduction"
func.func private @all(%a: memref<100000xf32>, %out: memref<f32>)
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<100000xf32> to tensor<100000xf32>
  %1 = bufferization.to_tensor %out restrict writable : memref<f32> to tensor<f32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<f32>) -> tensor<f32>
  %3 = linalg.reduce {arith.addf} ins(%0 : tensor<100000xf32>) outs(%2 : tensor<f32>) dimensions = [0]
  bufferization.materialize_in_destination %3 in restrict writable %out : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

// Large products have large tiles; bf16 is for the tensor cores.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: columns = 128 : i64
// CHECK-SAME: rows = 128 : i64
// CHECK-SAME: strategy = "product"
func.func private @product(%a: memref<2048x512xf32>, %b: memref<512x2048xf32>,
                           %out: memref<2048x2048xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<2048x512xf32> to tensor<2048x512xf32>
  %1 = bufferization.to_tensor %b restrict : memref<512x2048xf32> to tensor<512x2048xf32>
  %2 = bufferization.to_tensor %out restrict writable : memref<2048x2048xf32> to tensor<2048x2048xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<2048x512xf32>, tensor<512x2048xf32>) outs(%3 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<2048x2048xf32>, memref<2048x2048xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @tensor_cores
// CHECK-SAME: depth = 32 : i64
// CHECK-SAME: strategy = "tensor-core"
func.func private @tensor_cores(%a: memref<256x64xbf16>, %b: memref<64x256xbf16>,
                                %out: memref<256x256xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %1 = bufferization.to_tensor %b restrict : memref<64x256xbf16> to tensor<64x256xbf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<256x256xf32> to tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<256x64xbf16>, tensor<64x256xbf16>) outs(%3 : tensor<256x256xf32>) -> tensor<256x256xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<256x256xf32>, memref<256x256xf32>) -> ()
  return
}
