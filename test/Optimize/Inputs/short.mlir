func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.abs ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
