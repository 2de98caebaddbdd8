// Two products of matrices, one of them with a constant; both are results.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %c = arith.constant dense_resource<weights> : tensor<16x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)
    outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  %b = linalg.matmul ins(%a, %c : tensor<4x16xf32>, tensor<16x16xf32>)
    outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = linalg.add ins(%a, %b : tensor<4x16xf32>, tensor<4x16xf32>)
    outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %t = linalg.matmul ins(%s, %c : tensor<4x16xf32>, tensor<16x16xf32>)
    outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %t, %a : tensor<4x16xf32>, tensor<4x16xf32>
}
