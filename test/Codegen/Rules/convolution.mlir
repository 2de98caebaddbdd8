// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// Fourteen pixels by two vectors of channels stay in registers over the whole
// window; bias and relu are computed there, and the zeros are never stored.

#identity = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func @bias_relu(
// CHECK-SAME: %[[X:.*]]: tensor<1x30x30x16xf32>, %[[W:.*]]: tensor<3x3x16x64xf32>, %[[B:.*]]: tensor<64xf32>
// CHECK-NOT: linalg
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x28x28x64xf32>
// CHECK: cpu.nest ins(%[[X]], %[[W]], %[[B]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) {
// CHECK-NEXT: ^bb0(%{{.*}}: memref<1x30x30x16xf32>, %[[FILTER:.*]]: memref<3x3x16x64xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<1x28x28x64xf32>):
// CHECK: scf.for {{.*}} step %c32 {
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} step %c14
// CHECK: %[[SUMS:.*]]:28 = scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.transfer_read %[[FILTER]]
// CHECK: vector.transfer_read %[[FILTER]]
// CHECK-NOT: vector.transfer_read
// CHECK: scf.yield
// CHECK: %[[BIASED:.*]] = arith.addf %[[SUMS]]#0, %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: arith.maximumf %[[BIASED]], %{{.*}} : vector<16xf32>
// CHECK-COUNT-28: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @bias_relu(%image: tensor<1x30x30x16xf32>, %filter: tensor<3x3x16x64xf32>, %bias: tensor<64xf32>) -> tensor<1x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x28x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x30x30x16xf32>, tensor<3x3x16x64xf32>)
    outs(%init : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %relu = linalg.generic {indexing_maps = [#identity, #channel, #identity],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : tensor<1x28x28x64xf32>, tensor<64xf32>) outs(%empty : tensor<1x28x28x64xf32>) {
    ^bb0(%x: f32, %b: f32, %o: f32):
      %y = arith.addf %x, %b : f32
      %z = arith.maximumf %y, %zero : f32
      linalg.yield %z : f32
  } -> tensor<1x28x28x64xf32>
  return %relu : tensor<1x28x28x64xf32>
}

// -----

// Channels first: the vectors lie along the width, where a stride of two takes
// every second element of two vectors, of which the second one ends at the last
// element that counts. Fourteen channels are rows.

// CHECK-LABEL: func @channels_first(
// CHECK: ^bb0(%[[IMAGE:.*]]: memref<1x8x33x65xf32>
// CHECK: scf.for {{.*}} step %c14
// CHECK: %[[LOW:.*]] = vector.transfer_read %[[IMAGE]]{{.*}} {in_bounds = [true]} : memref<1x8x33x65xf32>, vector<16xf32>
// CHECK: %[[HIGH:.*]] = vector.transfer_read %[[IMAGE]]{{.*}} {in_bounds = [true]} : memref<1x8x33x65xf32>, vector<16xf32>
// CHECK: vector.shuffle %{{.*}}, %[[HIGH]] {{\[}}0, 1, 2, 3, 4, 5, 6, 7, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
func.func @channels_first(%image: tensor<1x8x33x65xf32>, %filter: tensor<28x8x3x3xf32>, %init: tensor<1x28x16x32xf32>) -> tensor<1x28x16x32xf32> {
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x8x33x65xf32>, tensor<28x8x3x3xf32>)
    outs(%init : tensor<1x28x16x32xf32>) -> tensor<1x28x16x32xf32>
  return %sums : tensor<1x28x16x32xf32>
}

// -----

// A stride of three takes three vectors. Those of a masked rest may reach beyond
// the image.

// CHECK-LABEL: func @every_third(
// CHECK: ^bb0(%[[IMAGE:.*]]: memref<1x4x9x63xf32>
// CHECK-COUNT-3: vector.transfer_read {{.*}} {in_bounds = [true]} : memref<1x4x9x63xf32>, vector<16xf32>
// CHECK: vector.transfer_read %[[IMAGE]]{{.*}} : memref<1x4x9x63xf32>, vector<16xf32>
// CHECK-NOT: memref.load %{{.*}} : memref<1x4x9x63xf32>
func.func @every_third(%image: tensor<1x4x9x63xf32>, %filter: tensor<8x4x3x3xf32>, %init: tensor<1x8x3x21xf32>) -> tensor<1x8x3x21xf32> {
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<3> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x4x9x63xf32>, tensor<8x4x3x3xf32>)
    outs(%init : tensor<1x8x3x21xf32>) -> tensor<1x8x3x21xf32>
  return %sums : tensor<1x8x3x21xf32>
}

