#row = affine_map<(i, j) -> (j)>
#full = affine_map<(i, j) -> (i, j)>
module @alike {
  func.func @main(%x: tensor<64x256xf32>, %w0: tensor<256x256xf32>, %b0: tensor<256xf32>, %w1: tensor<256x256xf32>, %b1: tensor<256xf32>, %w2: tensor<256x10xf32>) -> tensor<64x10xf32> {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<64x256xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %m0 = linalg.matmul ins(%x, %w0 : tensor<64x256xf32>, tensor<256x256xf32>) outs(%f0 : tensor<64x256xf32>) -> tensor<64x256xf32> loc("dense/dot")
    %r0 = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]} ins(%m0, %b0 : tensor<64x256xf32>, tensor<256xf32>) outs(%e0 : tensor<64x256xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x256xf32> loc("dense/relu")
    %e1 = tensor.empty() : tensor<64x256xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %m1 = linalg.matmul ins(%r0, %w1 : tensor<64x256xf32>, tensor<256x256xf32>) outs(%f1 : tensor<64x256xf32>) -> tensor<64x256xf32> loc("dense/dot")
    %r1 = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]} ins(%m1, %b1 : tensor<64x256xf32>, tensor<256xf32>) outs(%e1 : tensor<64x256xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x256xf32> loc("dense/relu")
    %e = tensor.empty() : tensor<64x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x10xf32>) -> tensor<64x10xf32>
    %m = linalg.matmul ins(%r1, %w2 : tensor<64x256xf32>, tensor<256x10xf32>) outs(%f : tensor<64x10xf32>) -> tensor<64x10xf32> loc("head/dot")
    return %m : tensor<64x10xf32>
  }
}
