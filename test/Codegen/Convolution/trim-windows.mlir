// Filter positions that meet only padding are removed.

// RUN: %mlir-prof-opt %s --cpu-trim-windows --split-input-file | FileCheck %s

// The positions lie 12 pixels apart: only the middle one meets the image, and
// the padding is not needed. Rows and columns of the filter are 1 to 9.

// CHECK-LABEL: func.func @middle
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1x8x8xi8>
// CHECK: %[[K:[a-z0-9_]+]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<1x1x1x1xi8>
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<12> : vector<2xi64>
// CHECK-SAME: ins(%[[X]], %[[K]] : tensor<1x1x8x8xi8>, tensor<1x1x1x1xi8>)
// CHECK: [[NAME]]: "0x4000000005"
func.func @middle(%x: tensor<1x1x8x8xi8>, %o: tensor<1x1x8x8xi8>) -> tensor<1x1x8x8xi8> {
  %zero = arith.constant 0 : i8
  %k = arith.constant dense<[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]> : tensor<1x1x3x3xi8>
  %p = tensor.pad %x low[0, 0, 12, 12] high[0, 0, 12, 12] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : i8
  } : tensor<1x1x8x8xi8> to tensor<1x1x32x32xi8>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<12> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %k : tensor<1x1x32x32xi8>, tensor<1x1x3x3xi8>)
      outs(%o : tensor<1x1x8x8xi8>) -> tensor<1x1x8x8xi8>
  return %r : tensor<1x1x8x8xi8>
}

// -----

// Along the rows, positions 1 and 2 remain; they read 2 rows of zeros after the
// image. The columns stay as they are.

// CHECK-LABEL: func.func @side
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1x6x8xf32>, %[[K:[a-z0-9]+]]: tensor<2x1x3x3xf32>
// CHECK: %[[P:[a-z0-9_]+]] = tensor.pad %[[X]] low[0, 0, 0, 1] high[0, 0, 2, 1]
// CHECK: } : tensor<1x1x6x8xf32> to tensor<1x1x8x10xf32>
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: ins(%[[P]], %{{.*}} : tensor<1x1x8x10xf32>, tensor<2x1x2x3xf32>)
func.func @side(%x: tensor<1x1x6x8xf32>, %k: tensor<2x1x3x3xf32>, %o: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 4, 1] high[0, 0, 2, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x1x6x8xf32> to tensor<1x1x12x10xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[4, 1]> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %k : tensor<1x1x12x10xf32>, tensor<2x1x3x3xf32>)
      outs(%o : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %r : tensor<1x2x4x8xf32>
}

// -----

// Every position meets the image, or what is around it is not zero.

// CHECK-LABEL: func.func @stays
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<1x1x10x10xf32>, tensor<2x1x3x3xf32>)
// CHECK: tensor.pad %{{.*}} low[0, 0, 12, 12] high[0, 0, 12, 12]
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<1x1x32x32xf32>, tensor<2x1x3x3xf32>)
func.func @stays(%x: tensor<1x1x8x8xf32>, %k: tensor<2x1x3x3xf32>, %o: tensor<1x2x8x8xf32>) -> (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x1x8x8xf32> to tensor<1x1x10x10xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %k : tensor<1x1x10x10xf32>, tensor<2x1x3x3xf32>)
      outs(%o : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %q = tensor.pad %x low[0, 0, 12, 12] high[0, 0, 12, 12] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x1x8x8xf32> to tensor<1x1x32x32xf32>
  %s = linalg.conv_2d_nchw_fchw {dilations = dense<12> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%q, %k : tensor<1x1x32x32xf32>, tensor<2x1x3x3xf32>)
      outs(%o : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  return %r, %s : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
}

// -----

// The last row of a filter that is not constant.

// CHECK-LABEL: func.func @end
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1x6x8xf32>, %[[K:[a-z0-9]+]]: tensor<2x1x3x3xf32>
// CHECK: %[[PART:[a-z0-9_]+]] = tensor.extract_slice %[[K]][0, 0, 0, 0] [2, 1, 2, 3] [1, 1, 1, 1]
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: ins(%{{.*}}, %[[PART]] : tensor<1x1x8x10xf32>, tensor<2x1x2x3xf32>)
func.func @end(%x: tensor<1x1x6x8xf32>, %k: tensor<2x1x3x3xf32>, %o: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 1] high[0, 0, 4, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x1x6x8xf32> to tensor<1x1x12x10xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[4, 1]> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %k : tensor<1x1x12x10xf32>, tensor<2x1x3x3xf32>)
      outs(%o : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %r : tensor<1x2x4x8xf32>
}
