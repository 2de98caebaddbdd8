// Two results of static shapes: of ops that are one kernel, and of a reduction.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<32x48xf32>, %b: tensor<32x48xf32>)
    -> (tensor<32x48xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %sum = linalg.add ins(%x, %b : tensor<32x48xf32>, tensor<32x48xf32>)
    outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32> loc("sum")
  %square = linalg.mul ins(%sum, %sum : tensor<32x48xf32>, tensor<32x48xf32>)
    outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32> loc("square")
  %re = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%re : tensor<32xf32>) -> tensor<32xf32>
  %rows = linalg.generic {
    indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%square : tensor<32x48xf32>) outs(%init : tensor<32xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<32xf32> loc("rows")
  return %square, %rows : tensor<32x48xf32>, tensor<32xf32>
}