// -----

// Bytes are widened in registers.

// CHECK-LABEL: func @bytes(
// CHECK: %[[F:.*]] = vector.transfer_read {{.*}} : memref<3x3x4x16xi8>, vector<16xi8>
// CHECK: arith.extsi %[[F]] : vector<16xi8> to vector<16xi32>
// CHECK: arith.muli {{.*}} : vector<16xi32>
func.func @bytes(%image: tensor<1x9x9x4xi8>, %filter: tensor<3x3x4x16xi8>, %init: tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32> {
  %sums = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filter : tensor<1x9x9x4xi8>, tensor<3x3x4x16xi8>)
    outs(%init : tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32>
  return %sums : tensor<1x7x7x16xi32>
}

// -----

// Depthwise, channels last: each vector of the filter has an image of its own, so
// that vectors come innermost, and the image is read in the order of memory. The
// rest of the channels is a masked vector.

// CHECK-LABEL: func @depthwise(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<2x9x61x77xf32>
// CHECK: scf.for {{.*}} to %c2 step %c1
// CHECK: scf.for {{.*}} to %c4 step %c1
// CHECK: scf.for {{.*}} to %c30 step %c10
// CHECK: scf.for {{.*}} to %c64 step %c32
// CHECK: %{{.*}}:20 = scf.for {{.*}} to %c3 step %c1
// CHECK: %{{.*}}:10 = scf.for {{.*}} to %c3 step %c1
func.func @depthwise(%image: tensor<2x9x61x77xf32>, %filter: tensor<3x3x77xf32>, %init: tensor<2x4x30x77xf32>) -> tensor<2x4x30x77xf32> {
  %sums = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%image, %filter : tensor<2x9x61x77xf32>, tensor<3x3x77xf32>)
    outs(%init : tensor<2x4x30x77xf32>) -> tensor<2x4x30x77xf32>
  return %sums : tensor<2x4x30x77xf32>
}

// -----

// Groups of four filters: a vector covers four groups. The channels of a pixel
// are loaded once and spread over the lanes of their groups for each channel,
// which all three taps of a row share: seven rows read nine pixels.

#image = affine_map<(n, h, w, v, i, j, c) -> (n, h + i, w + j, (v floordiv 4) * 4 + c)>
#filter = affine_map<(n, h, w, v, i, j, c) -> (v floordiv 16, i, j, c, v mod 16)>
#result = affine_map<(n, h, w, v, i, j, c) -> (n, h, w, v)>

