// Calls of libm's expf, one a number, with --math=libm.
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %empty = tensor.empty() : tensor<65536xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<65536xf32>) outs(%empty : tensor<65536xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<65536xf32> loc("exp")
  return %y : tensor<65536xf32>
}
