// A convolution of an image that was spread into zeros becomes one for every
// second (third) pixel of the result, of the image as it was.

// RUN: %mlir-prof-opt %s --cpu-split-transposed-convolutions --split-input-file \
// RUN:   | FileCheck %s

// Pixel 2i of the result reads tap 1, pixel 2i + 1 taps 0 and 2.

// CHECK-LABEL: func.func @apart
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x5xf32>, %[[K:.*]]: tensor<4x3x3xf32>)
// CHECK: linalg.fill {{.*}} -> tensor<1x4x9xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x4x9xf32>
// CHECK: %[[INIT:.*]] = linalg.fill {{.*}} -> tensor<1x4x5xf32>
// CHECK: %[[WINDOW:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 5] [1, 1, 1]
// CHECK: %[[TAPS:.*]] = tensor.extract_slice %[[K]][0, 0, 1] [4, 3, 1] [1, 1, 2]
// CHECK: %[[EVEN:.*]] = linalg.conv_1d_ncw_fcw
// CHECK-SAME: ins(%[[WINDOW]], %[[TAPS]] : tensor<1x3x5xf32>, tensor<4x3x1xf32>)
// CHECK-SAME: outs(%[[INIT]]
// CHECK: %[[HALF:.*]] = tensor.insert_slice %[[EVEN]] into %[[EMPTY]][0, 0, 0] [1, 4, 5] [1, 1, 2]
// CHECK: tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 5] [1, 1, 1]
// CHECK: tensor.extract_slice %[[K]][0, 0, 0] [4, 3, 2] [1, 1, 2]
// CHECK: %[[ODD:.*]] = linalg.conv_1d_ncw_fcw
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %[[ODD]] into %[[HALF]][0, 0, 1] [1, 4, 4] [1, 1, 2]
// CHECK: return %[[WHOLE]]
func.func @apart(%x: tensor<1x3x5xf32>, %k: tensor<4x3x3xf32>) -> tensor<1x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %f = tensor.empty() : tensor<1x4x9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x11xf32>, tensor<4x3x3xf32>)
      outs(%init : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  return %y : tensor<1x4x9xf32>
}

// -----

// The outer taps meet the zeros around the image.

// CHECK-LABEL: func.func @around
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 1]
// CHECK: tensor.extract_slice %[[PADDED]][0, 0, 0] [1, 3, 6] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 3, 2] [1, 1, 2]
// CHECK: tensor.extract_slice %[[PADDED]][0, 0, 1] [1, 3, 6] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 1] [4, 3, 2] [1, 1, 2]
func.func @around(%x: tensor<1x3x5xf32>, %k: tensor<4x3x4xf32>, %init: tensor<1x4x10xf32>)
    -> tensor<1x4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x13xf32>) -> tensor<1x3x13xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x13xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x13xf32>, tensor<4x3x4xf32>)
      outs(%init : tensor<1x4x10xf32>) -> tensor<1x4x10xf32>
  return %y : tensor<1x4x10xf32>
}

// -----

// Two taps three apart: every third pixel is what it began with.

// CHECK-LABEL: func.func @gaps
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<4x14x6xf32>)
// CHECK-COUNT-2: linalg.conv_1d_nwc_wcf
// CHECK: %[[LEFT:.*]] = tensor.extract_slice %[[BIAS]][0, 2, 0] [4, 4, 6] [1, 3, 1]
// CHECK: tensor.insert_slice %[[LEFT]] into {{.*}}[0, 2, 0] [4, 4, 6] [1, 3, 1]
// CHECK-NOT: linalg.conv
func.func @gaps(%x: tensor<4x5x3xf32>, %k: tensor<2x3x6xf32>, %bias: tensor<4x14x6xf32>)
    -> tensor<4x14x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x15x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x15x3xf32>) -> tensor<4x15x3xf32>
  %p = tensor.insert_slice %x into %zeros[0, 1, 0] [4, 5, 3] [1, 3, 1]
      : tensor<4x5x3xf32> into tensor<4x15x3xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%p, %k : tensor<4x15x3xf32>, tensor<2x3x6xf32>)
      outs(%bias : tensor<4x14x6xf32>) -> tensor<4x14x6xf32>
  return %y : tensor<4x14x6xf32>
}

