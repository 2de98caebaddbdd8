// The same product behind another op, which moves it.
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<128x256xf32>, %w: tensor<256x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x256xf32>) outs(%empty : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %double = arith.mulf %in, %two : f32
    linalg.yield %double : f32
  } -> tensor<128x256xf32> loc("scale")
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y = linalg.matmul ins(%scaled, %w : tensor<128x256xf32>, tensor<256x256xf32>)
      outs(%filled : tensor<128x256xf32>) -> tensor<128x256xf32> loc("the_product")
  return %y : tensor<128x256xf32>
}
