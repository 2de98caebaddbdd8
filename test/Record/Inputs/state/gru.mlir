// A GRU cell with a carried state, in tosa: h' = (1 - z) * n + z * h.
module {
  tosa.variable @h = dense<0.25> : tensor<1x1x16xf32>
  func.func @main(%x: tensor<1x1x16xf32>, %wz: tensor<1x32x16xf32>, %wr: tensor<1x32x16xf32>, %wn: tensor<1x32x16xf32>) -> tensor<1x1x16xf32> {
    %h = tosa.variable_read @h : tensor<1x1x16xf32>
    %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %xh = tosa.concat %x, %h {axis = 2 : i32} : (tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<1x1x32xf32>
    %za = tosa.matmul %xh, %wz, %zp, %zp : (tensor<1x1x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x16xf32>
    %z = tosa.sigmoid %za : (tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %ra = tosa.matmul %xh, %wr, %zp, %zp : (tensor<1x1x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x16xf32>
    %r = tosa.sigmoid %ra : (tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %rh = tosa.mul %r, %h, %shift : (tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<1x1x16xf32>
    %xrh = tosa.concat %x, %rh {axis = 2 : i32} : (tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<1x1x32xf32>
    %na = tosa.matmul %xrh, %wn, %zp, %zp : (tensor<1x1x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x16xf32>
    %n = tosa.tanh %na : (tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %one = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %zc = tosa.sub %one, %z : (tensor<1x1x1xf32>, tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %p = tosa.mul %zc, %n, %shift : (tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<1x1x16xf32>
    %q = tosa.mul %z, %h, %shift : (tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<1x1x16xf32>
    %new = tosa.add %p, %q : (tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    tosa.variable_write @h, %new : tensor<1x1x16xf32>
    return %new : tensor<1x1x16xf32>
  }
}
