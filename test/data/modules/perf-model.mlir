func.func @main(%x: tensor<128x256xf32> loc("x"), %w1: tensor<256x512xf32>, %w2: tensor<512x64xf32>) -> tensor<128x64xf32> {
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<128x512xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<128x512xf32>) -> tensor<128x512xf32> loc("mlp/fc1/zero")
  %h = linalg.matmul ins(%x, %w1 : tensor<128x256xf32>, tensor<256x512xf32>) outs(%f1 : tensor<128x512xf32>) -> tensor<128x512xf32> loc("mlp/fc1/matmul")
  %e3 = tensor.empty() : tensor<128x512xf32>
  %t = linalg.tanh ins(%h : tensor<128x512xf32>) outs(%e3 : tensor<128x512xf32>) -> tensor<128x512xf32> loc("mlp/act/tanh")
  %e2 = tensor.empty() : tensor<128x64xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<128x64xf32>) -> tensor<128x64xf32> loc("mlp/fc2/zero")
  %y = linalg.matmul ins(%t, %w2 : tensor<128x512xf32>, tensor<512x64xf32>) outs(%f2 : tensor<128x64xf32>) -> tensor<128x64xf32> loc("mlp/fc2/matmul")
  return %y : tensor<128x64xf32>
}
