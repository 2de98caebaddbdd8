// A product, and what sets its result to zero first.
func.func @main(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x5xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5xf32>)
      -> tensor<4x5xf32> loc("fill")
  %product = linalg.matmul
      ins(%a, %b : tensor<4x6xf32>, tensor<6x5xf32>)
      outs(%fill : tensor<4x5xf32>) -> tensor<4x5xf32> loc("product")
  return %product : tensor<4x5xf32>
}
