// An attention is one kernel: two products and what is between them, with the
// epilogues of the second. The mask and what goes into the first product are
// others.

// RUN: %mlir-prof-opt --split-input-file --form-dispatches %s | FileCheck %s

// CHECK-LABEL: func.func private @mul(
// CHECK-LABEL: func.func private @absf(
// CHECK-LABEL: func.func private @attention(
// CHECK-SAME: tensor<6x67x4xf32>, %{{.*}}: tensor<6x4x1100xf32>, %{{.*}}: tensor<2x1x67x1100xf32>, %{{.*}}: tensor<6x1100x4xf32>, %{{.*}}: tensor<6x67x4xf32>)
// CHECK: linalg.batch_matmul
// CHECK: tensor.expand_shape
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: tensor.collapse_shape
// CHECK: linalg.batch_matmul
// CHECK: math.tanh
// CHECK: return
// CHECK-LABEL: func.func @model(
// CHECK-COUNT-3: dispatch.run
// CHECK-NOT: dispatch.run
// CHECK: return
func.func @model(%q: tensor<6x67x4xf32>, %k: tensor<6x4x1100xf32>, %mask: tensor<2x1x67x1100xf32>, %v: tensor<6x1100x4xf32>) -> tensor<6x67x4xf32> {
  %zero = arith.constant 0.0 : f32
  %er3 = tensor.empty() : tensor<6x67x4xf32>
  %half = arith.constant 0.5 : f32
  %qs = linalg.generic {indexing_maps = [affine_map<(b, l, d) -> (b, l, d)>, affine_map<(b, l, d) -> (b, l, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<6x67x4xf32>) outs(%er3 : tensor<6x67x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.mulf %in, %half : f32
    linalg.yield %1 : f32
  } -> tensor<6x67x4xf32>
  %em = tensor.empty() : tensor<2x1x67x1100xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%mask : tensor<2x1x67x1100xf32>) outs(%em : tensor<2x1x67x1100xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.absf %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x1x67x1100xf32>
  %low = arith.constant 0xFF800000 : f32
  %e3 = tensor.empty() : tensor<6x67x1100xf32>
  %e4 = tensor.empty() : tensor<2x3x67x1100xf32>
  %er = tensor.empty() : tensor<2x3x67xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %p = linalg.batch_matmul ins(%qs, %k : tensor<6x67x4xf32>, tensor<6x4x1100xf32>) outs(%p0 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %px = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 3, 67, 1100] : tensor<6x67x1100xf32> into tensor<2x3x67x1100xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, 0, l, s)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%px, %ms : tensor<2x3x67x1100xf32>, tensor<2x1x67x1100xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %other: f32, %o: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67x1100xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x67xf32>) -> tensor<2x3x67xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x67x1100xf32>) outs(%m0 : tensor<2x3x67xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.maximumf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<2x3x67x1100xf32>, tensor<2x3x67xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %most: f32, %o: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x67x1100xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x67x1100xf32> into tensor<6x67x1100xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er3 : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  %r = linalg.batch_matmul ins(%c, %v : tensor<6x67x1100xf32>, tensor<6x1100x4xf32>) outs(%r0 : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, l, d) -> (b, l, d)>, affine_map<(b, l, d) -> (b, l, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<6x67x4xf32>) outs(%er3 : tensor<6x67x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<6x67x4xf32>
  return %t : tensor<6x67x4xf32>
}

// -----

// Scores that something else reads, too, are a result of a kernel of their own.

// CHECK-LABEL: func.func @two_users(
// CHECK-COUNT-5: dispatch.run
func.func @two_users(%q: tensor<6x67x4xf32>, %k: tensor<6x4x1100xf32>, %mask: tensor<2x1x67x1100xf32>, %v: tensor<6x1100x4xf32>) -> (tensor<6x67x4xf32>, tensor<2x3x67x1100xf32>) {
  %zero = arith.constant 0.0 : f32
  %er3 = tensor.empty() : tensor<6x67x4xf32>
  %half = arith.constant 0.5 : f32
  %qs = linalg.generic {indexing_maps = [affine_map<(b, l, d) -> (b, l, d)>, affine_map<(b, l, d) -> (b, l, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<6x67x4xf32>) outs(%er3 : tensor<6x67x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.mulf %in, %half : f32
    linalg.yield %1 : f32
  } -> tensor<6x67x4xf32>
  %em = tensor.empty() : tensor<2x1x67x1100xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%mask : tensor<2x1x67x1100xf32>) outs(%em : tensor<2x1x67x1100xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.absf %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x1x67x1100xf32>
  %low = arith.constant 0xFF800000 : f32
  %e3 = tensor.empty() : tensor<6x67x1100xf32>
  %e4 = tensor.empty() : tensor<2x3x67x1100xf32>
  %er = tensor.empty() : tensor<2x3x67xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %p = linalg.batch_matmul ins(%qs, %k : tensor<6x67x4xf32>, tensor<6x4x1100xf32>) outs(%p0 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %px = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 3, 67, 1100] : tensor<6x67x1100xf32> into tensor<2x3x67x1100xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, 0, l, s)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%px, %ms : tensor<2x3x67x1100xf32>, tensor<2x1x67x1100xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %other: f32, %o: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67x1100xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x67xf32>) -> tensor<2x3x67xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x67x1100xf32>) outs(%m0 : tensor<2x3x67xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.maximumf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<2x3x67x1100xf32>, tensor<2x3x67xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %most: f32, %o: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x67x1100xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x67x1100xf32> into tensor<6x67x1100xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er3 : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  %r = linalg.batch_matmul ins(%c, %v : tensor<6x67x1100xf32>, tensor<6x1100x4xf32>) outs(%r0 : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, l, d) -> (b, l, d)>, affine_map<(b, l, d) -> (b, l, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<6x67x4xf32>) outs(%er3 : tensor<6x67x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<6x67x4xf32>
  return %t, %x : tensor<6x67x4xf32>, tensor<2x3x67x1100xf32>
}
