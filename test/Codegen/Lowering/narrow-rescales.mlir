// RUN: mlir-prof-opt --cpu-narrow-rescales %s | FileCheck %s

// Two channels of a long shift that rounds twice; the sum of a product of bytes
// and its bias is small enough.

// CHECK-LABEL: @twice
// CHECK:     [[RESTS:%.*]] = arith.constant dense<[4, 6]> : tensor<2xi8>
// CHECK:     linalg.generic
// CHECK:     ^bb0([[V:%.*]]: i32, [[M:%.*]]: i32, [[R:%.*]]: i8, %{{.*}}: i8):
// CHECK:       [[REST:%.*]] = arith.extui [[R]] : i8 to i32
// CHECK:       [[DOUBLE:%.*]] = arith.shli [[V]], %c1_i32
// CHECK:       arith.muli {{.*}} : i64
// CHECK:       [[Q:%.*]] = arith.trunci {{.*}} : i64 to i32
// CHECK:       [[SIGN:%.*]] = arith.shrsi [[Q]], %c31_i32
// CHECK:       arith.addi [[Q]], [[SIGN]] : i32
// CHECK:       arith.shli %c15_i32{{.*}}, [[REST]] : i32
// CHECK:       arith.shrsi {{.*}}, [[REST]] : i32
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:     tosa.clamp
func.func @twice(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2]]], [[[-4, 3]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<[10, 22]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %sum = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %m = "tosa.const"() <{values = dense<[1073741825, 2000000000]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[35, 37]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %from = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %to = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %sum, %m, %s, %from, %to {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %1 = tosa.clamp %0 {max_val = 127 : i8, min_val = 7 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %1 : tensor<1x4x4x2xi8>
}

// A short shift: the number is a byte, shifted by 32 - 11 bits.

// CHECK-LABEL: @short
// CHECK:       [[V:%.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK:       [[FROM:%.*]] = arith.subi [[V]], %c3_i32
// CHECK:       arith.shli [[FROM]], %c21_i32
// CHECK:       arith.trunci %{{.*}} : i64 to i32
// CHECK-NEXT:  linalg.yield
func.func @short(%x: tensor<4x2xi8>) -> tensor<4x2xi32> {
  %m = "tosa.const"() <{values = dense<1073741825> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %from = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %to = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.rescale %x, %m, %s, %from, %to {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Any number may come.

// CHECK-LABEL: @unknown
// CHECK:     tosa.rescale
func.func @unknown(%x: tensor<4x2xi32>) -> tensor<4x2xi8> {
  %m = "tosa.const"() <{values = dense<1073741825> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<35> : tensor<1xi8>}> : () -> tensor<1xi8>
  %from = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %to = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %from, %to {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}

// All numbers are below the least one to which they are clamped, so that twice
// of them is beyond 32 bits.
// CHECK-LABEL: @clamped_above
// CHECK: tosa.rescale %{{.*}} : (tensor<1x4xi32>
func.func @clamped_above(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %from = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %to = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wide = tosa.cast %x : (tensor<1x4xi8>) -> tensor<1x4xi32>
  %clamped = tosa.clamp %wide {min_val = 1500000000 : i32, max_val = 2000000000 : i32}
    : (tensor<1x4xi32>) -> tensor<1x4xi32>
  %r = tosa.rescale %clamped, %m, %s, %from, %to {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4xi8>
  return %r : tensor<1x4xi8>
}
