//--- sum.mlir
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- dynamic.mlir
func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.abs %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

//--- variable.mlir
ml_program.global private mutable @count(dense<0> : tensor<i32>) : tensor<i32>
func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = ml_program.global_load @count : tensor<i32>
  %empty = tensor.empty() : tensor<i32>
  %1 = linalg.add ins(%0, %a : tensor<i32>, tensor<i32>)
    outs(%empty : tensor<i32>) -> tensor<i32>
  ml_program.global_store @count = %1 : tensor<i32>
  return %1 : tensor<i32>
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
