// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-choose-layout,canonicalize))' | FileCheck %s

// A block as PyTorch writes it: the pad, the bias, and the ops behind follow.
// The filter is stored anew; transposes remain at both ends.

// CHECK-LABEL: func @block(
// CHECK-SAME: %[[X:.*]]: tensor<1x32x28x28xf32>
// CHECK-DAG: %[[FILTER:.*]] = arith.constant dense<1.000000e+00> : tensor<3x3x32x64xf32>
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense<2.000000e+00> : tensor<64xf32>
// CHECK: %[[IN:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<1x28x28x32xf32>) permutation = [0, 2, 3, 1]
// CHECK: %[[PADDED:.*]] = tensor.pad %[[IN]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[BIAS]] : {{.*}}) outs(%{{.*}} : tensor<1x28x28x64xf32>)
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, mlirprof.choice = {threads = {count = "1"}}, strides = dense<1> : vector<2xi64>} ins(%[[PADDED]], %[[FILTER]] : {{.*}}) outs(%[[START]] : {{.*}})
// CHECK: %[[RELU:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x28x28x64xf32>)
// CHECK: %[[POOL:.*]] = linalg.pooling_nhwc_max {{.*}} ins(%[[RELU]], {{.*}} : tensor<1x28x28x64xf32>, tensor<2x2xf32>) outs({{.*}} : tensor<1x14x14x64xf32>)
// CHECK: %[[OUT:.*]] = linalg.transpose ins(%[[POOL]] : {{.*}}) outs({{.*}} : tensor<1x64x14x14xf32>) permutation = [0, 3, 1, 2]
// CHECK: return %[[OUT]]
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @block(%x: tensor<1x32x28x28xf32>) -> tensor<1x64x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %filter = arith.constant dense<1.0> : tensor<64x32x3x3xf32>
  %bias = arith.constant dense<2.0> : tensor<64xf32>
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x32x28x28xf32> to tensor<1x32x30x30xf32>
  %e = tensor.empty() : tensor<1x64x28x28xf32>
  %start = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%e : tensor<1x64x28x28xf32>) dimensions = [0, 2, 3]
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>, mlirprof.choice = {threads = {count = "1"}}}
    ins(%padded, %filter : tensor<1x32x30x30xf32>, tensor<64x32x3x3xf32>) outs(%start : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %relu = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%sums : tensor<1x64x28x28xf32>) outs(%e : tensor<1x64x28x28xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x28x28xf32>
  %f = tensor.empty() : tensor<1x64x14x14xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %first = linalg.fill ins(%least : f32) outs(%f : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %pool = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%relu, %w : tensor<1x64x28x28xf32>, tensor<2x2xf32>) outs(%first : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  return %pool : tensor<1x64x14x14xf32>
}

// -----

// With three channels the image stays: its elements are loaded one by one. The
// mean over the pixels needs no transpose; flattening one pixel is a reshape.

// CHECK-LABEL: func @ends(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x32x32xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<2x3x32x32xf32>, tensor<3x3x3x64xf32>) outs(%{{.*}} : tensor<2x30x30x64xf32>)
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<2x30x30x64xf32>) outs({{.*}} : tensor<2x64x1x1xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: return
#sum = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @ends(%x: tensor<2x3x32x32xf32>) -> tensor<2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense<1.0> : tensor<64x3x3x3xf32>
  %e = tensor.empty() : tensor<2x64x30x30xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x30x30xf32>) -> tensor<2x64x30x30xf32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<2x3x32x32xf32>, tensor<64x3x3x3xf32>) outs(%start : tensor<2x64x30x30xf32>) -> tensor<2x64x30x30xf32>
  %f = tensor.empty() : tensor<2x64x1x1xf32>
  %first = linalg.fill ins(%zero : f32) outs(%f : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
  %mean = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%sums : tensor<2x64x30x30xf32>) outs(%first : tensor<2x64x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x64x1x1xf32>
  %flat = tensor.collapse_shape %mean [[0], [1, 2, 3]] : tensor<2x64x1x1xf32> into tensor<2x64xf32>
  return %flat : tensor<2x64xf32>
}

// -----

// Patches of an image become a sequence: the transpose of the model is what the
// convolution stores anyway.

// CHECK-LABEL: func @patches(
// CHECK-NOT: linalg.transpose
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x8x96xf32>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[SUMS]] {{\[\[}}0], [1, 2], [3]] : tensor<1x8x8x96xf32> into tensor<1x64x96xf32>
// CHECK-NEXT: return %[[ROWS]]
func.func @patches(%x: tensor<1x3x64x64xf32>) -> tensor<1x64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense<1.0> : tensor<96x3x8x8xf32>
  %e = tensor.empty() : tensor<1x96x8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1x96x8x8xf32>) -> tensor<1x96x8x8xf32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<8> : vector<2xi64>}
    ins(%x, %filter : tensor<1x3x64x64xf32>, tensor<96x3x8x8xf32>) outs(%start : tensor<1x96x8x8xf32>) -> tensor<1x96x8x8xf32>
  %rows = tensor.collapse_shape %sums [[0], [1], [2, 3]] : tensor<1x96x8x8xf32> into tensor<1x96x64xf32>
  %f = tensor.empty() : tensor<1x64x96xf32>
  %t = linalg.transpose ins(%rows : tensor<1x96x64xf32>) outs(%f : tensor<1x64x96xf32>) permutation = [0, 2, 1]
  return %t : tensor<1x64x96xf32>
}

// -----

// The transposes cost more than so few products gain, and an image of unknown
// use is not worth it either.

