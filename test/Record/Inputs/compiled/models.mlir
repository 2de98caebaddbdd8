//--- layer.mlir
func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = arith.constant dense_resource<weights> : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%rows) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>)
    outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32> loc("layer")
  return %y : tensor<?x64xf32>
}
//--- extern.mlir
func.func private @elsewhere(%x: f32) -> f32
func.func @main(%x: f32) -> f32 {
  %y = call @elsewhere(%x) : (f32) -> f32
  return %y : f32
}
//--- parallel.mlir
func.func @main(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<64xf32>
  }
  return
}
