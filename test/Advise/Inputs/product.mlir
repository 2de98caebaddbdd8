// A product that plain loops run far from what the machine can do.
func.func @main(%x: tensor<128x256xf32>, %w: tensor<256x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x256xf32>, tensor<256x256xf32>)
      outs(%filled : tensor<128x256xf32>) -> tensor<128x256xf32> loc("the_product")
  return %y : tensor<128x256xf32>
}
