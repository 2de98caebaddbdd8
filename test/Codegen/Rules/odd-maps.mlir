// Maps that look like those of a convolution around something else, and places
// that are sums of loops where nothing is added up: the numbers of plain loops.

// RUN: %python %S/../Winograd/add_weights.py %s > %t.mlir
// RUN: %mlir-prof record %t.mlir --entry=most --pipeline=naive --mode=time --iterations=1 --save-results=%t.most
// RUN: %mlir-prof record %t.mlir --entry=most --max-error=1 --mode=time --iterations=1 --compare=%t.most/result0.npy --rtol=0 --atol=0
// RUN: %mlir-prof record %t.mlir --entry=windows --pipeline=naive --mode=time --iterations=1 --save-results=%t.windows
// RUN: %mlir-prof record %t.mlir --entry=windows --mode=time --iterations=1 --compare=%t.windows/result0.npy --rtol=0 --atol=0
// RUN: %mlir-prof record %t.mlir --entry=parallel_channels --pipeline=naive --mode=time --iterations=1 --save-results=%t.parallel_channels
// RUN: %mlir-prof record %t.mlir --entry=parallel_channels --mode=time --iterations=1 --compare=%t.parallel_channels/result0.npy
// RUN: %mlir-prof record %t.mlir --entry=overlapping_filter --pipeline=naive --mode=time --iterations=1 --save-results=%t.overlapping_filter
// RUN: %mlir-prof record %t.mlir --entry=overlapping_filter --mode=time --iterations=1 --compare=%t.overlapping_filter/result0.npy

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

// Maps like those of a grouped convolution: one loop is parallel, not a
// reduction, or the filter has groups of its own that overlap.

func.func @parallel_channels(%image: tensor<5x32xf32>, %filter: tensor<5x64xf32>) -> tensor<2x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x64xf32>) -> tensor<2x64xf32>
  %r = linalg.generic {indexing_maps = [
     affine_map<(c, v, k) -> (k, (v floordiv 4) * 2 + c)>,
     affine_map<(c, v, k) -> (k, v)>,
     affine_map<(c, v, k) -> (c, v)>],
     iterator_types = ["parallel", "parallel", "reduction"]}
     ins(%image, %filter : tensor<5x32xf32>, tensor<5x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  return %r : tensor<2x64xf32>
}

func.func @overlapping_filter(%image: tensor<5x64xf32>, %filter: tensor<5x4x34xf32>, %f: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [
     affine_map<(v, k, c) -> (k, (v floordiv 4) * 4 + c)>,
     affine_map<(v, k, c) -> (k, c, (v floordiv 4) * 2 + c)>,
     affine_map<(v, k, c) -> (v)>],
     iterator_types = ["parallel", "reduction", "reduction"]}
     ins(%image, %filter : tensor<5x64xf32>, tensor<5x4x34xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
