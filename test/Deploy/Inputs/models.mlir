//--- sum.mlir
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- dynamic.mlir
func.func @main(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = tosa.abs %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

//--- two.mlir
func.func @first(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @second(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

//--- unknown.mlir
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.custom %a {domain_name = "vendor", implementation_attrs = "",
    operator_name = "magic"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
