func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tiny.scale %x by 2.0 : tensor<4xf32> -> tensor<4xf32> loc("net/scale")
  %1 = tiny.kernel %0 : tensor<4xf32> -> tensor<4xf32> loc("net/kernel")
  %2 = "other.op"(%1) : (tensor<4xf32>) -> tensor<4xf32> loc("net/other")
  return %2 : tensor<4xf32>
}
