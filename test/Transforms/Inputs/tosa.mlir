// A small network in tosa. Names and lines as a framework would give them; the times are
// in tosa.mlprof.json.
module @net {
  func.func @main(%x: tensor<1x32x64xf32>, %w1: tensor<1x64x128xf32>, %b1: tensor<1x1x128xf32>, %w2: tensor<1x128x16xf32>) -> tensor<1x32x1xf32> {
    %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32> loc("net/zero"("net.py":10:5))
    %0 = tosa.matmul %x, %w1, %zero, %zero : (tensor<1x32x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x128xf32> loc("net/dense1/matmul"("net.py":11:5))
    %1 = tosa.add %0, %b1 : (tensor<1x32x128xf32>, tensor<1x1x128xf32>) -> tensor<1x32x128xf32> loc("net/dense1/add"("net.py":12:5))
    %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x32x128xf32>) -> tensor<1x32x128xf32> loc("net/relu6"("net.py":13:5))
    %3 = tosa.matmul %2, %w2, %zero, %zero : (tensor<1x32x128xf32>, tensor<1x128x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x16xf32> loc("net/dense2/matmul"("net.py":14:5))
    %4 = tosa.tanh %3 : (tensor<1x32x16xf32>) -> tensor<1x32x16xf32> loc("net/tanh"("net.py":15:5))
    %5 = tosa.reduce_max %4 {axis = 2 : i32} : (tensor<1x32x16xf32>) -> tensor<1x32x1xf32> loc("net/max"("net.py":16:5))
    return %5 : tensor<1x32x1xf32> loc("net/return"("net.py":17:5))
  }
}