// CHECK-LABEL: func @small(
// CHECK: linalg.depthwise_conv_2d_nchw_chw
// CHECK-LABEL: func @last(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: linalg.transpose
func.func @small(%x: tensor<1x16x64x64xf32>, %filter: tensor<16x1x1xf32>, %e: tensor<1x16x64x64xf32>) -> tensor<1x16x64x64xf32> {
  %sums = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<1x16x64x64xf32>, tensor<16x1x1xf32>) outs(%e : tensor<1x16x64x64xf32>) -> tensor<1x16x64x64xf32>
  return %sums : tensor<1x16x64x64xf32>
}

func.func @last(%x: tensor<1x9x9x32xf32>, %filter: tensor<3x3x32x64xf32>, %e: tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32> {
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<1x9x9x32xf32>, tensor<3x3x32x64xf32>) outs(%e : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  return %sums : tensor<1x7x7x64xf32>
}

// -----

// Sizes that are not known follow as well; a size of the result is that of
// another dimension of the reordered one.

// CHECK-LABEL: func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?x32x?x28xf32>, %{{.*}}: index, %[[SIZE:.*]]: index)
// CHECK: linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<?x?x28x32xf32>) permutation = [0, 2, 3, 1]
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} -> tensor<?x?x26x64xf32>
// CHECK: return %{{.*}}, %[[SIZE]]
func.func @dynamic(%x: tensor<?x32x?x28xf32>, %n: index, %h: index) -> (tensor<?x64x?x26xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %filter = arith.constant dense<1.0> : tensor<64x32x3x3xf32>
  %e = tensor.empty(%n, %h) : tensor<?x64x?x26xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x?x26xf32>) -> tensor<?x64x?x26xf32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<?x32x?x28xf32>, tensor<64x32x3x3xf32>) outs(%start : tensor<?x64x?x26xf32>) -> tensor<?x64x?x26xf32>
  %size = tensor.dim %sums, %c2 : tensor<?x64x?x26xf32>
  return %sums, %size : tensor<?x64x?x26xf32>, index
}

// -----

// Parts that interleave, as those of a transposed convolution, are put together
// first: one transpose of the whole starts less often than one of each part.

// CHECK-LABEL: func @parts(
// CHECK: tensor.insert_slice {{.*}} into %{{.*}}[0, 0, 0, 0] [1, 26, 26, 64] [1, 1, 2, 1] : tensor<1x26x26x64xf32> into tensor<1x26x52x64xf32>
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice {{.*}} into %{{.*}}[0, 0, 1, 0] [1, 26, 26, 64] [1, 1, 2, 1] : tensor<1x26x26x64xf32> into tensor<1x26x52x64xf32>
// CHECK: %[[OUT:.*]] = linalg.transpose ins(%[[WHOLE]] : {{.*}}) outs({{.*}} : tensor<1x64x26x52xf32>) permutation = [0, 3, 1, 2]
// CHECK: return %[[OUT]]
func.func @parts(%x: tensor<1x32x28x28xf32>, %y: tensor<1x32x28x28xf32>, %filter: tensor<64x32x3x3xf32>) -> tensor<1x64x26x52xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x26x26xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x26x26xf32>) -> tensor<1x64x26x26xf32>
  %even = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<1x32x28x28xf32>, tensor<64x32x3x3xf32>) outs(%start : tensor<1x64x26x26xf32>) -> tensor<1x64x26x26xf32>
  %odd = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%y, %filter : tensor<1x32x28x28xf32>, tensor<64x32x3x3xf32>) outs(%start : tensor<1x64x26x26xf32>) -> tensor<1x64x26x26xf32>
  %whole = tensor.empty() : tensor<1x64x26x52xf32>
  %half = tensor.insert_slice %even into %whole[0, 0, 0, 0] [1, 64, 26, 26] [1, 1, 1, 2] : tensor<1x64x26x26xf32> into tensor<1x64x26x52xf32>
  %both = tensor.insert_slice %odd into %half[0, 0, 0, 1] [1, 64, 26, 26] [1, 1, 1, 2] : tensor<1x64x26x26xf32> into tensor<1x64x26x52xf32>
  return %both : tensor<1x64x26x52xf32>
}

// -----

// An op that extracts elements, as resizing does, follows a convolution: its
// table stays, and the extract reads the channels last.

// CHECK-LABEL: func.func @extracts
// CHECK: %[[Y:[a-z0-9_]+]] = linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.generic
// CHECK-DAG: %[[C:[a-z0-9_]+]] = linalg.index 3 : index
// CHECK-DAG: %[[W:[a-z0-9_]+]] = linalg.index 2 : index
// CHECK: tensor.extract %[[Y]][%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %[[W]], %[[C]]] : tensor<1x16x16x64xf32>
// CHECK: -> tensor<1x8x16x64xf32>
// CHECK: linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @extracts(%x: tensor<1x64x18x18xf32>, %k: tensor<64x64x3x3xf32>, %t: tensor<8xi64>) -> tensor<1x64x8x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %k : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32>)
      outs(%f : tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
  %o = tensor.empty() : tensor<1x64x8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (h)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : tensor<8xi64>) outs(%o : tensor<1x64x8x16xf32>) {
  ^bb0(%n: i64, %out: f32):
    %c = linalg.index 1 : index
    %h = arith.index_cast %n : i64 to index
    %w = linalg.index 3 : index
    %v = tensor.extract %y[%c0, %c, %h, %w] : tensor<1x64x16x16xf32>
    linalg.yield %v : f32
  } -> tensor<1x64x8x16xf32>
  return %r : tensor<1x64x8x16xf32>
}
