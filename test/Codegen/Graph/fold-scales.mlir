// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-fold-scales,canonicalize))' | FileCheck %s
// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-fold-scales{max-error=0},canonicalize))' | FileCheck %s --check-prefix=EXACT

// A batch normalization as PyTorch writes it, with an assertion, of numbers
// without rounding: (x - 1) / sqrt(3.5 + 0.5) * 8 + 3 for the first channel, which is 4 x - 1, and
// (x - 2) / sqrt(15.5 + 0.5) * 2 + 0 for the second, which is x / 2 - 1.

// CHECK-LABEL: func @batch_norm(
// CHECK-NOT: cf.assert
// CHECK-SAME: %[[X:.*]]: tensor<1x1x4x4xf32>
// CHECK-DAG: %[[FILTER:.*]] = arith.constant dense_resource<scaled> : tensor<2x1x1x1xf32>
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<-1.000000e+00> : tensor<2xf32>
// CHECK: %[[START:.*]] = linalg.broadcast ins(%[[OFFSETS]] : {{.*}}) outs({{.*}}) dimensions = [0, 2, 3]
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%[[X]], %[[FILTER]] : {{.*}}) outs(%[[START]] :
// CHECK: %[[RELU:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] :
// CHECK: return %[[RELU]]

// The filter is 4 and 2.
// CHECK: scaled: "0x400000000000804000000040"
// EXACT-LABEL: func @batch_norm(
// EXACT-NOT: cf.assert
// EXACT: math.sqrt
// EXACT: arith.subf
#one = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
func.func @batch_norm(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 0.5 : f64
  %filter = arith.constant dense<[[[[1.0]]], [[[4.0]]]]> : tensor<2x1x1x1xf32>
  %mean = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %variance = arith.constant dense<[3.5, 15.5]> : tensor<2xf32>
  %gamma = arith.constant dense<[8.0, 2.0]> : tensor<2xf32>
  %beta = arith.constant dense<[3.0, 0.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %v = tensor.empty() : tensor<2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %filter : tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) outs(%start : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %deviation = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
    ins(%variance : tensor<2xf32>) outs(%v : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %epsilon : f64 to f32
    %a = arith.addf %in, %t : f32
    %s = math.sqrt %a : f32
    %n = arith.cmpf one, %s, %zero : f32
    cf.assert %n, "division by zero"
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %d = tensor.expand_shape %deviation [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %m = tensor.expand_shape %mean [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %g = tensor.expand_shape %gamma [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %b = tensor.expand_shape %beta [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %0 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%sums, %m : tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.subf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x2x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0, %d, %g, %b : tensor<1x2x4x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %c: f32, %k: f32, %o: f32, %out: f32):
    %s = arith.divf %in, %c : f32
    %t = arith.mulf %s, %k : f32
    %u = arith.addf %t, %o : f32
    linalg.yield %u : f32
  } -> tensor<1x2x4x4xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%1 : tensor<1x2x4x4xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.maximumf %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// -----

// An assertion that fails stays.

// CHECK-LABEL: func @fails(
// CHECK: cf.assert
// CHECK: linalg.matmul
// CHECK: arith.mulf
#line = affine_map<(d0) -> (d0)>
#last = affine_map<(d0, d1) -> (d1)>
#plain = affine_map<(d0, d1) -> (d0, d1)>
func.func @fails(%x: tensor<4x2xf32>, %e: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %scale = arith.constant dense<[5.0, 0.0]> : tensor<2xf32>
  %v = tensor.empty() : tensor<2xf32>
  %checked = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
    ins(%scale : tensor<2xf32>) outs(%v : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.cmpf one, %in, %zero : f32
    cf.assert %n, "zero"
    linalg.yield %in : f32
  } -> tensor<2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%start : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.generic {indexing_maps = [#plain, #last, #plain], iterator_types = ["parallel", "parallel"]}
    ins(%0, %checked : tensor<4x2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.mulf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

// Scales are also read where two channels share one, at a fixed place of a
// tensor, from a number, and through an op that reads pairs: the factors are 12,
// 12, 24 and 24.

// CHECK-LABEL: func @shared_scales(
// CHECK-NOT: arith.mulf
// CHECK: linalg.matmul
// CHECK: return
// CHECK: scaled: "0x4000000000004041000040410000C0410000404200001042000040410000C0410000C041"
#pairs = affine_map<(d0, d1) -> (d1 floordiv 2)>
#third = affine_map<(d0, d1) -> (0, d1)>
#none = affine_map<(d0, d1) -> ()>
#points = affine_map<(d0, d1) -> (d0, d1)>
#long = affine_map<(d0) -> (d0)>
#short = affine_map<(d0) -> (d0 floordiv 2)>
func.func @shared_scales(%x: tensor<4x2xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, 1.0, 1.0, 2.0], [3.0, 1.0, 1.0, 1.0]]> : tensor<2x4xf32>
  %p = arith.constant dense<[1.5, 3.0]> : tensor<2xf32>
  %q = arith.constant dense<[[4.0, 4.0, 4.0, 4.0], [7.0, 7.0, 7.0, 7.5]]> : tensor<2x4xf32>
  %n = arith.constant 2.0 : f32
  %v = tensor.empty() : tensor<4xf32>
  %doubled = linalg.generic {indexing_maps = [#short, #long], iterator_types = ["parallel"]}
    ins(%one : tensor<2xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x4xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#points, #pairs, #third, #none, affine_map<(d0, d1) -> (d1)>, #points], iterator_types = ["parallel", "parallel"]}
    ins(%0, %p, %q, %n, %doubled : tensor<4x4xf32>, tensor<2xf32>, tensor<2x4xf32>, f32, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %s = arith.mulf %in, %a : f32
    %t = arith.mulf %s, %b : f32
    %u = arith.mulf %t, %c : f32
    %k = arith.mulf %u, %d : f32
    linalg.yield %k : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// Scales that are not known, a sum that has another user, and offsets alone
// stay.

// CHECK-LABEL: func @others(
// CHECK: linalg.matmul
// CHECK: arith.mulf
// CHECK: linalg.matmul
// CHECK: arith.mulf
// CHECK: linalg.matmul
// CHECK: arith.addf
#row = affine_map<(d0, d1) -> (d1)>
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func @others(%x: tensor<4x2xf32>, %unknown: tensor<2xf32>, %e: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %known = arith.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%start : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
    ins(%0, %unknown : tensor<4x2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.mulf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%start : tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
    ins(%2, %known : tensor<4x2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.mulf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  %4 = linalg.matmul ins(%3, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%start : tensor<4x2xf32>) -> tensor<4x2xf32>
  %5 = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
    ins(%4, %known : tensor<4x2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.addf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %1, %2, %3, %5 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}
