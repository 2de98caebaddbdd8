// The host side chooses a product.
func.func @main(%x: tensor<16x16xf32>, %condition: i1) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = scf.if %condition -> tensor<16x16xf32> {
    %a = linalg.matmul ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>)
      outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %a : tensor<16x16xf32>
  } else {
    %b = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>)
      -> tensor<16x16xf32>
    scf.yield %b : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
