// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-convolutions-to-matmul,canonicalize))' | FileCheck %s

// Channels last: a copy of the image for each place of the filter, with strides
// and dilations in the map of what is read, then a sum of products of plain
// places. Choices for later passes go along; the algorithm is carried out.

// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3 * 3, d2 + d4, d5)>
// CHECK-DAG: #[[COPIES:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
// CHECK-DAG: #[[FACTOR:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d4, d5, d6)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[FIRST_READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
// CHECK-DAG: #[[FIRST_FACTOR:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d5, d6, d2, d3)>

// CHECK-LABEL: func @channels_last(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<2x13x9x3xf32>, %[[WEIGHTS:.*]]: tensor<2x3x3x20xf32>, %[[INIT:.*]]: tensor<2x5x7x20xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x5x7x2x3x3xf32>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[READ]], #[[COPIES]]]
// CHECK-SAME: ins(%[[IMAGE]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) attrs = {mlirprof.choice = {threads = {count = "1"}}}
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[FACTOR]], #[[FILTER]], #[[RESULT]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%[[COPY]], %[[WEIGHTS]] : {{.*}}) outs(%[[INIT]] : {{.*}}) attrs = {mlirprof.choice = {threads = {count = "1"}}}
// CHECK: return %[[SUM]]
func.func @channels_last(%image: tensor<2x13x9x3xf32>, %filter: tensor<2x3x3x20xf32>, %init: tensor<2x5x7x20xf32>) -> tensor<2x5x7x20xf32> {
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}, threads = {count = "1"}}}
    ins(%image, %filter : tensor<2x13x9x3xf32>, tensor<2x3x3x20xf32>)
    outs(%init : tensor<2x5x7x20xf32>) -> tensor<2x5x7x20xf32>
  return %sums : tensor<2x5x7x20xf32>
}

// Channels first: places of the result come last, where the image has them.

// CHECK-LABEL: func @channels_first(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x4x3x3x6x7xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[COPIES]]]
// CHECK-SAME: outs(%[[EMPTY]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[RESULT]]]
func.func @channels_first(%image: tensor<1x4x8x9xf32>, %filter: tensor<24x4x3x3xf32>, %init: tensor<1x24x6x7xf32>) -> tensor<1x24x6x7xf32> {
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<1x4x8x9xf32>, tensor<24x4x3x3xf32>)
    outs(%init : tensor<1x24x6x7xf32>) -> tensor<1x24x6x7xf32>
  return %sums : tensor<1x24x6x7xf32>
}

// Groups are a loop that image and filter share.

// CHECK-LABEL: func @grouped(
// CHECK: tensor.empty() : tensor<1x3x2x3x3x6x7xf32>
func.func @grouped(%image: tensor<1x3x2x8x9xf32>, %filter: tensor<3x5x2x3x3xf32>, %init: tensor<1x3x5x6x7xf32>) -> tensor<1x3x5x6x7xf32> {
  %sums = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<1x3x2x8x9xf32>, tensor<3x5x2x3x3xf32>)
    outs(%init : tensor<1x3x5x6x7xf32>) -> tensor<1x3x5x6x7xf32>
  return %sums : tensor<1x3x5x6x7xf32>
}

// Nothing is added up over channels, sizes are not known, the copies would be
// too large, it is no convolution, or nothing was chosen: all stay.

// CHECK-LABEL: func @depthwise(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
// CHECK-NOT: linalg.generic
func.func @depthwise(%image: tensor<1x8x9x4xf32>, %filter: tensor<3x3x4xf32>, %init: tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32> {
  %sums = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<1x8x9x4xf32>, tensor<3x3x4xf32>)
    outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  return %sums : tensor<1x6x7x4xf32>
}

// CHECK-LABEL: func @dynamic(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: linalg.generic
func.func @dynamic(%image: tensor<?x8x9x4xf32>, %filter: tensor<3x3x4x8xf32>, %init: tensor<?x6x7x8xf32>) -> tensor<?x6x7x8xf32> {
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<?x8x9x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<?x6x7x8xf32>) -> tensor<?x6x7x8xf32>
  return %sums : tensor<?x6x7x8xf32>
}

// CHECK-LABEL: func @too_large(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: linalg.generic
func.func @too_large(%image: tensor<1x108x109x4xf32>, %filter: tensor<9x9x4x8xf32>, %init: tensor<1x100x101x8xf32>) -> tensor<1x100x101x8xf32> {
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<1x108x109x4xf32>, tensor<9x9x4x8xf32>)
    outs(%init : tensor<1x100x101x8xf32>) -> tensor<1x100x101x8xf32>
  return %sums : tensor<1x100x101x8xf32>
}

// CHECK-LABEL: func @others(
// CHECK: linalg.matmul {mlirprof.choice
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @others(%a: tensor<8x8xf32>, %image: tensor<1x8x9x4xf32>, %window: tensor<3x3xf32>, %filter: tensor<3x3x4x4xf32>, %init: tensor<1x6x7x4xf32>)
    -> (tensor<8x8xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>) {
  %product = linalg.matmul {mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %window : tensor<1x8x9x4xf32>, tensor<3x3xf32>) outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "PRODUCT"}}}
    ins(%image, %filter : tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = "product"}
    ins(%image, %filter : tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x6x7x4xf32>) -> tensor<1x6x7x4xf32>
  return %product, %pooled, %0, %1, %2 : tensor<8x8xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32>
}
