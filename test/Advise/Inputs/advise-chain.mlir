// Two ops bound by memory on any machine: one operation for eight bytes. Plain
// loops keep them apart; the default pipeline fuses them.
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %in : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  %square = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%twice : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %product = arith.mulf %in, %in : f32
    linalg.yield %product : f32
  } -> tensor<?xf32>
  return %square : tensor<?xf32>
}
