// A recurrent layer: h' = (x_t + h U) / 4 for each step of x, whose number is known
// at run time only. The weights are constants.
func.func @main(%x: tensor<?x4x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = arith.constant dense_resource<weights> : tensor<16x16xf32>
  %h0 = arith.constant dense<1.0> : tensor<4x16xf32>
  %steps = tensor.dim %x, %c0 : tensor<?x4x16xf32>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%h = %h0) -> (tensor<4x16xf32>) {
    %xt = tensor.extract_slice %x[%t, 0, 0] [1, 4, 16] [1, 1, 1]
      : tensor<?x4x16xf32> to tensor<4x16xf32>
    %e = tensor.empty() : tensor<4x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %p = linalg.matmul ins(%h, %u : tensor<4x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
    %next = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                         affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%p, %xt : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %m = arith.mulf %s, %quarter : f32
      linalg.yield %m : f32
    } -> tensor<4x16xf32>
    scf.yield %next : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}
