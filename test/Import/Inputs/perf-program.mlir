func.func @main(%x: tensor<96x100xf32>, %w: tensor<100x77xf32>) -> tensor<96x77xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x77xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<96x77xf32>) -> tensor<96x77xf32>
  %m = linalg.matmul ins(%x, %w : tensor<96x100xf32>, tensor<100x77xf32>) outs(%f : tensor<96x77xf32>) -> tensor<96x77xf32>
  %s = linalg.softmax dimension(1) ins(%m : tensor<96x77xf32>) outs(%e : tensor<96x77xf32>) -> tensor<96x77xf32>
  return %s : tensor<96x77xf32>
}
