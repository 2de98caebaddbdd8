// RUN: %mlir-prof-opt %s --cpu-lower-dispatches --verify-diagnostics

func.func private @scale(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'dispatch.run' op is not on buffers yet}}
  %1 = dispatch.run @scale ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
