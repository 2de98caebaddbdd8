// Products and sums over as many rows as a call has, and a result of known size: with rows
// beyond those of the call, the mean would be another one.

func.func @main(%x: tensor<?x6xf32>, %y: tensor<?x6xf32>)
    -> (tensor<?x4xf32>, tensor<6xf32>) {
  %w = arith.constant dense<[[1.0, -1.0, 0.5, 0.25], [2.0, 3.0, -1.0, 1.0],
    [0.0, 1.0, 1.0, -2.0], [1.5, 0.5, 0.25, 4.0], [-3.0, 1.0, 2.0, 0.125],
    [1.0, 1.0, -1.0, 1.0]]> : tensor<6x4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x6xf32>
  %empty = tensor.empty(%rows) : tensor<?x6xf32>
  %sum = linalg.add ins(%x, %y : tensor<?x6xf32>, tensor<?x6xf32>)
      outs(%empty : tensor<?x6xf32>) -> tensor<?x6xf32>
  %out = tensor.empty(%rows) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x4xf32>) -> tensor<?x4xf32>
  %product = linalg.matmul ins(%sum, %w : tensor<?x6xf32>, tensor<6x4xf32>)
      outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %none = tensor.empty() : tensor<6xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<6xf32>) -> tensor<6xf32>
  %total = linalg.reduce { arith.addf } ins(%sum : tensor<?x6xf32>)
      outs(%start : tensor<6xf32>) dimensions = [0]
  %integer = arith.index_cast %rows : index to i32
  %count = arith.sitofp %integer : i32 to f32
  %counts = linalg.fill ins(%count : f32) outs(%none : tensor<6xf32>) -> tensor<6xf32>
  %mean = linalg.div ins(%total, %counts : tensor<6xf32>, tensor<6xf32>)
      outs(%none : tensor<6xf32>) -> tensor<6xf32>
  return %product, %mean : tensor<?x4xf32>, tensor<6xf32>
}
