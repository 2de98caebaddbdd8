// A sum over the calls, which begins with 1, 2, 3 and 4, and the number of calls.
ml_program.global private mutable @sum(dense<[1, 2, 3, 4]> : tensor<4xi32>) : tensor<4xi32>
ml_program.global private mutable @calls(dense<0> : tensor<i32>) : tensor<i32>
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<i32>) {
  %one = arith.constant dense<1> : tensor<i32>
  %e = tensor.empty() : tensor<4xi32>
  %s = tensor.empty() : tensor<i32>
  %sum = ml_program.global_load @sum : tensor<4xi32>
  %calls = ml_program.global_load @calls : tensor<i32>
  %0 = linalg.add ins(%sum, %x : tensor<4xi32>, tensor<4xi32>)
    outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %1 = linalg.add ins(%calls, %one : tensor<i32>, tensor<i32>)
    outs(%s : tensor<i32>) -> tensor<i32>
  ml_program.global_store @sum = %0 : tensor<4xi32>
  ml_program.global_store @calls = %1 : tensor<i32>
  return %0, %1 : tensor<4xi32>, tensor<i32>
}
