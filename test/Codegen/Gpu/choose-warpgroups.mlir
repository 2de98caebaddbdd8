// RUN: mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-choose-tiles{warpgroups=true}))" --split-input-file | FileCheck %s

// 72 tiles of 256 x 128 are enough for half of 132 processors.
// CHECK-LABEL: func.func private @large
// CHECK-SAME: columns = 128 : i64, depth = 64 : i64
// CHECK-SAME: rows = 256 : i64, stages = 4 : i64, strategy = "warpgroup", threads = 256 : i64
func.func private @large(%a: memref<1536x64xbf16>, %b: memref<64x1536xbf16>,
                         %out: memref<1536x1536xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<1536x64xbf16> to tensor<1536x64xbf16>
  %1 = bufferization.to_tensor %b restrict : memref<64x1536xbf16> to tensor<64x1536xbf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<1536x1536xf32> to tensor<1536x1536xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<1536x64xbf16>, tensor<64x1536xbf16>) outs(%3 : tensor<1536x1536xf32>) -> tensor<1536x1536xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<1536x1536xf32>, memref<1536x1536xf32>) -> ()
  return
}

// -----

// 64 tiles of 128 x 128 are not: tiles have 64 x 128.
// CHECK-LABEL: func.func private @small
// CHECK-SAME: columns = 128 : i64, depth = 64 : i64
// CHECK-SAME: rows = 64 : i64, stages = 6 : i64, strategy = "warpgroup", threads = 128 : i64
func.func private @small(%a: memref<1024x64xf16>, %b: memref<64x1024xf16>,
                         %out: memref<1024x1024xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<1024x64xf16> to tensor<1024x64xf16>
  %1 = bufferization.to_tensor %b restrict : memref<64x1024xf16> to tensor<64x1024xf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<1024x1024xf32> to tensor<1024x1024xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<1024x64xf16>, tensor<64x1024xf16>) outs(%3 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<1024x1024xf32>, memref<1024x1024xf32>) -> ()
  return
}

// -----

// Operands of which rows are not groups of 16 bytes are loaded by threads.
// CHECK-LABEL: func.func private @odd
// CHECK-SAME: stages = 0 : i64, strategy = "tensor-core"
func.func private @odd(%a: memref<256x68xf16>, %b: memref<68x256xf16>,
                       %out: memref<256x256xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<256x68xf16> to tensor<256x68xf16>
  %1 = bufferization.to_tensor %b restrict : memref<68x256xf16> to tensor<68x256xf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<256x256xf32> to tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<256x68xf16>, tensor<68x256xf16>) outs(%3 : tensor<256x256xf32>) -> tensor<256x256xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<256x256xf32>, memref<256x256xf32>) -> ()
  return
}
