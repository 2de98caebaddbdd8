#matrix = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x16xf32>, %b1: tensor<16xf32>,
                %w2: tensor<16x16xf32>, %b2: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  // First layer.
  %fill1 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %product1 = linalg.matmul ins(%x, %w1 : tensor<8x16xf32>, tensor<16x16xf32>)
    outs(%fill1 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum1 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix],
                           iterator_types = ["parallel", "parallel"]}
      ins(%product1, %b1 : tensor<8x16xf32>, tensor<16xf32>)
      outs(%empty : tensor<8x16xf32>) {
  ^bb0(%p: f32, %b: f32, %out: f32):
    %s = arith.addf %p, %b : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  // Second layer.
  %fill2 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %product2 = linalg.matmul ins(%sum1, %w2 : tensor<8x16xf32>, tensor<16x16xf32>)
    outs(%fill2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum2 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix],
                           iterator_types = ["parallel", "parallel"]}
      ins(%product2, %b2 : tensor<8x16xf32>, tensor<16xf32>)
      outs(%empty : tensor<8x16xf32>) {
  ^bb0(%p: f32, %b: f32, %out: f32):
    %s = arith.addf %p, %b : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %sum2 : tensor<8x16xf32>
}