// CHECK-LABEL: func @shared_vectors(
// CHECK: cpu.nest
// CHECK: ^bb0(%[[X:.*]]: memref<1x16x16x32xf32>, %[[W:.*]]: memref<2x3x3x4x16xf32>, %{{.*}}: memref<1x14x14x32xf32>):
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} step %c7
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-NOT: scf.for
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.shuffle {{.*}} [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13] : vector<16xf32>, vector<16xf32>
// CHECK: scf.yield
func.func @shared_vectors(%x: tensor<1x16x16x32xf32>, %w: tensor<2x3x3x4x16xf32>, %start: tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32> {
  %sums = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x32xf32>, tensor<2x3x3x4x16xf32>) outs(%start : tensor<1x14x14x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x32xf32>
  return %sums : tensor<1x14x14x32xf32>
}

// -----

// Groups of 24 filters: each has a full vector and a masked one, and all lanes
// multiply one element of the image.

#image = affine_map<(n, h, w, v, i, j, c) -> (n, h + i, w + j, (v floordiv 24) * 8 + c)>
#filter = affine_map<(n, h, w, v, i, j, c) -> (v floordiv 24, i, j, c, v mod 24)>
#result = affine_map<(n, h, w, v, i, j, c) -> (n, h, w, v)>

// CHECK-LABEL: func @own_vectors(
// CHECK: cpu.nest
// CHECK: ^bb0(%[[X:.*]]: memref<1x16x16x16xf32>, %[[W:.*]]: memref<2x3x3x8x24xf32>, %{{.*}}: memref<1x14x14x48xf32>):
// CHECK: %[[MASK:.*]] = vector.constant_mask [8] : vector<16xi1>
// CHECK: scf.for {{.*}} step %c24
// CHECK-NOT: vector.shuffle
// CHECK: memref.load %[[X]]
// CHECK: vector.transfer_read %[[W]][{{.*}}], %{{[a-z0-9_]+}} {in_bounds
// CHECK: memref.load %[[X]]
// CHECK: vector.transfer_read %[[W]][{{.*}}], %{{[a-z0-9_]+}}, %[[MASK]] {in_bounds
// CHECK: return
func.func @own_vectors(%x: tensor<1x16x16x16xf32>, %w: tensor<2x3x3x8x24xf32>, %start: tensor<1x14x14x48xf32>) -> tensor<1x14x14x48xf32> {
  %sums = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x16xf32>, tensor<2x3x3x8x24xf32>) outs(%start : tensor<1x14x14x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x48xf32>
  return %sums : tensor<1x14x14x48xf32>
}

// -----

// Channels first: the filters of a group are rows that share the vectors of an
// image, and blocks of rows stay in a group.

#image = affine_map<(n, v, h, w, c, i, j) -> (n, (v floordiv 6) * 4 + c, h + i, w + j)>
#filter = affine_map<(n, v, h, w, c, i, j) -> (v, c, i, j)>
#result = affine_map<(n, v, h, w, c, i, j) -> (n, v, h, w)>

// CHECK-LABEL: func @rows(
// CHECK: cpu.nest
// CHECK: ^bb0(%[[X:.*]]: memref<1x8x18x18xf32>, %[[W:.*]]: memref<12x4x3x3xf32>, %{{.*}}: memref<1x12x16x16xf32>):
// CHECK: scf.for {{.*}} step %c6
// CHECK: vector.transfer_read %[[X]]
// CHECK-COUNT-6: memref.load %[[W]]
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK: return
func.func @rows(%x: tensor<1x8x18x18xf32>, %w: tensor<12x4x3x3xf32>, %start: tensor<1x12x16x16xf32>) -> tensor<1x12x16x16xf32> {
  %sums = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x8x18x18xf32>, tensor<12x4x3x3xf32>) outs(%start : tensor<1x12x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x12x16x16xf32>
  return %sums : tensor<1x12x16x16xf32>
}

// -----

// The loop over the channels is no reduction: its places in a group are no
// constants, and a vector of the filter belongs to a single row.

#image = affine_map<(c, v, k) -> (k, (v floordiv 4) * 2 + c)>
#filter = affine_map<(c, v, k) -> (k, v)>
#result = affine_map<(c, v, k) -> (c, v)>

// CHECK-LABEL: func @parallel_channels(
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @parallel_channels(%x: tensor<5x32xf32>, %w: tensor<5x64xf32>, %start: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %sums = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x32xf32>, tensor<5x64xf32>) outs(%start : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  return %sums : tensor<2x64xf32>
}

// -----

// Groups of filters in the filter, too, which overlap: without its own vectors
// it needs single elements, which loops do as well.

#image = affine_map<(v, k, c) -> (k, (v floordiv 4) * 4 + c)>
#filter = affine_map<(v, k, c) -> (k, c, (v floordiv 4) * 2 + c)>
#result = affine_map<(v, k, c) -> (v)>

// CHECK-LABEL: func @overlapping_filter(
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @overlapping_filter(%x: tensor<5x64xf32>, %w: tensor<5x4x34xf32>, %start: tensor<64xf32>) -> tensor<64xf32> {
  %sums = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<5x64xf32>, tensor<5x4x34xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %sums : tensor<64xf32>
}

// -----

// Numbers whose size MLIR does not tell.

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @indices(
// CHECK: arith.maxsi {{.*}} : vector<8xindex>
func.func @indices(%a: tensor<64x32xindex>, %b: tensor<32x64xindex>, %start: tensor<64x64xindex>) -> tensor<64x64xindex> {
  %r = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x32xindex>, tensor<32x64xindex>) outs(%start : tensor<64x64xindex>) {
  ^bb0(%x: index, %y: index, %o: index):
    %p = arith.addi %x, %y : index
    %s = arith.maxsi %o, %p : index
    linalg.yield %s : index
  } -> tensor<64x64xindex>
  return %r : tensor<64x64xindex>
}

// -----

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @index_product(
// CHECK: arith.muli {{.*}} : vector<8xindex>
func.func @index_product(%a: tensor<64x32xindex>, %b: tensor<32x64xindex>, %start: tensor<64x64xindex>) -> tensor<64x64xindex> {
  %r = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x32xindex>, tensor<32x64xindex>) outs(%start : tensor<64x64xindex>) {
  ^bb0(%x: index, %y: index, %o: index):
    %p = arith.muli %x, %y : index
    %s = arith.addi %o, %p : index
    linalg.yield %s : index
  } -> tensor<64x64xindex>
  return %r : tensor<64x64xindex>
}
