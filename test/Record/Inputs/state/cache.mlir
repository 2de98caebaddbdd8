// Attention of one query against keys and values appended by position.
module {
  ml_program.global private mutable @position(0 : i64) : i64
  ml_program.global private mutable @keys(dense<0.0> : tensor<64x16xf32>) : tensor<64x16xf32>
  ml_program.global private mutable @values(dense<0.0> : tensor<64x16xf32>) : tensor<64x16xf32>
  func.func @main(%q: tensor<16xf32>, %k: tensor<1x16xf32>, %v: tensor<1x16xf32>) -> (tensor<16xf32>, i64) {
    %position = ml_program.global_load @position : i64
    %at = arith.index_cast %position : i64 to index
    %keys = ml_program.global_load @keys : tensor<64x16xf32>
    %values = ml_program.global_load @values : tensor<64x16xf32>
    %newKeys = tensor.insert_slice %k into %keys[%at, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<64x16xf32>
    %newValues = tensor.insert_slice %v into %values[%at, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<64x16xf32>
    ml_program.global_store @keys = %newKeys : tensor<64x16xf32>
    ml_program.global_store @values = %newValues : tensor<64x16xf32>
    %one = arith.constant 1 : i64
    %next = arith.addi %position, %one : i64
    ml_program.global_store @position = %next : i64
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %s = linalg.matvec ins(%newKeys, %q : tensor<64x16xf32>, tensor<16xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
    %masked = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %c = arith.cmpi ule, %i, %at : index
      %m = arith.constant 0.125 : f32
      %x = arith.mulf %a, %m : f32
      %y = math.exp %x : f32
      %z = arith.select %c, %y, %zero : f32
      linalg.yield %z : f32
    } -> tensor<64xf32>
    %e1 = tensor.empty() : tensor<f32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce {arith.addf} ins(%masked : tensor<64xf32>) outs(%f1 : tensor<f32>) dimensions = [0]
    %e2 = tensor.empty() : tensor<16xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16xf32>) -> tensor<16xf32>
    %w = linalg.vecmat ins(%masked, %newValues : tensor<64xf32>, tensor<64x16xf32>) outs(%f2 : tensor<16xf32>) -> tensor<16xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%w, %sum : tensor<16xf32>, tensor<f32>) outs(%e2 : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %x = arith.divf %a, %b : f32
      linalg.yield %x : f32
    } -> tensor<16xf32>
    return %r, %next : tensor<16xf32>, i64
  }
}
