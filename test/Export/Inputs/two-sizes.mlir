func.func @main(%a: tensor<64x64xf32>, %c: tensor<128x128xf32>) -> (tensor<64x64xf32>, tensor<128x128xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %g = tensor.empty() : tensor<128x128xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%c, %c : tensor<128x128xf32>, tensor<128x128xf32>) outs(%g : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<128x128xf32>
}
