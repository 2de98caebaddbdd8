// RUN: mlir-prof-opt --cpu-follow-products %s | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#bias = affine_map<(d0, d1, d2) -> (d2)>
#turned = affine_map<(d0, d1, d2) -> (d0, d2, d1)>

// The activation, and the sum with what went around the layer, are computed on
// the matrix; the last result gets its dimensions.

// CHECK-LABEL: @follows
// CHECK-SAME:  [[OTHER:%[a-z0-9]+]]: tensor<2x6x16xf32>
// CHECK:       [[PRODUCT:%.*]] = linalg.matmul
// CHECK:       [[TANH:%.*]] = linalg.generic {{.*}} ins([[PRODUCT]], {{.*}} : tensor<12x16xf32>, tensor<16xf32>)
// CHECK:         math.tanh
// CHECK:       [[AROUND:%.*]] = tensor.collapse_shape [[OTHER]] {{\[\[}}0, 1], [2]]
// CHECK:       [[SUM:%.*]] = linalg.generic {{.*}} ins([[TANH]], [[AROUND]] : tensor<12x16xf32>, tensor<12x16xf32>)
// CHECK:       [[RESULT:%.*]] = tensor.expand_shape [[SUM]]
// CHECK:       return [[RESULT]]
func.func @follows(%x: tensor<12x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>,
                   %around: tensor<2x6x16xf32>, %init: tensor<12x16xf32>) -> tensor<2x6x16xf32> {
  %product = linalg.matmul ins(%x, %w : tensor<12x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
  %expanded = tensor.expand_shape %product [[0, 1], [2]] output_shape [2, 6, 16]
    : tensor<12x16xf32> into tensor<2x6x16xf32>
  %empty = tensor.empty() : tensor<2x6x16xf32>
  %tanh = linalg.generic {indexing_maps = [#rows, #bias, #rows],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%expanded, %b : tensor<2x6x16xf32>, tensor<16xf32>) outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%p: f32, %c: f32, %out: f32):
    %s = arith.addf %p, %c : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<2x6x16xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #rows, #rows],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tanh, %around : tensor<2x6x16xf32>, tensor<2x6x16xf32>)
      outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%p: f32, %c: f32, %out: f32):
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<2x6x16xf32>
  return %sum : tensor<2x6x16xf32>
}

// Each of these keeps its shape: an op that reads its elements in another order,
// one after a reshape of anything else, and one whose product has another reader.

// CHECK-LABEL: @stays
// CHECK-COUNT-3: tensor.expand_shape
// CHECK-NOT: tensor.expand_shape
func.func @stays(%x: tensor<12x8xf32>, %w: tensor<8x16xf32>, %other: tensor<12x16xf32>,
                 %init: tensor<12x16xf32>)
    -> (tensor<2x16x6xf32>, tensor<2x6x16xf32>, tensor<2x6x16xf32>, tensor<12x16xf32>) {
  %product = linalg.matmul ins(%x, %w : tensor<12x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
  %expanded = tensor.expand_shape %product [[0, 1], [2]] output_shape [2, 6, 16]
    : tensor<12x16xf32> into tensor<2x6x16xf32>
  %wide = tensor.empty() : tensor<2x16x6xf32>
  %transposed = linalg.generic {indexing_maps = [#turned, #rows],
                                iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%expanded : tensor<2x6x16xf32>) outs(%wide : tensor<2x16x6xf32>) {
  ^bb0(%p: f32, %out: f32):
    linalg.yield %p : f32
  } -> tensor<2x16x6xf32>
  %empty = tensor.empty() : tensor<2x6x16xf32>
  %plain = tensor.expand_shape %other [[0, 1], [2]] output_shape [2, 6, 16]
    : tensor<12x16xf32> into tensor<2x6x16xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #rows],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%plain : tensor<2x6x16xf32>) outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%p: f32, %out: f32):
    %t = math.exp %p : f32
    linalg.yield %t : f32
  } -> tensor<2x6x16xf32>
  %second = linalg.matmul ins(%x, %w : tensor<12x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
  %shared = tensor.expand_shape %second [[0, 1], [2]] output_shape [2, 6, 16]
    : tensor<12x16xf32> into tensor<2x6x16xf32>
  %log = linalg.generic {indexing_maps = [#rows, #rows],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shared : tensor<2x6x16xf32>) outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%p: f32, %out: f32):
    %t = math.log %p : f32
    linalg.yield %t : f32
  } -> tensor<2x6x16xf32>
  return %transposed, %exp, %log, %second
    : tensor<2x16x6xf32>, tensor<2x6x16xf32>, tensor<2x6x16xf32>, tensor<12x16xf32>
}

// The bias to which the product adds, and the tensor in which the result of the
// next op begins, have the shape of the matrix from the start.

// CHECK-LABEL: @leads
// CHECK-SAME:  %{{.*}}: tensor<12x8xf32>, %{{.*}}: tensor<8x16xf32>, [[BIAS:%[a-z0-9]+]]: tensor<16xf32>
// CHECK-NOT:   tensor.collapse_shape
// CHECK:       [[SUMS:%.*]] = linalg.generic {{.*}} ins([[BIAS]] : tensor<16xf32>) outs(%{{.*}} : tensor<12x16xf32>)
// CHECK:       [[PRODUCT:%.*]] = linalg.matmul {{.*}} outs([[SUMS]] : tensor<12x16xf32>)
// CHECK:       [[BEGIN:%.*]] = tensor.empty() : tensor<12x16xf32>
// CHECK:       linalg.exp ins([[PRODUCT]] : tensor<12x16xf32>) outs([[BEGIN]] : tensor<12x16xf32>)
// CHECK-NOT:   tensor.collapse_shape
func.func @leads(%x: tensor<12x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>)
    -> tensor<12x16xf32> {
  %empty = tensor.empty() : tensor<2x6x16xf32>
  %sums = linalg.generic {indexing_maps = [#bias, #rows],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<16xf32>) outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%c: f32, %out: f32):
    linalg.yield %c : f32
  } -> tensor<2x6x16xf32>
  %init = tensor.collapse_shape %sums [[0, 1], [2]]
    : tensor<2x6x16xf32> into tensor<12x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<12x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
  %begin = tensor.collapse_shape %empty [[0, 1], [2]]
    : tensor<2x6x16xf32> into tensor<12x16xf32>
  %exp = linalg.exp ins(%product : tensor<12x16xf32>) outs(%begin : tensor<12x16xf32>)
    -> tensor<12x16xf32>
  return %exp : tensor<12x16xf32>
}

// An op that somebody else reads keeps its shape.

// CHECK-LABEL: @read_twice
// CHECK:       [[SUMS:%.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x16xf32>)
// CHECK:       tensor.collapse_shape [[SUMS]]
func.func @read_twice(%x: tensor<12x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>)
    -> (tensor<12x16xf32>, tensor<2x6x16xf32>) {
  %empty = tensor.empty() : tensor<2x6x16xf32>
  %sums = linalg.generic {indexing_maps = [#bias, #rows],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<16xf32>) outs(%empty : tensor<2x6x16xf32>) {
  ^bb0(%c: f32, %out: f32):
    linalg.yield %c : f32
  } -> tensor<2x6x16xf32>
  %init = tensor.collapse_shape %sums [[0, 1], [2]]
    : tensor<2x6x16xf32> into tensor<12x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<12x8xf32>, tensor<8x16xf32>)
    outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
  return %product, %sums : tensor<12x16xf32>, tensor<2x6x16xf32>
}
