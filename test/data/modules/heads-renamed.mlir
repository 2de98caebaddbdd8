func.func @main(%x: tensor<256x1024xf32>, %w1: tensor<1024x1024xf32>, %w2: tensor<1024x16xf32>) -> (tensor<256x1024xf32>, tensor<256x16xf32>) {
  %z = arith.constant 0.0 : f32 loc("zero")
  %e1 = tensor.empty() : tensor<256x1024xf32> loc("big/empty")
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<256x1024xf32>) -> tensor<256x1024xf32> loc("big/fill")
  %m1 = linalg.matmul ins(%x, %w1 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%f1 : tensor<256x1024xf32>) -> tensor<256x1024xf32> loc("small/matmul")
  %e2 = tensor.empty() : tensor<256x16xf32> loc("small/empty")
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<256x16xf32>) -> tensor<256x16xf32> loc("small/fill")
  %m2 = linalg.matmul ins(%x, %w2 : tensor<256x1024xf32>, tensor<1024x16xf32>) outs(%f2 : tensor<256x16xf32>) -> tensor<256x16xf32> loc("big/matmul")
  return %m1, %m2 : tensor<256x1024xf32>, tensor<256x16xf32>
}
