// A streaming convolution of 3 taps over frames of 8 channels: the past two frames are kept.
module {
  ml_program.global private mutable @past(dense<0.0> : tensor<2x8xf32>) : tensor<2x8xf32>
  func.func @main(%frame: tensor<1x8xf32>, %taps: tensor<3x8x8xf32>) -> tensor<8xf32> {
    %past = ml_program.global_load @past : tensor<2x8xf32>
    %all = tensor.concat dim(0) %past, %frame : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<3x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(o, t, c) -> (t, c)>, affine_map<(o, t, c) -> (t, c, o)>, affine_map<(o, t, c) -> (o)>],
        iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%all, %taps : tensor<3x8xf32>, tensor<3x8x8xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%a: f32, %w: f32, %s: f32):
      %p = arith.mulf %a, %w : f32
      %n = arith.addf %s, %p : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    %rest = tensor.extract_slice %all[1, 0] [2, 8] [1, 1] : tensor<3x8xf32> to tensor<2x8xf32>
    ml_program.global_store @past = %rest : tensor<2x8xf32>
    return %r : tensor<8xf32>
  }
}
