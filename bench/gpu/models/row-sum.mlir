// Reduction of rows.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<4096x8192xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {
    indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<4096x8192xf32>) outs(%init : tensor<4096xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  return %sum : tensor<4096xf32>
}
