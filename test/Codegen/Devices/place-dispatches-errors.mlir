// RUN: not %mlir-prof-opt --place-dispatches='places=conv*=npu' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-prof-opt --place-dispatches='places=sum' %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not %mlir-prof-opt --place-dispatches='places=[=npu' %s 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(func.func(insert-transfers))' %s 2>&1 | FileCheck %s

// NONE: error: 'conv*' does not match any dispatch, of kernels sum
// DEVICE: error: 'sum' is not a pattern and a device: matmul*=npu
// PATTERN: error: '[' is not a pattern

func.func private @sum(%a: memref<?xf32>, %b: memref<?xf32>) attributes {dispatch.kernel}

func.func @unknown(%x: memref<?xf32>) {
  // CHECK: error: 'dispatch.run' op uses memory whose place or size is not known
  dispatch.run @sum ins(%x : memref<?xf32>) outs(%x : memref<?xf32>) {device = "npu"}
  return
}
