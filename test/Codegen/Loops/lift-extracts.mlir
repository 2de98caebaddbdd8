// Tensors whose elements a body picks at sums of its indices become inputs.

// RUN: %mlir-prof-opt %s --cpu-lift-extracts --split-input-file | FileCheck %s

// CHECK-DAG: #[[BACK:.*]] = affine_map<(d0, d1) -> (-d0 + 4, d1)>
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: %[[X:.*]]: tensor<5x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[BACK]], #{{.*}}]
// CHECK-SAME: ins(%[[X]] : tensor<5x3xf32>)
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NOT: tensor.extract
// CHECK: linalg.yield %[[ELEMENT]]
func.func @reverse(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %x[%back, %j] : tensor<5x3xf32>
    linalg.yield %v : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// A constant that is only copied is copied here: 1 2 3 / 4 5 6 becomes
// 4 1 / 5 2 / 6 3 as bytes.

// CHECK-LABEL: func.func @constant
// CHECK: %[[COPY:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<3x2xi8>
// CHECK: return %[[COPY]]
// CHECK: [[NAME]]: "0x40000000040105020603"
func.func @constant() -> tensor<3x2xi8> {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<3x2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<3x2xi8>) {
  ^bb0(%o: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %c1, %j : index
    %v = tensor.extract %t[%back, %i] : tensor<2x3xi8>
    linalg.yield %v : i8
  } -> tensor<3x2xi8>
  return %r : tensor<3x2xi8>
}

// -----

// Places in a table that the data say, places behind the end, and a part of a
// tensor, which no map says, stay.

// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-3: tensor.extract
func.func @elsewhere(%x: tensor<5xf32>, %at: tensor<5xindex>, %long: tensor<9xf32>)
    -> tensor<5xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%at : tensor<5xindex>) outs(%e : tensor<5xf32>) {
  ^bb0(%p: index, %o: f32):
    %i = linalg.index 0 : index
    %next = arith.addi %i, %c1 : index
    %u = tensor.extract %x[%p] : tensor<5xf32>
    %v = tensor.extract %x[%next] : tensor<5xf32>
    %w = tensor.extract %long[%i] : tensor<9xf32>
    %s = arith.addf %u, %v : f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// The index of the op around is of another loop than those of the op itself.

// CHECK-LABEL: func.func @nested
// CHECK: %[[OUTER:.*]] = linalg.index 0
// CHECK: tensor.extract %{{.*}}[%[[OUTER]]] : tensor<4xf32>
func.func @nested(%x: tensor<4xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %e = tensor.empty() : tensor<4xf32>
    %inner = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>],
                             iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
    ^bb0(%p: f32):
      %v = tensor.extract %x[%i] : tensor<4xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    %w = tensor.extract %inner[%c0] : tensor<4xf32>
    linalg.yield %w : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What else a body does is done.

// CHECK-LABEL: func.func @store
// CHECK: linalg.generic
// CHECK: memref.store
func.func @store(%m: memref<3xf32>) -> tensor<3xf32> {
  %t = arith.constant dense<[1., 2., 3.]> : tensor<3xf32>
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c2, %i : index
    %v = tensor.extract %t[%back] : tensor<3xf32>
    memref.store %v, %m[%i] : memref<3xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Copies that are larger than the constant, or of a size that is not known, are
// made when the code runs.

// CHECK-LABEL: func.func @large
// CHECK-COUNT-2: linalg.generic {{.*}} ins(
// CHECK-NOT: dense_resource
func.func @large(%x: tensor<5xf32>, %d: tensor<?xf32>)
    -> (tensor<8388608x8388608x8388608xf32>, tensor<?xf32>) {
  %t = arith.constant dense<[1., 2.]> : tensor<2xf32>
  %u = arith.constant dense<[1., 2., 3., 4., 5.]> : tensor<5xf32>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8388608x8388608x8388608xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<8388608x8388608x8388608xf32>) {
  ^bb0(%o: f32):
    %v = tensor.extract %t[%c1] : tensor<2xf32>
    linalg.yield %v : f32
  } -> tensor<8388608x8388608x8388608xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %u[%back] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r, %s : tensor<8388608x8388608x8388608xf32>, tensor<?xf32>
}

// -----

// Places that are no sums, of an input that was there before, are not copied as
// if they were: 1 2 / 1 2 has two elements for each of the table's.

// CHECK-LABEL: func.func @division
// CHECK: linalg.generic
// CHECK-NOT: dense_resource
func.func @division(%x: tensor<6xf32>) -> tensor<4xf32> {
  %t = arith.constant dense<[1., 2., 3., 4.]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = tensor.extract %x[%c0] : tensor<6xf32>
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Sums of themselves, whose terms double with each op, end soon.

// CHECK-LABEL: func.func @doubled
// CHECK: tensor.extract
func.func @doubled(%x: tensor<1000000xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = arith.addi %i0, %i0 : index
    %i2 = arith.addi %i1, %i1 : index
    %i3 = arith.addi %i2, %i2 : index
    %i4 = arith.addi %i3, %i3 : index
    %i5 = arith.addi %i4, %i4 : index
    %i6 = arith.addi %i5, %i5 : index
    %i7 = arith.addi %i6, %i6 : index
    %i8 = arith.addi %i7, %i7 : index
    %i9 = arith.addi %i8, %i8 : index
    %i10 = arith.addi %i9, %i9 : index
    %i11 = arith.addi %i10, %i10 : index
    %i12 = arith.addi %i11, %i11 : index
    %i13 = arith.addi %i12, %i12 : index
    %i14 = arith.addi %i13, %i13 : index
    %i15 = arith.addi %i14, %i14 : index
    %i16 = arith.addi %i15, %i15 : index
    %i17 = arith.addi %i16, %i16 : index
    %v = tensor.extract %x[%i17] : tensor<1000000xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Places whose numbers are too large for 64 bits stay.

// CHECK-LABEL: func.func @wrapped
// CHECK: tensor.extract
func.func @wrapped() -> tensor<5xf32> {
  %t = arith.constant dense<[1., 2., 3., 4., 5.]> : tensor<5xf32>
  %huge = arith.constant 4611686018427387904 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %far = arith.muli %i, %huge : index
    %v = tensor.extract %t[%far] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// What else stands at the op stays there.

// CHECK-LABEL: func.func @attributes
// CHECK: linalg.generic
// CHECK-SAME: doc = "backwards"
// CHECK-SAME: library_call = "turn"
// CHECK-SAME: ins(
// CHECK-SAME: attrs = {mlirprof.choice = {algorithm = {name = "product"}}, other = 1 : i64}
func.func @attributes(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {doc = "backwards", indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"], library_call = "turn"}
      outs(%e : tensor<5xf32>)
      attrs = {mlirprof.choice = {algorithm = {name = "product"}}, other = 1 : i64} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %x[%back] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// What a body yields may be a number, of which there is nothing to copy.

// CHECK-LABEL: func.func @number
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : f32, tensor<5xf32>)
func.func @number(%x: tensor<5xf32>, %s: f32) -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%s : f32) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %x[%back] : tensor<5xf32>
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// A copy whose map says the places is the same as one whose body does: 1 2 / 3 4
// / 5 6 becomes 5 6 / 3 4 / 1 2, and a part of it, from behind, 6 4.

// CHECK-LABEL: func.func @map
// CHECK-DAG: %[[ROWS:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<3x2xi8>
// CHECK-DAG: %[[PART:.*]] = arith.constant dense_resource<[[OTHER:.*]]> : tensor<2xi8>
// CHECK: return %[[ROWS]], %[[PART]]
// CHECK-DAG: [[NAME]]: "0x40000000050603040102"
// CHECK-DAG: [[OTHER]]: "0x400000000604"
func.func @map() -> (tensor<3x2xi8>, tensor<2xi8>) {
  %t = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %e = tensor.empty() : tensor<3x2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 - i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<3x2xi8>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<3x2xi8>
  %f = tensor.empty() : tensor<2xi8>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (2 - i, 1)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%t : tensor<3x2xi8>) outs(%f : tensor<2xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<2xi8>
  return %r, %s : tensor<3x2xi8>, tensor<2xi8>
}

// -----

// Transposes stay: who looks for weights sees them through those.

// CHECK-LABEL: func.func @transpose
// CHECK: linalg.generic
// CHECK-NOT: dense_resource
func.func @transpose() -> tensor<3x2xi8> {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %e = tensor.empty() : tensor<3x2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<2x3xi8>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<3x2xi8>
  return %r : tensor<3x2xi8>
}

// -----

// Places that are in the constant where the loops begin and where they end, but
// not between, are not read here.

// CHECK-LABEL: func.func @outside
// CHECK: linalg.generic
// CHECK-NOT: dense_resource
func.func @outside() -> tensor<3x3xi8> {
  %t = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9]> : tensor<9xi8>
  %e = tensor.empty() : tensor<3x3xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i - j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<9xi8>) outs(%e : tensor<3x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<3x3xi8>
  return %r : tensor<3x3xi8>
}

// -----

// What has no element, or one, stays.

// CHECK-LABEL: func.func @few
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: dense_resource
func.func @few() -> (tensor<0xi8>, tensor<i8>) {
  %t = arith.constant dense<[1, 2, 3]> : tensor<3xi8>
  %e = tensor.empty() : tensor<0xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 2)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%t : tensor<3xi8>) outs(%e : tensor<0xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<0xi8>
  %f = tensor.empty() : tensor<i8>
  %s = linalg.generic {indexing_maps = [affine_map<() -> (2)>, affine_map<() -> ()>],
                       iterator_types = []}
      ins(%t : tensor<3xi8>) outs(%f : tensor<i8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<i8>
  return %r, %s : tensor<0xi8>, tensor<i8>
}

// -----

// What said the places is gone: bodies that know their indices are refused by
// rules. An index that the body needs stays.

// CHECK-LABEL: func.func @dead
// CHECK-NOT: linalg.index
// CHECK-NOT: arith.subi
// CHECK: linalg.yield
// CHECK: linalg.index 0
// CHECK-NOT: arith.subi
// CHECK: linalg.yield
func.func @dead(%x: tensor<5xf32>, %y: tensor<5xindex>) -> (tensor<5xf32>, tensor<5xindex>) {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %x[%back] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  %f = tensor.empty() : tensor<5xindex>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%f : tensor<5xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %back = arith.subi %c4, %i : index
    %v = tensor.extract %y[%back] : tensor<5xindex>
    %w = arith.addi %v, %i : index
    linalg.yield %w : index
  } -> tensor<5xindex>
  return %r, %s : tensor<5xf32>, tensor<5xindex>
}

// -----

// Maps that are applied to indices, as fusion leaves them, are places, too; one
// that divides, or multiplies loops, is none.

// CHECK: #[[APPLIED:.*]] = affine_map<(d0, d1) -> (-d0 + 4, d0 + d1 * 2 + 1)>
// CHECK-LABEL: func.func @applied
// CHECK: linalg.generic {indexing_maps = [#[[APPLIED]], #{{.*}}]
// CHECK-NOT: tensor.extract
// CHECK: linalg.yield
// CHECK: tensor.extract
// CHECK: tensor.extract
func.func @applied(%x: tensor<5x10xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = affine.apply affine_map<(d0) -> (4 - d0)>(%i)
    %twice = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 + 3)>(%j)[%c2]
    %at = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%back, %twice)
    %v = tensor.extract %x[%back, %at] : tensor<5x10xf32>
    linalg.yield %v : f32
  } -> tensor<5x3xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %v = tensor.extract %x[%half, %j] : tensor<5x10xf32>
    %product = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%j)[%j]
    %w = tensor.extract %x[%i, %product] : tensor<5x10xf32>
    %u = arith.addf %v, %w : f32
    linalg.yield %u : f32
  } -> tensor<5x3xf32>
  return %r, %s : tensor<5x3xf32>, tensor<5x3xf32>
}