// -----

// Pixels that are further apart than the result is long: one part for each
// pixel of that, however many there would be. Pixel 0 of the result meets pixel
// 0 of the image, pixel 2 the tap 18 of pixel 1.

// CHECK-LABEL: func.func @short
// CHECK-COUNT-3: linalg.conv_1d ins({{.*}} : tensor<1xf32>, tensor<1xf32>)
// CHECK-NOT: linalg.conv_1d
// CHECK-LABEL: func.func @many
// CHECK: linalg.conv_1d ins({{.*}} : tensor<60xf32>, tensor<41xf32>)
func.func @short(%x: tensor<2xf32>, %k: tensor<20xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %zeros = arith.constant dense<0.0> : tensor<22xf32>
  %p = tensor.insert_slice %x into %zeros[0] [2] [20] : tensor<2xf32> into tensor<22xf32>
  %y = linalg.conv_1d ins(%p, %k : tensor<22xf32>, tensor<20xf32>)
      outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @many(%x: tensor<3xf32>, %k: tensor<41xf32>, %init: tensor<20xf32>) -> tensor<20xf32> {
  %zeros = arith.constant dense<0.0> : tensor<60xf32>
  %p = tensor.insert_slice %x into %zeros[0] [3] [20] : tensor<3xf32> into tensor<60xf32>
  %y = linalg.conv_1d ins(%p, %k : tensor<60xf32>, tensor<41xf32>)
      outs(%init : tensor<20xf32>) -> tensor<20xf32>
  return %y : tensor<20xf32>
}

// -----

// Ones are no zeros, and a maximum is no sum.

// CHECK-LABEL: func.func @ones
// CHECK: linalg.conv_1d_ncw_fcw
// CHECK-SAME: tensor<1x3x11xf32>
// CHECK: linalg.pooling_ncw_max
// CHECK-SAME: tensor<1x3x11xf32>
func.func @ones(%x: tensor<1x3x5xf32>, %k: tensor<4x3x3xf32>, %init: tensor<1x4x9xf32>,
                %low: tensor<1x3x9xf32>) -> (tensor<1x4x9xf32>, tensor<1x3x9xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x11xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x11xf32>) -> tensor<1x3x11xf32>
  %p = tensor.insert_slice %x into %ones[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %q = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 3, 5] [1, 1, 2]
      : tensor<1x3x5xf32> into tensor<1x3x11xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x3x11xf32>, tensor<4x3x3xf32>)
      outs(%init : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  %window = tensor.empty() : tensor<3xf32>
  %m = linalg.pooling_ncw_max ins(%q, %window : tensor<1x3x11xf32>, tensor<3xf32>)
      outs(%low : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
  return %y, %m : tensor<1x4x9xf32>, tensor<1x3x9xf32>
}

// -----

// Bodies that make something else than zero of a zero, or round what the sum
// begins with.

// CHECK-LABEL: func.func @bodies
// CHECK-COUNT-3: linalg.generic {{.*}} ins(%{{.*}} : tensor<11xf32>, tensor<3xf32>)
// CHECK: return
func.func @bodies(%x: tensor<5xf32>, %k: tensor<3xf32>, %init: tensor<9xf32>)
    -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<11xf32>
  %p = tensor.insert_slice %x into %zeros[1] [5] [2] : tensor<5xf32> into tensor<11xf32>
  %exp = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<11xf32>, tensor<3xf32>) outs(%init : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %e = math.exp %a : f32
    %m = arith.mulf %e, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<9xf32>
  %neg = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<11xf32>, tensor<3xf32>) outs(%init : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    %n = arith.negf %s : f32
    linalg.yield %n : f32
  } -> tensor<9xf32>
  %rounded = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<11xf32>, tensor<3xf32>) outs(%init : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    %t = arith.truncf %s : f32 to f16
    %u = arith.extf %t : f16 to f32
    linalg.yield %u : f32
  } -> tensor<9xf32>
  return %exp, %neg, %rounded : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
}

// -----

// Conversions of zero are zero, and a sum of wider numbers is as wide as before
// in the end.

