// Two products in one line of the source, and two ops under one name.
module @net {
  func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32> loc("empty")
    %h = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("net/up/matmul"("net.py":3:5))
    %t = math.tanh %h : tensor<4x8xf32> loc("net/act"("net.py":4:5))
    %r = linalg.matmul ins(%t, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("net.py":5:7)
    %q = arith.addf %r, %x : tensor<4x8xf32> loc("net/twice")
    %p = arith.mulf %q, %q : tensor<4x8xf32> loc("net/twice")
    return %p : tensor<4x8xf32>
  } loc("main")
}
