// Softmax of rows.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %whole = tensor.empty() : tensor<4096x8192xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.generic {
    indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<4096x8192xf32>) outs(%leasts : tensor<4096xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %exp = linalg.generic {
    indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
    ins(%x, %max : tensor<4096x8192xf32>, tensor<4096xf32>) outs(%whole : tensor<4096x8192xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<4096x8192xf32>
  %sum = linalg.generic {
    indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%exp : tensor<4096x8192xf32>) outs(%zeros : tensor<4096xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %result = linalg.generic {
    indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
    ins(%exp, %sum : tensor<4096x8192xf32>, tensor<4096xf32>) outs(%whole : tensor<4096x8192xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<4096x8192xf32>
  return %result : tensor<4096x8192xf32>
}
