// RUN: %mlir-prof-opt --place-dispatches='places=matmul*=npu,sum=cuda:1' %s | FileCheck %s --check-prefix=NAME
// RUN: %mlir-prof-opt --place-dispatches='places=first=host,*=npu' %s | FileCheck %s --check-prefix=FIRST
// RUN: %mlir-prof-opt --place-dispatches='places=model.py:1?=npu' %s | FileCheck %s --check-prefix=LINE

// NAME: dispatch.run @matmul_tanh {{.*}}{device = "npu"}
// NAME: dispatch.run @sum {{.*}}{device = "cuda:1"}
// NAME: dispatch.run @matmul_tanh {{.*}}{device = "npu"}

// The first pattern that matches counts, and a device of the module goes away.
// FIRST: dispatch.run @matmul_tanh {{.*}}outs({{[^{]*$}}
// FIRST: dispatch.run @sum {{.*}}{device = "npu"}
// FIRST: dispatch.run @matmul_tanh {{.*}}{device = "npu"}

// LINE: dispatch.run @matmul_tanh {{.*}}{device = "dsp"}
// LINE: dispatch.run @sum {{.*}}{device = "npu"}
// LINE: dispatch.run @matmul_tanh {{.*}}outs({{[^{]*$}}
func.func private @matmul_tanh(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  return %b : tensor<4xf32>
}
func.func private @sum(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  return %b : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = dispatch.run @matmul_tanh ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
    {device = "dsp"} -> tensor<4xf32> loc(fused["first", "model.py":7:1])
  %1 = dispatch.run @sum ins(%0 : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    loc("a/model.py":12:3)
  %2 = dispatch.run @matmul_tanh ins(%1 : tensor<4xf32>) outs(%x : tensor<4xf32>)
    -> tensor<4xf32> loc("model.py":23:1)
  return %2 : tensor<4xf32>
}
