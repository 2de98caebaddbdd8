// A product whose weights are all that is moved when the batch is small.
func.func @main(%x: tensor<?x1024xf32>, %weights: tensor<1024x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x1024xf32>
  %empty = tensor.empty(%batch) : tensor<?x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %y = linalg.matmul ins(%x, %weights : tensor<?x1024xf32>, tensor<1024x1024xf32>)
      outs(%init : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}