// CHECK-LABEL: func.func @conversions
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%{{.*}} : tensor<{{[56]}}xi8>, tensor<{{[12]}}xf16>)
// CHECK: return
func.func @conversions(%x: tensor<5xi8>, %k: tensor<3xf16>, %init: tensor<9xf16>)
    -> tensor<9xf16> {
  %zeros = arith.constant dense<0> : tensor<11xi8>
  %p = tensor.insert_slice %x into %zeros[1] [5] [2] : tensor<5xi8> into tensor<11xi8>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<11xi8>, tensor<3xf16>) outs(%init : tensor<9xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %c = arith.sitofp %a : i8 to f32
    %d = arith.extf %b : f16 to f32
    %e = arith.extf %o : f16 to f32
    %m = arith.mulf %c, %d : f32
    %s = arith.addf %e, %m : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<9xf16>
  return %y : tensor<9xf16>
}

// -----

// A filter that is one number.

// CHECK-LABEL: func.func @scalar
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x9xf32>, f32)
func.func @scalar(%x: tensor<4x5xf32>, %k: f32, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x9xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0] [4, 5] [1, 2]
      : tensor<4x5xf32> into tensor<4x9xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<4x9xf32>, f32) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Pixels backwards, and all at one place.

// CHECK-LABEL: func.func @backwards
// CHECK-COUNT-2: linalg.conv_1d ins(%{{.*}} : tensor<11xf32>, tensor<3xf32>)
// CHECK: return
func.func @backwards(%x: tensor<5xf32>, %k: tensor<3xf32>, %init: tensor<9xf32>)
    -> (tensor<9xf32>, tensor<9xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<11xf32>
  %p = tensor.insert_slice %x into %zeros[9] [5] [-2] : tensor<5xf32> into tensor<11xf32>
  %y = linalg.conv_1d ins(%p, %k : tensor<11xf32>, tensor<3xf32>)
      outs(%init : tensor<9xf32>) -> tensor<9xf32>
  %q = tensor.insert_slice %x into %zeros[9] [5] [0] : tensor<5xf32> into tensor<11xf32>
  %z = linalg.conv_1d ins(%q, %k : tensor<11xf32>, tensor<3xf32>)
      outs(%init : tensor<9xf32>) -> tensor<9xf32>
  return %y, %z : tensor<9xf32>, tensor<9xf32>
}

// -----

// A layout that something else knows.

// CHECK-LABEL: func.func @layout
// CHECK: linalg.conv_1d ins(%{{.*}} : tensor<11xf32>, tensor<3xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<9xf32, "layout">)
func.func @layout(%x: tensor<5xf32>, %k: tensor<3xf32>, %init: tensor<9xf32, "layout">)
    -> tensor<9xf32, "layout"> {
  %zeros = arith.constant dense<0.0> : tensor<11xf32>
  %p = tensor.insert_slice %x into %zeros[1] [5] [2] : tensor<5xf32> into tensor<11xf32>
  %y = linalg.conv_1d ins(%p, %k : tensor<11xf32>, tensor<3xf32>)
      outs(%init : tensor<9xf32, "layout">) -> tensor<9xf32, "layout">
  return %y : tensor<9xf32, "layout">
}

// -----

// The places of constant filters are copied now.

// CHECK-LABEL: func.func @constant
// CHECK: arith.constant dense_resource<[[EVEN:.*]]> : tensor<1x1x1xf32>
// CHECK: arith.constant dense_resource<[[ODD:.*]]> : tensor<1x1x2xf32>
// CHECK-NOT: tensor.extract_slice %{{.*}} tensor<1x1x3xf32>
// CHECK: return
// CHECK-DAG: [[EVEN]]: "0x4000000000000040"
// CHECK-DAG: [[ODD]]: "0x400000000000803F00004040"
func.func @constant(%x: tensor<1x1x5xf32>, %init: tensor<1x1x9xf32>) -> tensor<1x1x9xf32> {
  %zero = arith.constant 0.0 : f32
  %k = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %e = tensor.empty() : tensor<1x1x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %p = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 1, 5] [1, 1, 2]
      : tensor<1x1x5xf32> into tensor<1x1x11xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%p, %k : tensor<1x1x11xf32>, tensor<1x1x3xf32>)
      outs(%init : tensor<1x1x9xf32>) -> tensor<1x1x9xf32>
  return %y : tensor<1x1x9xf32>
}
