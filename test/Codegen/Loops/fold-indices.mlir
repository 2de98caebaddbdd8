// What bodies compute from loops for extracting elements becomes constants.

// RUN: %mlir-prof-opt %s --cpu-fold-indices --cse --split-input-file | FileCheck %s

// Rows are doubled, columns are reversed. The weight of a row depends on its
// loop, too: 0.5 i for rows of 0 to 5.

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @resize
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-DAG: %[[ROWS:.*]] = arith.constant dense<[0, 0, 1, 1, 2, 2]> : tensor<6xi64>
// CHECK-DAG: %[[WEIGHTS:.*]] = arith.constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 2.500000e+00]> : tensor<6xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ROW]], #{{.*}}]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<6x{{.*}}>, tensor<6x{{.*}}>)
// CHECK-DAG: %[[J:.*]] = linalg.index 1 : index
// CHECK-DAG: %[[C:.*]] = arith.constant -1 : index
// CHECK-DAG: %[[I:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: arith.muli %[[J]], %[[C]]
// CHECK: %[[BACK:.*]] = arith.addi
// CHECK-NEXT: tensor.extract %[[X]][%[[I]], %[[BACK]]]
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: linalg.yield
func.func @resize(%x: tensor<3x4xf32>) -> tensor<6x4xf32> {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 2.0 : f32
  %c3 = arith.constant 3 : i64
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<6x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i0 = arith.index_cast %i : index to i64
    %i1 = arith.sitofp %i0 : i64 to f32
    %w = arith.mulf %i1, %half : f32
    %i2 = math.floor %w : f32
    %i3 = arith.maximumf %i2, %zero : f32
    %i4 = arith.minimumf %i3, %most : f32
    %i5 = arith.fptosi %i4 : f32 to i64
    %i6 = arith.index_cast %i5 : i64 to index
    %j0 = arith.index_cast %j : index to i64
    %j1 = arith.subi %c3, %j0 : i64
    %j2 = arith.index_cast %j1 : i64 to index
    %v = tensor.extract %x[%i6, %j2] : tensor<3x4xf32>
    %s = arith.mulf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// -----

// Small ops on indices are computed; what they lead to as well.

// CHECK-LABEL: func.func @chain
// CHECK: arith.constant dense<{{\[}}[0], [2], [4], [6]]> : tensor<4x1xi64>
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @chain() -> tensor<4x1xi64> {
  %two = arith.constant dense<2> : tensor<i64>
  %e = tensor.empty() : tensor<4xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                          iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<4xi64>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                            iterator_types = ["parallel"]}
      ins(%iota, %two : tensor<4xi64>, tensor<i64>) outs(%e : tensor<4xi64>) {
  ^bb0(%n: i64, %t: i64, %o: i64):
    %s = arith.muli %n, %t : i64
    linalg.yield %s : i64
  } -> tensor<4xi64>
  %r = tensor.expand_shape %scaled [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
  return %r : tensor<4x1xi64>
}

// -----

// Places that data say, a division by zero, and constants of floats stay.

// CHECK-LABEL: func.func @stays
// CHECK: arith.index_cast
// CHECK: tensor.extract
// CHECK: arith.divsi
// CHECK: arith.addf
func.func @stays(%x: tensor<4xf32>, %places: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %n = tensor.empty() : tensor<4xi64>
  %taken = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                           iterator_types = ["parallel"]}
      ins(%places : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = arith.index_cast %p : i64 to index
    %v = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %divided = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                             iterator_types = ["parallel"]} outs(%n : tensor<4xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    %d = arith.divsi %c, %zero : i64
    linalg.yield %d : i64
  } -> tensor<4xi64>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%k : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %one : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %taken, %divided, %sum : tensor<4xf32>, tensor<4xi64>, tensor<4xf32>
}

// -----

// The window says only how many elements are added up, which nothing else does.

// CHECK-LABEL: func.func @window
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3xf32>
// CHECK: %[[T:.*]] = arith.constant dense<[0, 1, 4, 2]> : tensor<4xi64>
// CHECK: linalg.generic {{.*}} ins(%[[W]], %[[T]] : tensor<3xf32>, tensor<4xi64>)
func.func @window(%w: tensor<3xf32>, %x: tensor<20xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %c7 = arith.constant 7 : index
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<3xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %i = linalg.index 0 : index
    %i0 = arith.muli %i, %i : index
    %i1 = arith.remui %i0, %c7 : index
    %v = tensor.extract %x[%i1] : tensor<20xf32>
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Poison is not a number that a table can have.

// CHECK-LABEL: func.func @poison
// CHECK-NOT: dense
// CHECK: arith.addi
// CHECK: tensor.extract
func.func @poison(%x: tensor<20xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %none = ub.poison : index
  %c1 = arith.constant 1 : index
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %i0 = arith.cmpi ult, %i, %c1 : index
    %i1 = arith.addi %i, %none : index
    %i2 = arith.select %i0, %i1, %i : index
    %v = tensor.extract %x[%i2] : tensor<20xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The second index is known though the first one, of which it is made, becomes a
// linear expression.

// CHECK-LABEL: func.func @line_of_line
// CHECK: %[[T:.*]] = arith.constant dense<[1, 2, 0, 1]> : tensor<4xi64>
// CHECK: linalg.generic {{.*}} ins(%[[T]] : tensor<4xi64>)
// CHECK: %[[I:.*]] = arith.index_cast
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[I]]]
func.func @line_of_line(%x: tensor<20x20xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %i0 = arith.addi %i, %c1 : index
    %i1 = arith.remui %i0, %c3 : index
    %v = tensor.extract %x[%i0, %i1] : tensor<20x20xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A bias stays as it is: the sums that start from it are many more.

// CHECK-LABEL: func.func @bias(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2xi32>)
// CHECK:         linalg.matmul
func.func @bias(%a: tensor<8x4xi8>, %b: tensor<4x2xi8>) -> tensor<8x2xi32> {
  %bias = arith.constant dense<[3, 5]> : tensor<2xi32>
  %empty = tensor.empty() : tensor<8x2xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%bias : tensor<2xi32>) outs(%empty : tensor<8x2xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  } -> tensor<8x2xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<8x4xi8>, tensor<4x2xi8>)
         outs(%0 : tensor<8x2xi32>) -> tensor<8x2xi32>
  return %1 : tensor<8x2xi32>
}
