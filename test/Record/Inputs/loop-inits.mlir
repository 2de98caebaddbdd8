// Both spare buffers of a loop start from one empty tensor. Each pass writes both
// before it reads them: three reverse %keys and turn %values by three.
func.func @main(%keys: tensor<4xf32>, %values: tensor<4xf32>, %passes: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %empty = tensor.empty() : tensor<4xf32>
  %all:4 = scf.for %pass = %c0 to %passes step %c1
      iter_args(%k = %keys, %v = %values, %spare_k = %empty, %spare_v = %empty)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %there:2 = scf.for %i = %c0 to %c4 step %c1
        iter_args(%to_k = %spare_k, %to_v = %spare_v)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %key = tensor.extract %k[%i] : tensor<4xf32>
      %value = tensor.extract %v[%i] : tensor<4xf32>
      %new_k = tensor.insert %key into %to_k[%i] : tensor<4xf32>
      %new_v = tensor.insert %value into %to_v[%i] : tensor<4xf32>
      scf.yield %new_k, %new_v : tensor<4xf32>, tensor<4xf32>
    }
    %back:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%to_k = %k, %to_v = %v)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %mirrored = arith.subi %c3, %i : index
      %next = arith.addi %i, %c1 : index
      %turned = arith.remui %next, %c4 : index
      %key = tensor.extract %there#0[%mirrored] : tensor<4xf32>
      %value = tensor.extract %there#1[%turned] : tensor<4xf32>
      %new_k = tensor.insert %key into %to_k[%i] : tensor<4xf32>
      %new_v = tensor.insert %value into %to_v[%i] : tensor<4xf32>
      scf.yield %new_k, %new_v : tensor<4xf32>, tensor<4xf32>
    }
    scf.yield %back#0, %back#1, %there#0, %there#1
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %all#0, %all#1 : tensor<4xf32>, tensor<4xf32>
}
