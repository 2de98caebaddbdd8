// Tiles of the registers of other machines: 16 of 128 or 256 bits, 32 of 512.

// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules{vector-bits=128 vector-registers=16},canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,BITS128
// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules{vector-bits=256 vector-registers=16},canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,BITS256
// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules{vector-bits=512 vector-registers=32},canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,BITS512

// Six rows, or eight, by two vectors, the two vectors, and an element.
// CHECK-LABEL: func @product(
// BITS128: %{{.*}}:12 = scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>
// BITS256: %{{.*}}:12 = scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>
// BITS512: %{{.*}}:16 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>
func.func @product(%a: tensor<96x64xf32>, %b: tensor<64x96xf32>, %c: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<96x64xf32>, tensor<64x96xf32>) outs(%c : tensor<96x96xf32>) -> tensor<96x96xf32>
  return %p : tensor<96x96xf32>
}

// -----

// Eight rows are two blocks of four, not one of six and one of two.
// CHECK-LABEL: func @balanced(
// BITS128: %{{.*}}:8 = scf.for
// BITS256: %{{.*}}:8 = scf.for
// BITS512: %{{.*}}:16 = scf.for
func.func @balanced(%a: tensor<8x64xf32>, %b: tensor<64x96xf32>, %c: tensor<8x96xf32>) -> tensor<8x96xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x96xf32>) outs(%c : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %p : tensor<8x96xf32>
}

// -----

// Twelve pixels: six by two vectors of filters, or twelve.
// CHECK-LABEL: func @convolution(
// BITS128: %{{.*}}:12 = scf.for {{.*}} -> (vector<4xf32>
// BITS256: %{{.*}}:12 = scf.for {{.*}} -> (vector<8xf32>
// BITS512: %{{.*}}:24 = scf.for {{.*}} -> (vector<16xf32>
func.func @convolution(%x: tensor<1x14x14x8xf32>, %f: tensor<3x3x8x64xf32>, %c: tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32> {
  %p = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x14x14x8xf32>, tensor<3x3x8x64xf32>) outs(%c : tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32>
  return %p : tensor<1x12x12x64xf32>
}

// -----

// CHECK-LABEL: func @depthwise(
// BITS128: %{{.*}}:12 = scf.for {{.*}} -> (vector<4xf32>
// BITS256: %{{.*}}:12 = scf.for {{.*}} -> (vector<8xf32>
// BITS512: %{{.*}}:24 = scf.for {{.*}} -> (vector<16xf32>
func.func @depthwise(%x: tensor<1x14x14x64xf32>, %f: tensor<3x3x64xf32>, %c: tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32> {
  %p = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %f : tensor<1x14x14x64xf32>, tensor<3x3x64xf32>) outs(%c : tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32>
  return %p : tensor<1x12x12x64xf32>
}

// -----

// A sum along its rows: four vectors of sums, which wait for each other less.
// CHECK-LABEL: func @reduction(
// BITS128: %{{.*}}:4 = scf.for {{.*}} to %c192 step %c16 {{.*}} -> (vector<4xf32>
// BITS256: %{{.*}}:4 = scf.for {{.*}} to %c192 step %c32 {{.*}} -> (vector<8xf32>
// BITS512: %{{.*}}:4 = scf.for {{.*}} to %c192 step %c64 {{.*}} -> (vector<16xf32>
func.func @reduction(%x: tensor<7x192xf32>, %c: tensor<7xf32>) -> tensor<7xf32> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<7x192xf32>) outs(%c : tensor<7xf32>) dimensions = [1]
  return %s : tensor<7xf32>
}

// -----

// A transpose takes square blocks.
// CHECK-LABEL: func @transpose(
// BITS128-COUNT-4: vector.transfer_read {{.*}} vector<4xf32>
// BITS128-COUNT-8: vector.shuffle
// BITS256-COUNT-8: vector.transfer_read {{.*}} vector<8xf32>
// BITS256-COUNT-24: vector.shuffle
// BITS512-COUNT-16: vector.transfer_read {{.*}} vector<16xf32>
// BITS512-COUNT-64: vector.shuffle
func.func @transpose(%x: tensor<64x32xf32>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %t = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%c : tensor<32x64xf32>) permutation = [1, 0]
  return %t : tensor<32x64xf32>
}

// -----

// CHECK-LABEL: func @elementwise(
// BITS128: scf.for {{.*}} step %c16
// BITS128-COUNT-4: math.exp {{.*}} : vector<4xf32>
// BITS256: scf.for {{.*}} step %c32
// BITS256-COUNT-4: math.exp {{.*}} : vector<8xf32>
// BITS512: scf.for {{.*}} step %c64
// BITS512-COUNT-4: math.exp {{.*}} : vector<16xf32>
func.func @elementwise(%x: tensor<256xf32>, %c: tensor<256xf32>) -> tensor<256xf32> {
  %e = linalg.exp ins(%x : tensor<256xf32>) outs(%c : tensor<256xf32>) -> tensor<256xf32>
  return %e : tensor<256xf32>
}
