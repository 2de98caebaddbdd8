func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %product = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32> loc("layer/product")
  %tanh = math.tanh %product : tensor<8x4xf32> loc("layer/activation")
  return %tanh : tensor<8x4xf32>
}
