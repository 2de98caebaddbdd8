// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// Along the rows: vectors of partial sums, added up at the end. 77 elements are
// four vectors and a masked rest; the mean is computed on the scalar.

// CHECK-LABEL: func @mean_of_rows(
// CHECK: scf.for
// CHECK-COUNT-4: vector.transfer_read {{.*}} {in_bounds = [true]} : memref<5x77xf32>, vector<16xf32>
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %c64], %{{.*}}, %[[MASK:.*]] {in_bounds
// CHECK: arith.select %[[MASK]]
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: memref.store
func.func @mean_of_rows(%x: tensor<5x77xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.0129870130 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sums = linalg.reduce ins(%x : tensor<5x77xf32>) outs(%init : tensor<5xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  %mean = linalg.map ins(%sums : tensor<5xf32>) outs(%empty : tensor<5xf32>)
    (%s: f32, %old: f32) {
      %m = arith.mulf %s, %part : f32
      linalg.yield %m : f32
    }
  return %mean : tensor<5xf32>
}

// -----

// Along the result nothing has to be added up across lanes, so any combination
// will do, also of two results.

// CHECK-LABEL: func @where_is_the_largest(
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xi64>, vector<8xi64>)
// CHECK: arith.cmpf ogt, {{.*}} : vector<8xf32>
// CHECK: arith.select {{.*}} : vector<8xi1>, vector<8xi64>
// CHECK: return
func.func @where_is_the_largest(%x: tensor<50x16xf32>, %values: tensor<16xf32>, %places: tensor<16xi64>) -> (tensor<16xf32>, tensor<16xi64>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<50x16xf32>) outs(%values, %places : tensor<16xf32>, tensor<16xi64>) {
    ^bb0(%in: f32, %value: f32, %place: i64):
      %i = linalg.index 0 : index
      %here = arith.index_cast %i : index to i64
      %larger = arith.cmpf ogt, %in, %value : f32
      %v = arith.select %larger, %in, %value : f32
      %p = arith.select %larger, %here, %place : i64
      linalg.yield %v, %p : f32, i64
  } -> (tensor<16xf32>, tensor<16xi64>)
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xi64>
}

// -----

// Along the rows this one cannot be reordered, and stays for loops.

// CHECK-LABEL: func @where_in_each_row(
// CHECK: linalg.generic
func.func @where_in_each_row(%x: tensor<16x50xf32>, %values: tensor<16xf32>, %places: tensor<16xi64>) -> (tensor<16xf32>, tensor<16xi64>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x50xf32>) outs(%values, %places : tensor<16xf32>, tensor<16xi64>) {
    ^bb0(%in: f32, %value: f32, %place: i64):
      %i = linalg.index 1 : index
      %here = arith.index_cast %i : index to i64
      %larger = arith.cmpf ogt, %in, %value : f32
      %v = arith.select %larger, %in, %value : f32
      %p = arith.select %larger, %here, %place : i64
      linalg.yield %v, %p : f32, i64
  } -> (tensor<16xf32>, tensor<16xi64>)
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xi64>
}

// -----

// A window is a reduction too.

// CHECK-LABEL: func @pool(
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
func.func @pool(%x: tensor<1x8x8x32xf32>, %init: tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32> {
  %window = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : tensor<1x8x8x32xf32>, tensor<2x2xf32>) outs(%init : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  return %r : tensor<1x4x4x32xf32>
}

// -----

// The smallest index is not a constant that MLIR makes.

// CHECK-LABEL: func @largest_index(
// CHECK-NOT: vector
// CHECK: return
func.func @largest_index(%x: tensor<512x512xindex>, %init: tensor<512xindex>) -> tensor<512xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<512x512xindex>) outs(%init : tensor<512xindex>) {
    ^bb0(%in: index, %o: index):
      %m = arith.maxsi %o, %in : index
      linalg.yield %m : index
  } -> tensor<512xindex>
  return %r : tensor<512xindex>
}
