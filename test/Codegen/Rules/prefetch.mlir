// RUN: mlir-prof-opt --cpu-apply-rules='vector-bits=256 vector-registers=16' --cse %s | FileCheck %s

// While 6 blocks of rows use one panel of 16 columns, they fetch the next one:
// row k of block i is at (i * 24 + k) / 6 of it, so that all 24 rows of the panel
// are fetched once. After the last panel, it is fetched again.

// CHECK-DAG: [[AHEAD:#.*]] = affine_map<(d0) -> (d0 + 16, 32)>
// CHECK-DAG: [[PART:#.*]] = affine_map<(d0, d1) -> ((d0 floordiv 6) * 4 + d1 floordiv 6)>
// CHECK-DAG: [[PANEL:#.*]] = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK-LABEL: @packed
// CHECK:       scf.for [[COLUMN:%.*]] = %c0
// CHECK:         [[NEXT:%.*]] = affine.min [[AHEAD]]([[COLUMN]])
// CHECK-NEXT:    [[P:%.*]] = affine.apply [[PANEL]]([[NEXT]])
// CHECK:         scf.for [[ROW:%.*]] = %c0
// CHECK:           scf.for [[K:%.*]] = %c0
// CHECK:             [[AT:%.*]] = affine.apply [[PART]]([[ROW]], [[K]])
// CHECK:             memref.prefetch {{%.*}}{{\[}}[[P]], [[AT]], {{%.*}}], read, locality<3>, data : memref<3x24x16xf32>
// CHECK-NOT:         memref.prefetch
// CHECK:             vector.transfer_read
#row = affine_map<(m, n, k) -> (m, k)>
#panel = affine_map<(m, n, k) -> (n floordiv 16, k, n mod 16)>
#result = affine_map<(m, n, k) -> (m, n)>
func.func @packed(%x: tensor<36x24xf32>, %w: tensor<3x24x16xf32>, %init: tensor<36x48xf32>)
    -> tensor<36x48xf32> {
  %r = linalg.generic {indexing_maps = [#row, #panel, #result],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<36x24xf32>, tensor<3x24x16xf32>) outs(%init : tensor<36x48xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<36x48xf32>
  return %r : tensor<36x48xf32>
}

// Weights that are used once stream by.

// CHECK-LABEL: @one_block
// CHECK-NOT:   memref.prefetch
func.func @one_block(%x: tensor<6x24xf32>, %w: tensor<3x24x16xf32>, %init: tensor<6x48xf32>)
    -> tensor<6x48xf32> {
  %r = linalg.generic {indexing_maps = [#row, #panel, #result],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<6x24xf32>, tensor<3x24x16xf32>) outs(%init : tensor<6x48xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<6x48xf32>
  return %r : tensor<6x48xf32>
}
