// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-pack-weights{vector-bits=128 vector-registers=16})' | FileCheck %s

// The filter of a convolution is packed like the weights of a product: panels of
// eight channels of the result, in each its taps and channels.
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3 floordiv 8, d4, d5, d6, d3 mod 8)>
// CHECK-LABEL: func.func @convolution
// CHECK: %[[W:.*]] = arith.constant dense_resource<packed> : tensor<2x1x2x1x8xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[W]] :
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc

// 0 ... 7 of the first tap, 16 ... 23 of the second, then 8 ... 15.
// CHECK: packed: "0x40000000000000000000803F0000004000004040000080400000A0400000C0400000E040000080410000884100009041
func.func @convolution(%x: tensor<1x4x9x1xf32>) -> tensor<1x4x8x16xf32> {
  %w = arith.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]],
   [[16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]]]]> : tensor<1x2x1x16xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x4x9x1xf32>, tensor<1x2x1x16xf32>) outs(%f : tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return %r : tensor<1x4x8x16xf32>
}

// Each vector of a depthwise filter has an image of its own.
func.func @depthwise(%x: tensor<1x4x9x4xf32>, %e: tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32> {
  %w = arith.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]]> : tensor<1x2x4xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x4x9x4xf32>, tensor<1x2x4xf32>) outs(%e : tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  return %r : tensor<1x4x8x4xf32>
}
