// Attention of 32 heads: softmax(q kT / sqrt(64)) v.
#whole = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
#queries = affine_map<(h, i, j, d) -> (h, i, d)>
#keys = affine_map<(h, i, j, d) -> (h, j, d)>
#scores = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @main(%q: tensor<32x2048x64xf32>, %k: tensor<32x2048x64xf32>, %v: tensor<32x2048x64xf32>) -> tensor<32x2048x64xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %factor = arith.constant 0.125 : f32
  %se = tensor.empty() : tensor<32x2048x2048xf32>
  %re = tensor.empty() : tensor<32x2048xf32>
  %qe = tensor.empty() : tensor<32x2048x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<32x2048x2048xf32>) -> tensor<32x2048x2048xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  %rl = linalg.fill ins(%least : f32) outs(%re : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  %qz = linalg.fill ins(%zero : f32) outs(%qe : tensor<32x2048x64xf32>) -> tensor<32x2048x64xf32>
  %scores = linalg.generic {
    indexing_maps = [#queries, #keys, #scores],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<32x2048x64xf32>, tensor<32x2048x64xf32>) outs(%sz : tensor<32x2048x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x2048x2048xf32>
  %scaled = linalg.generic {
    indexing_maps = [#whole, #whole],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%scores : tensor<32x2048x2048xf32>) outs(%se : tensor<32x2048x2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
  } -> tensor<32x2048x2048xf32>
  %max = linalg.generic {
    indexing_maps = [#whole, #row],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%scaled : tensor<32x2048x2048xf32>) outs(%rl : tensor<32x2048xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.maximumf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<32x2048xf32>
  %exp = linalg.generic {
    indexing_maps = [#whole, #row, #whole],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%scaled, %max : tensor<32x2048x2048xf32>, tensor<32x2048xf32>) outs(%se : tensor<32x2048x2048xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<32x2048x2048xf32>
  %sum = linalg.generic {
    indexing_maps = [#whole, #row],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%exp : tensor<32x2048x2048xf32>) outs(%rz : tensor<32x2048xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<32x2048xf32>
  %weights = linalg.generic {
    indexing_maps = [#whole, #row, #whole],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<32x2048x2048xf32>, tensor<32x2048xf32>) outs(%se : tensor<32x2048x2048xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %r = arith.divf %in, %t : f32
    linalg.yield %r : f32
  } -> tensor<32x2048x2048xf32>
  %result = linalg.batch_matmul ins(%weights, %v : tensor<32x2048x2048xf32>, tensor<32x2048x64xf32>) outs(%qz : tensor<32x2048x64xf32>) -> tensor<32x2048x64xf32>
  return %result : tensor<32x2048x64xf32>
}
