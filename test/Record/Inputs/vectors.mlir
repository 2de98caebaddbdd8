// Vectors of two and three dimensions, written by hand.
func.func @main(%a: tensor<4x8xf32>, %i: tensor<2x4xi32>)
    -> (tensor<4xf32>, tensor<8x8xf32>, tensor<2x4xf32>) {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %read = vector.transfer_read %a[%zero, %zero], %pad {in_bounds = [true, true]}
    : tensor<4x8xf32>, vector<4x8xf32>
  %start = arith.constant dense<1.0> : vector<4xf32>
  %most = vector.multi_reduction <maximumf>, %read, %start [1]
    : vector<4x8xf32> to vector<4xf32>
  %e0 = tensor.empty() : tensor<4xf32>
  %r0 = vector.transfer_write %most, %e0[%zero] {in_bounds = [true]}
    : vector<4xf32>, tensor<4xf32>
  %sum = arith.constant dense<0.0> : vector<8x8xf32>
  %square = vector.contract
    {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
     iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %read, %read, %sum : vector<4x8xf32>, vector<4x8xf32> into vector<8x8xf32>
  %e1 = tensor.empty() : tensor<8x8xf32>
  %r1 = vector.transfer_write %square, %e1[%zero, %zero] {in_bounds = [true, true]}
    : vector<8x8xf32>, tensor<8x8xf32>
  %none = arith.constant 0 : i32
  %indices = vector.transfer_read %i[%zero, %zero], %none {in_bounds = [true, true]}
    : tensor<2x4xi32>, vector<2x4xi32>
  %mask = vector.constant_mask [2, 3] : vector<2x4xi1>
  %other = arith.constant dense<-1.0> : vector<2x4xf32>
  %picked = vector.gather %a[%zero, %zero] [%indices], %mask, %other
    : tensor<4x8xf32>, vector<2x4xi32>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  %first = arith.constant dense<0.0> : vector<4xf32>
  %running, %last = vector.scan <add>, %picked, %first
    {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  %e2 = tensor.empty() : tensor<2x4xf32>
  %r2 = vector.transfer_write %running, %e2[%zero, %zero] {in_bounds = [true, true]}
    : vector<2x4xf32>, tensor<2x4xf32>
  return %r0, %r1, %r2 : tensor<4xf32>, tensor<8x8xf32>, tensor<2x4xf32>
}
