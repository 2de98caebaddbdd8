// RUN: mlir-prof-opt --cpu-choose-layout %s | FileCheck %s

// With its channels last, the innermost loop of the sum goes over the channels,
// which are contiguous in memory, rather than over the three taps.

// CHECK-DAG: [[IMAGE:#.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d4)>
// CHECK-DAG: [[FILTER:#.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
// CHECK-DAG: [[RESULT:#.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: @conv1d
// CHECK: linalg.generic {indexing_maps = {{\[}}[[IMAGE]], [[FILTER]], [[RESULT]]],
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME: tensor<1x502x256xf32>, tensor<3x256x256xf32>
func.func @conv1d(%x: tensor<1x256x502xf32>, %init: tensor<1x256x500xf32>)
    -> tensor<1x256x500xf32> {
  %w = arith.constant dense<2.0> : tensor<256x256x3xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x256x502xf32>, tensor<256x256x3xf32>)
      outs(%init : tensor<1x256x500xf32>) -> tensor<1x256x500xf32>
  return %r : tensor<1x256x500xf32>
}
