// RUN: mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-emit-kernels))" --split-input-file --verify-diagnostics

// expected-error @+1 {{has a plan 'mlirprof.gpu' that is not one of gpu-choose-tiles}}
func.func private @unknown_plan(%a: memref<4xf32>, %out: memref<4xf32>)
    attributes {dispatch.kernel, mlirprof.gpu = {strategy = "guess"}} {
  %0 = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{cannot be computed as its plan says: a power of two of threads shares one reduction}}
func.func private @no_reduction(%a: memref<4xf32>, %out: memref<4xf32>)
    attributes {dispatch.kernel, mlirprof.gpu = {strategy = "reduction", threads = 256 : i64, lanes = 32 : i64, width = 1 : i64}} {
  %0 = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{whose size is not known: code for a GPU needs sizes}}
func.func private @unknown_size(%a: memref<?xf32>, %out: memref<?xf32>) attributes {dispatch.kernel} {
  %0 = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{cannot be computed as its plan says: stages are for products of arguments in f16 or bf16}}
func.func private @no_stages(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %out: memref<64x64xf32>)
    attributes {dispatch.kernel,
                mlirprof.gpu = {strategy = "warpgroup", threads = 128 : i64, rows = 64 : i64,
                                columns = 64 : i64, depth = 64 : i64, stages = 4 : i64}} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<64x64xf32> to tensor<64x64xf32>
  %1 = bufferization.to_tensor %b restrict : memref<64x64xf32> to tensor<64x64xf32>
  %2 = bufferization.to_tensor %out restrict writable : memref<64x64xf32> to tensor<64x64xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%3 : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
