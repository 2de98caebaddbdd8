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
