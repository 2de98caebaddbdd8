// RUN: %python %S/add_weights.py %s > %t.mlir
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd))' --mlir-elide-resource-strings-if-larger=8 | FileCheck %s
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{max-error=0}))' --mlir-elide-resource-strings-if-larger=8 | FileCheck %s --check-prefix=EXACT

// The tile that was chosen: 16 products for 2 x 2 outputs, 36 for 4 x 4. By the
// rules the convolution is too small. Where the error is not allowed, whatever
// was chosen stays undone.

// EXACT-NOT: linalg.batch_matmul

// CHECK-LABEL: func @tiles_of_two(
// CHECK-NOT: linalg.conv
// CHECK: linalg.batch_matmul {mlirprof.choice = {threads = {count = "1"}}} ins(%{{.*}} : tensor<16x9x4xf32>, tensor<16x4x8xf32>)
// CHECK-NOT: linalg.conv
// CHECK: return
func.func @tiles_of_two(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd2"}, threads = {count = "1"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %sums : tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func @tiles_of_four(
// CHECK-NOT: linalg.conv
// CHECK: linalg.batch_matmul ins(%{{.*}} : tensor<36x4x4xf32>, tensor<36x4x8xf32>)
// CHECK-NOT: linalg.conv
// CHECK: tensor.extract_slice
// CHECK: return
func.func @tiles_of_four(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %sums : tensor<1x6x6x8xf32>
}

// Zeros may be a constant, too.

// CHECK-LABEL: func @constant_zeros(
// CHECK-NOT: linalg.conv
// CHECK: linalg.batch_matmul
// CHECK-NOT: linalg.conv
// CHECK: return
func.func @constant_zeros(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %init = arith.constant dense<0.0> : tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd2"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %sums : tensor<1x6x6x8xf32>
}

// A large one is taken by the rules, but not where "direct" was chosen, nor an
// algorithm of a name that is not known or that is for another pass.

// CHECK-LABEL: func @by_the_rules(
// CHECK: linalg.batch_matmul
// CHECK-LABEL: func @chosen_direct(
// CHECK-NOT: linalg.batch_matmul
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}name = "direct"
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}name = "product"
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}name = "winograd64"
// CHECK: return
func.func @by_the_rules(%image: tensor<1x14x14x16xf32>) -> tensor<1x12x12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<large> : tensor<3x3x16x16xf32>
  %empty = tensor.empty() : tensor<1x12x12x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return %sums : tensor<1x12x12x16xf32>
}
func.func @chosen_direct(%image: tensor<1x14x14x16xf32>) -> (tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<large> : tensor<3x3x16x16xf32>
  %empty = tensor.empty() : tensor<1x12x12x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "direct"}}}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "product"}}}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd64"}}}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return %0, %1, %2 : tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>
}

// What is not possible is not done: a stride, three channels, weights that are
// not known, maps of a convolution around another body.

// CHECK-LABEL: func @not_possible(
// CHECK-NOT: linalg.batch_matmul
func.func @not_possible(%image: tensor<1x14x14x16xf32>, %rgb: tensor<1x14x14x3xf32>, %unknown: tensor<3x3x16x16xf32>)
    -> (tensor<1x6x6x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<large> : tensor<3x3x16x16xf32>
  %filter3 = arith.constant dense_resource<three> : tensor<3x3x3x16xf32>
  %empty = tensor.empty() : tensor<1x12x12x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %half = tensor.empty() : tensor<1x6x6x16xf32>
  %halfInit = linalg.fill ins(%zero : f32) outs(%half : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%halfInit : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%rgb, %filter3 : tensor<1x14x14x3xf32>, tensor<3x3x3x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %unknown : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%init : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>,
                                        affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>,
                                        affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x12x12x16xf32>)
      attrs = {mlirprof.choice = {algorithm = {name = "winograd2"}}} {
    ^bb0(%a: f32, %b: f32, %most: f32):
      %sum = arith.addf %a, %b : f32
      %max = arith.maximumf %most, %sum : f32
      linalg.yield %max : f32
  } -> tensor<1x12x12x16xf32>
  return %0, %1, %2, %3 : tensor<1x6x6x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>, tensor<1x12x12x16xf32>
}

// Four tiles of 4 x 4 would leave most of the time to loading 36 x 256 x 256
// weights; sixteen of 2 x 2 have less than half of them.

// CHECK-LABEL: func @many_weights(
// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<16x16x256xf32>, tensor<16x256x256xf32>)
func.func @many_weights(%image: tensor<1x9x9x256xf32>) -> tensor<1x7x7x256xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<many> : tensor<3x3x256x256xf32>
  %empty = tensor.empty() : tensor<1x7x7x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x256xf32>) -> tensor<1x7x7x256xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x9x9x256xf32>, tensor<3x3x256x256xf32>)
    outs(%init : tensor<1x7x7x256xf32>) -> tensor<1x7x7x256xf32>
  return %sums : tensor<1x7x7x256xf32>
}

// Sums that start from other numbers than zero have these added. A convolution
// with its channels first has to be stored anew before.

// CHECK-LABEL: func @starts(
// CHECK-SAME: %[[STARTS:[^ ]*]]: tensor<1x12x12x16xf32>)
// CHECK: linalg.batch_matmul
// CHECK: linalg.add ins(%{{.*}}, %[[STARTS]] :
// CHECK-LABEL: func @channels_first(
// CHECK-NOT: linalg.batch_matmul
func.func @starts(%image: tensor<1x14x14x16xf32>, %starts: tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32> {
  %filter = arith.constant dense_resource<large> : tensor<3x3x16x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%starts : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return %0 : tensor<1x12x12x16xf32>
}
func.func @channels_first(%image: tensor<1x16x14x14xf32>, %init: tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32> {
  %filter = arith.constant dense_resource<first> : tensor<16x16x3x3xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x16x14x14xf32>, tensor<16x16x3x3xf32>)
    outs(%init : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  return %0 : tensor<1x16x12x12xf32>
}
