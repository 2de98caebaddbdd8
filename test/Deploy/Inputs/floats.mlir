// The host side compares a float.
func.func @main(%x: tensor<16x16xf32>, %limit: tensor<f32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = tensor.extract %limit[] : tensor<f32>
  %condition = arith.cmpf ogt, %f, %zero : f32
  %r = scf.if %condition -> tensor<16x16xf32> {
    %b = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>)
      -> tensor<16x16xf32>
    scf.yield %b : tensor<16x16xf32>
  } else {
    scf.yield %x : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
