// A product whose rows fill vectors of all widths.
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x64xf32>)
      -> tensor<16x64xf32>
  %product = linalg.matmul
      ins(%a, %b : tensor<16x16xf32>, tensor<16x64xf32>)
      outs(%fill : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %product : tensor<16x64xf32>
}
