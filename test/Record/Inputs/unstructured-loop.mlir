// 1 + n ones, added up by a loop of blocks; its tensor changes place.
func.func @main(%n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : tensor<16xf32>
  cf.br ^head(%c0, %x : index, tensor<16xf32>)
^head(%i: index, %t: tensor<16xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %e = tensor.empty() : tensor<16xf32>
  %u = linalg.add ins(%t, %x : tensor<16xf32>, tensor<16xf32>)
    outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %u : index, tensor<16xf32>)
^exit:
  return %t : tensor<16xf32>
}
