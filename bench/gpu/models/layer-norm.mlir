// Layer normalization of rows.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<4096x8192xf32>, %scale: tensor<8192xf32>, %shift: tensor<8192xf32>) -> tensor<4096x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8192.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %whole = tensor.empty() : tensor<4096x8192xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {
    indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<4096x8192xf32>) outs(%zeros : tensor<4096xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %r = arith.addf %in, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %squares = linalg.generic {
    indexing_maps = [#whole, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x, %sum : tensor<4096x8192xf32>, tensor<4096xf32>) outs(%zeros : tensor<4096xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %in, %mean : f32
    %square = arith.mulf %d, %d : f32
    %r = arith.addf %square, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %result = linalg.generic {
    indexing_maps = [#whole, #row, #row, #column, #column, #whole],
    iterator_types = ["parallel", "parallel"]}
    ins(%x, %sum, %squares, %scale, %shift : tensor<4096x8192xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<8192xf32>, tensor<8192xf32>)
    outs(%whole : tensor<4096x8192xf32>) {
  ^bb0(%in: f32, %s: f32, %q: f32, %g: f32, %b: f32, %out: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %in, %mean : f32
    %variance = arith.divf %q, %count : f32
    %v = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %v : f32
    %n = arith.mulf %d, %inverse : f32
    %scaled = arith.mulf %n, %g : f32
    %r = arith.addf %scaled, %b : f32
    linalg.yield %r : f32
  } -> tensor<4096x8192xf32>
  return %result : tensor<4096x8192xf32>
}
