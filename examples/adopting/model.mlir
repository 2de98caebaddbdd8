func.func @model(%x: tensor<128x256xf32>, %w: tensor<256x192xf32>) -> tensor<128x192xf32>
    attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x192xf32>
  %clean = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x192xf32>) -> tensor<128x192xf32>
  %product = linalg.matmul
      ins(%x, %w : tensor<128x256xf32>, tensor<256x192xf32>)
      outs(%clean : tensor<128x192xf32>) -> tensor<128x192xf32> loc("model/product")
  %result = linalg.tanh ins(%product : tensor<128x192xf32>)
      outs(%empty : tensor<128x192xf32>) -> tensor<128x192xf32> loc("model/tanh")
  return %result : tensor<128x192xf32>
}
