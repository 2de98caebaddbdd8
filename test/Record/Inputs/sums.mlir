// A product, and the sums of its rows.
func.func @main(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>)
    -> (tensor<4xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  %product = linalg.matmul
      ins(%a, %b : tensor<4x6xf32>, tensor<6x8xf32>)
      outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  %none = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<4xf32>)
      -> tensor<4xf32>
  %sums = linalg.reduce ins(%product : tensor<4x8xf32>)
      outs(%start : tensor<4xf32>) dimensions = [1]
      (%x: f32, %sum: f32) {
        %next = arith.addf %x, %sum : f32
        linalg.yield %next : f32
      }
  return %sums, %product : tensor<4xf32>, tensor<4x8xf32>
}
