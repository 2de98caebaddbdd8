// Kernels that differ in sizes get one code, and share-dispatches joins them.

// RUN: %mlir-prof-opt --share-sizes --share-dispatches %s | FileCheck %s
// The dispatches keep their sizes: inlined, everything is static again.
// RUN: %mlir-prof-opt --share-sizes --share-dispatches --inline-dispatches --inline --canonicalize %s | FileCheck %s --check-prefix=INLINED
// Marks of a module are removed before kernels are.
// RUN: %mlir-prof-opt --cpu-check-choices %s | FileCheck %s --check-prefix=CHECKED

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

// Rows and columns differ; 136 and 72 leave a rest of 8 by 64, the four vectors of a step. The
// loops are planned for the larger kernel.
// CHECK-LABEL: func.func private @scale_136
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[S:.*]]: tensor<?xf32>, %[[OUT:.*]]: tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK: linalg.generic
// CHECK-SAME: mlirprof.loop_blocks = array<i64: 1, 64>
// CHECK-SAME: mlirprof.loop_sizes = array<i64: 7, 136>
// CHECK: -> tensor<?x?xf32>
func.func private @scale_136(%x: tensor<7x136xf32>, %s: tensor<136xf32>, %out: tensor<7x136xf32>)
    -> tensor<7x136xf32> attributes {dispatch.kernel} {
  // CHECKED-NOT: mlirprof.loop
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<7x136xf32>, tensor<136xf32>) outs(%out : tensor<7x136xf32>)
      attrs = {mlirprof.loop_sizes = array<i64: 1, 1>, mlirprof.loop_blocks = array<i64: 0, 1>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<7x136xf32>
  return %0 : tensor<7x136xf32>
}
// CHECK-NOT: @scale_72
func.func private @scale_72(%x: tensor<12x72xf32>, %s: tensor<72xf32>, %out: tensor<12x72xf32>)
    -> tensor<12x72xf32> attributes {dispatch.kernel} {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<12x72xf32>, tensor<72xf32>) outs(%out : tensor<12x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<12x72xf32>
  return %0 : tensor<12x72xf32>
}

// Another rest has other code.
// CHECK-LABEL: func.func private @scale_137
// CHECK-SAME: tensor<7x137xf32>
func.func private @scale_137(%x: tensor<7x137xf32>, %s: tensor<137xf32>, %out: tensor<7x137xf32>)
    -> tensor<7x137xf32> attributes {dispatch.kernel} {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<7x137xf32>, tensor<137xf32>) outs(%out : tensor<7x137xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<7x137xf32>
  return %0 : tensor<7x137xf32>
}

// The end of the border is an argument; its width is not, since it is the same.
// CHECK-LABEL: func.func private @border_10
// CHECK-SAME: (%[[AT:.*]]: index, %[[OUT:.*]]: tensor<?x32xf32>) -> tensor<?x32xf32>
// CHECK: tensor.extract_slice %[[OUT]][%[[AT]], 0] [1, 32] [1, 1] : tensor<?x32xf32> to tensor<1x32xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[OUT]][%[[AT]], 0] [1, 32] [1, 1]
func.func private @border_10(%out: tensor<10x32xf32>) -> tensor<10x32xf32>
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %out[9, 0] [1, 32] [1, 1] : tensor<10x32xf32> to tensor<1x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %2 = tensor.insert_slice %1 into %out[9, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<10x32xf32>
  return %2 : tensor<10x32xf32>
}
// CHECK-NOT: @border_20
func.func private @border_20(%out: tensor<20x32xf32>) -> tensor<20x32xf32>
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %out[19, 0] [1, 32] [1, 1] : tensor<20x32xf32> to tensor<1x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %2 = tensor.insert_slice %1 into %out[19, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<20x32xf32>
  return %2 : tensor<20x32xf32>
}

