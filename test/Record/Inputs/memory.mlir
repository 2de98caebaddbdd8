// Two products with a wide value between them, which is tanh of the first: the values that
// live together change from op to op.
func.func @main(%x: tensor<64x128xf32>, %up: tensor<128x512xf32>,
                %down: tensor<512x128xf32>, %out: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x512xf32>
  %wide = linalg.matmul ins(%x, %up : tensor<64x128xf32>, tensor<128x512xf32>)
    outs(%zero : tensor<64x512xf32>) -> tensor<64x512xf32> loc("layer/wide")
  %active = math.tanh %wide : tensor<64x512xf32> loc("layer/active")
  %zero_0 = arith.constant dense<0.0> : tensor<64x128xf32>
  %narrow = linalg.matmul ins(%active, %down : tensor<64x512xf32>, tensor<512x128xf32>)
    outs(%zero_0 : tensor<64x128xf32>) -> tensor<64x128xf32> loc("layer/narrow")
  %zero_1 = arith.constant dense<0.0> : tensor<64x32xf32>
  %last = linalg.matmul ins(%narrow, %out : tensor<64x128xf32>, tensor<128x32xf32>)
    outs(%zero_1 : tensor<64x32xf32>) -> tensor<64x32xf32> loc("layer/last")
  return %last : tensor<64x32xf32>
}
