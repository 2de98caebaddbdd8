// relu(x * w + b), with w = dense_resource: w[k][j] = k - j for k < 8, j < 4.
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

func.func @block(%x: tensor<?x8xf32>, %b: tensor<4xf32>, %scale: f32)
    -> (tensor<?x4xf32>, f32) {
  %w = arith.constant dense_resource<weights> : tensor<8x4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%rows) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>)
    -> tensor<?x4xf32>
  %product = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>)
    outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %b : tensor<?x4xf32>, tensor<4xf32>)
      outs(%empty : tensor<?x4xf32>) {
  ^bb0(%p: f32, %q: f32, %old: f32):
    %sum = arith.addf %p, %q : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<?x4xf32>
  %twice = arith.addf %scale, %scale : f32
  return %result, %twice : tensor<?x4xf32>, f32
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x0400000000000000000080BF000000C0000040C00000803F00000000000080BF000000C0000000400000803F00000000000080BF00004040000000400000803F000000000000804000004040000000400000803F0000A0400000804000004040000000400000C0400000A04000008040000040400000E0400000C0400000A04000008040"
    }
  }
#-}
