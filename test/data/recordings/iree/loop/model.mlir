#full = affine_map<(i, j) -> (i, j)>
module @loop {
  func.func @layer(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> tensor<32x64xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<32x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
    %m = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
    %t = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.exp %in : f32
      linalg.yield %r : f32
    } -> tensor<32x64xf32>
    return %t : tensor<32x64xf32>
  }
  func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %n: tensor<i32>) -> tensor<32x64xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = tensor.extract %n[] : tensor<i32>
    %count = arith.index_cast %c : i32 to index
    %a = func.call @layer(%x, %w) : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %y = scf.for %i = %zero to %count step %one iter_args(%v = %a) -> tensor<32x64xf32> {
      %b = func.call @layer(%v, %w) : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
      scf.yield %b : tensor<32x64xf32>
    }
    %cond = arith.cmpi sgt, %count, %one : index
    %z = scf.if %cond -> tensor<32x64xf32> {
      %d = func.call @layer(%y, %w) : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
      scf.yield %d : tensor<32x64xf32>
    } else {
      %e = tensor.empty() : tensor<32x64xf32>
      %d = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.tanh %in : f32
      linalg.yield %r : f32
    } -> tensor<32x64xf32>
      scf.yield %d : tensor<32x64xf32>
    }
    return %z : tensor<32x64xf32>
  }
}