// Slices of fewer dimensions drop the same ones: the size 1 stays constant.
// CHECK-LABEL: func.func private @row
// CHECK: tensor.extract_slice {{.*}} [1, 48] [1, 1] : tensor<1x64xf32> to tensor<48xf32>
func.func private @row(%x: tensor<1x64xf32>, %out: tensor<48xf32>) -> tensor<48xf32>
    attributes {dispatch.kernel} {
  %0 = tensor.extract_slice %x[0, 0] [1, 48] [1, 1] : tensor<1x64xf32> to tensor<48xf32>
  %1 = linalg.copy ins(%0 : tensor<48xf32>) outs(%out : tensor<48xf32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}
// CHECK-LABEL: func.func private @column
// CHECK: tensor.extract_slice {{.*}} [48, 1] [1, 1] : tensor<64x1xf32> to tensor<48xf32>
func.func private @column(%x: tensor<64x1xf32>, %out: tensor<48xf32>) -> tensor<48xf32>
    attributes {dispatch.kernel} {
  %0 = tensor.extract_slice %x[0, 0] [48, 1] [1, 1] : tensor<64x1xf32> to tensor<48xf32>
  %1 = linalg.copy ins(%0 : tensor<48xf32>) outs(%out : tensor<48xf32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}

// A sum of one row at a time: a loop of few iterations keeps its size.
// CHECK-LABEL: func.func private @sum_64
// CHECK-SAME: tensor<4x?xf32>
func.func private @sum_64(%x: tensor<4x64xf32>, %out: tensor<64xf32>) -> tensor<64xf32>
    attributes {dispatch.kernel} {
  %0 = linalg.reduce ins(%x : tensor<4x64xf32>) outs(%out : tensor<64xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<64xf32>
}
// CHECK-NOT: @sum_128
func.func private @sum_128(%x: tensor<4x128xf32>, %out: tensor<128xf32>) -> tensor<128xf32>
    attributes {dispatch.kernel} {
  %0 = linalg.reduce ins(%x : tensor<4x128xf32>) outs(%out : tensor<128xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<128xf32>
}

// Products keep their sizes.
// CHECK-LABEL: func.func private @product_16
// CHECK-SAME: tensor<8x16xf32>
func.func private @product_16(%x: tensor<8x16xf32>, %y: tensor<16x32xf32>, %out: tensor<8x32xf32>)
    -> tensor<8x32xf32> attributes {dispatch.kernel} {
  %0 = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x32xf32>)
    outs(%out : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
// CHECK-LABEL: func.func private @product_24
// CHECK-SAME: tensor<8x24xf32>
func.func private @product_24(%x: tensor<8x24xf32>, %y: tensor<24x32xf32>, %out: tensor<8x32xf32>)
    -> tensor<8x32xf32> attributes {dispatch.kernel} {
  %0 = linalg.matmul ins(%x, %y : tensor<8x24xf32>, tensor<24x32xf32>)
    outs(%out : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @main
// CHECK: dispatch.run @scale_136 ins(%{{.*}}, %{{.*}} : tensor<7x136xf32>, tensor<136xf32>) outs(%{{.*}} : tensor<7x136xf32>)
// CHECK: dispatch.run @scale_136 ins(%{{.*}}, %{{.*}} : tensor<12x72xf32>, tensor<72xf32>) outs(%{{.*}} : tensor<12x72xf32>)
// CHECK: %[[NINE:.*]] = arith.constant 9 : index
// CHECK: dispatch.run @border_10 ins(%[[NINE]] : index) outs(%{{.*}} : tensor<10x32xf32>) updates [0]
// CHECK: %[[NINETEEN:.*]] = arith.constant 19 : index
// CHECK: dispatch.run @border_10 ins(%[[NINETEEN]] : index) outs(%{{.*}} : tensor<20x32xf32>) updates [0]
// INLINED-LABEL: func.func @main
// INLINED: linalg.generic {{.*}} tensor<7x136xf32>
// INLINED: linalg.generic {{.*}} tensor<12x72xf32>
// INLINED: tensor.insert_slice %{{.*}} into %{{.*}}[19, 0] [1, 32] [1, 1]
func.func @main(%a: tensor<7x136xf32>, %b: tensor<12x72xf32>, %s: tensor<136xf32>,
                %t: tensor<72xf32>, %c: tensor<10x32xf32>, %d: tensor<20x32xf32>,
                %e: tensor<7x137xf32>, %u: tensor<137xf32>, %f: tensor<4x64xf32>,
                %g: tensor<4x128xf32>)
    -> (tensor<7x136xf32>, tensor<12x72xf32>, tensor<10x32xf32>, tensor<20x32xf32>,
        tensor<7x137xf32>, tensor<64xf32>, tensor<128xf32>) {
  %e0 = tensor.empty() : tensor<7x136xf32>
  %0 = dispatch.run @scale_136 ins(%a, %s : tensor<7x136xf32>, tensor<136xf32>)
    outs(%e0 : tensor<7x136xf32>) -> tensor<7x136xf32>
  %e1 = tensor.empty() : tensor<12x72xf32>
  %1 = dispatch.run @scale_72 ins(%b, %t : tensor<12x72xf32>, tensor<72xf32>)
    outs(%e1 : tensor<12x72xf32>) -> tensor<12x72xf32>
  %2 = dispatch.run @border_10 outs(%c : tensor<10x32xf32>) updates [0] -> tensor<10x32xf32>
  %3 = dispatch.run @border_20 outs(%d : tensor<20x32xf32>) updates [0] -> tensor<20x32xf32>
  %e4 = tensor.empty() : tensor<7x137xf32>
  %4 = dispatch.run @scale_137 ins(%e, %u : tensor<7x137xf32>, tensor<137xf32>)
    outs(%e4 : tensor<7x137xf32>) -> tensor<7x137xf32>
  %e5 = tensor.empty() : tensor<64xf32>
  %5 = dispatch.run @sum_64 ins(%f : tensor<4x64xf32>) outs(%e5 : tensor<64xf32>) -> tensor<64xf32>
  %e6 = tensor.empty() : tensor<128xf32>
  %6 = dispatch.run @sum_128 ins(%g : tensor<4x128xf32>) outs(%e6 : tensor<128xf32>) -> tensor<128xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<7x136xf32>, tensor<12x72xf32>, tensor<10x32xf32>, tensor<20x32xf32>,
      tensor<7x137xf32>, tensor<64xf32>, tensor<128xf32>
}
