// Elementwise: reads two arrays and writes one.
func.func @main(%a: tensor<4096x8192xf32>, %b: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  %e = tensor.empty() : tensor<4096x8192xf32>
  %r = linalg.add ins(%a, %b : tensor<4096x8192xf32>, tensor<4096x8192xf32>) outs(%e : tensor<4096x8192xf32>) -> tensor<4096x8192xf32>
  return %r : tensor<4096x8192xf32>
}
