// RUN: mlir-prof-opt --cpu-fold-zero-points %s | FileCheck %s

// CHECK-DAG: [[IMAGE:#.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 * 4 + d5)>
// CHECK-DAG: [[WINDOWS:#.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>

// The weights of the filters sum up to 3 and -1. The padding is the zero point.

// CHECK-LABEL: @conv
// CHECK:     [[SIZES:%.*]] = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 1, 0, 0]>
// CHECK:     [[PADDED:%.*]] = tosa.pad %arg0, [[SIZES]], %{{.*}} -> tensor<1x5x5x2xi8>
// CHECK:     [[BIAS:%.*]] = "tosa.const"() <{values = dense<[-5, 27]> : tensor<2xi32>}>
// CHECK:     [[ZERO:%.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}>
// CHECK:     tosa.conv2d [[PADDED]], %{{.*}}, [[BIAS]], [[ZERO]], {{.*}}pad = array<i64: 0, 0, 0, 0>
func.func @conv(%x: tensor<1x4x4x2xi8>) -> tensor<1x5x5x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[-4, 3]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<[10, 22]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x2xi32>
  return %0 : tensor<1x5x5x2xi32>
}

// The numbers of two neighboring pixels follow each other in a line of the image.

// CHECK-LABEL: @lines
// CHECK:     [[LINES:%.*]] = tensor.collapse_shape %arg0 {{.*}} into tensor<1x2x16xi8>
// CHECK:     [[FILTERS:%.*]] = tensor.collapse_shape %{{.*}} into tensor<2x1x8xi8>
// CHECK:     linalg.generic {indexing_maps = {{\[}}[[IMAGE]], [[WINDOWS]], {{.*}} ins([[LINES]], [[FILTERS]]
func.func @lines(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x3x2xi32> {
  %w = "tosa.const"() <{values = dense<1> : tensor<2x1x2x4xi8>}> : () -> tensor<2x1x2x4xi8>
  %b = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x4x4xi8>, tensor<2x1x2x4xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x3x2xi32>
  return %0 : tensor<1x2x3x2xi32>
}

// Both channels have the weights 1 and 2 for two pixels.

// CHECK-LABEL: @depthwise
// CHECK:     [[BIAS:%.*]] = "tosa.const"() <{values = dense<[-8, -7]> : tensor<2xi32>}>
// CHECK:     [[START:%.*]] = linalg.generic {{.*}} ins([[BIAS]] : tensor<2xi32>)
// CHECK:     [[FILTERS:%.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]]
// CHECK:     linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins(%arg0, [[FILTERS]] {{.*}} outs([[START]]
// CHECK-NOT: tosa.depthwise_conv2d
func.func @depthwise(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x4x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[[1], [1]]], [[[2], [2]]]]> : tensor<2x1x2x1xi8>}> : () -> tensor<2x1x2x1xi8>
  %b = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x4x2xi32>
  return %0 : tensor<1x3x4x2xi32>
}

// Weights that are not constant keep the zero point in the products.

// CHECK-LABEL: @dynamic
// CHECK:     [[POINT:%.*]] = "tosa.const"() <{values = dense<3>
// CHECK:     tosa.conv2d %arg0, %arg1, %{{.*}}, [[POINT]]
func.func @dynamic(%x: tensor<1x4x4x2xi8>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %b = "tosa.const"() <{values = dense<[10, 22]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}
