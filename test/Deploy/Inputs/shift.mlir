#each = affine_map<(i) -> (i)>
func.func @main(%x: tensor<8xi64>, %distance: tensor<8xi64>) -> tensor<8xi64> {
  %empty = tensor.empty() : tensor<8xi64>
  %0 = linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]}
      ins(%x, %distance : tensor<8xi64>, tensor<8xi64>) outs(%empty : tensor<8xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %1 = arith.shrsi %a, %b : i64
    linalg.yield %1 : i64
  } -> tensor<8xi64>
  return %0 : tensor<8xi64>
}
