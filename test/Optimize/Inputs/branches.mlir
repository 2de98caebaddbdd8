// A branch that all calls take, or none.
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %first = tensor.extract %x[%c0] : tensor<4096xf32>
  %taken = arith.cmpf oge, %first, %zero : f32
  %y = scf.if %taken -> tensor<4096xf32> {
    %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%x : tensor<4096xf32>) -> tensor<4096xf32>
    scf.yield %a : tensor<4096xf32>
  } else {
    %b = linalg.tanh ins(%x : tensor<4096xf32>) outs(%x : tensor<4096xf32>) -> tensor<4096xf32>
    scf.yield %b : tensor<4096xf32>
  }
  return %y : tensor<4096xf32>
}
