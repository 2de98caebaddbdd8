// Long enough for samples; each op has a location of its own.
func.func @main(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<160x160xf32>) -> tensor<160x160xf32> loc("net/init")
  %up = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32> loc("net/up")
  %act = linalg.tanh ins(%up : tensor<160x160xf32>) outs(%empty : tensor<160x160xf32>) -> tensor<160x160xf32> loc("net/act")
  %down = linalg.matmul ins(%act, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32> loc("net/down")
  return %down : tensor<160x160xf32>
}
