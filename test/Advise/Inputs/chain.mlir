// Two elementwise ops, bound by memory, that the naive pipeline does not fuse.
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
  %empty = tensor.empty() : tensor<262144xf32>
  %a = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<262144xf32>) outs(%empty : tensor<262144xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<262144xf32> loc("first")
  %b = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<262144xf32>) outs(%empty : tensor<262144xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<262144xf32> loc("second")
  return %b : tensor<262144xf32>
}
