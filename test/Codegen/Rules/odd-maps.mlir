// Maps that look like those of a convolution around something else, and places
// that are sums of loops where nothing is added up: the numbers of plain loops.

// RUN: %python %S/../Winograd/add_weights.py %s > %t.mlir
// RUN: %mlir-prof record %t.mlir --entry=most --pipeline=naive --mode=time --iterations=1 --save-results=%t.most
// RUN: %mlir-prof record %t.mlir --entry=most --max-error=1 --mode=time --iterations=1 --compare=%t.most/result0.npy --rtol=0 --atol=0
// RUN: %mlir-prof record %t.mlir --entry=windows --pipeline=naive --mode=time --iterations=1 --save-results=%t.windows
// RUN: %mlir-prof record %t.mlir --entry=windows --mode=time --iterations=1 --compare=%t.windows/result0.npy --rtol=0 --atol=0

func.func @most(%image: tensor<1x10x10x16xf32>) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x16x16xf32>
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>,
                                           affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>,
                                           affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x10x10x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x8x8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %sum = arith.addf %a, %b : f32
      %max = arith.maximumf %c, %sum : f32
      linalg.yield %max : f32
  } -> tensor<1x8x8x16xf32>
  return %most : tensor<1x8x8x16xf32>
}

func.func @windows(%a: tensor<9x18xf32>) -> tensor<7x3x7xf32> {
  %e = tensor.empty() : tensor<7x3x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i + k, 2 * j + k)>, affine_map<(i, k, j) -> (i, k, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<9x18xf32>) outs(%e : tensor<7x3x7xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
  } -> tensor<7x3x7xf32>
  return %r : tensor<7x3x7xf32>
}
