// Integers are not divided by zero, and the least one by -1 wraps.

// RUN: %mlir-prof-opt %s --cpu-check-divisions --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @quotient
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
// CHECK: %[[GOOD:.*]] = arith.cmpi ne, %[[B]], %c0_i32
// CHECK-NEXT: cf.assert %[[GOOD]], "division by zero"
// CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[B]], %c-1_i32
// CHECK: %[[SAFE:.*]] = arith.select %[[MINUS]], %c1_i32, %[[B]]
// CHECK: %[[Q:.*]] = arith.divsi %[[A]], %[[SAFE]]
// CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[Q]]
// CHECK: %[[R:.*]] = arith.select %[[MINUS]], %[[NEGATED]], %[[Q]]
// CHECK: return %[[R]]
func.func @quotient(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// -----

// A remainder of 1 is zero.

// CHECK-LABEL: func.func @remainder
// CHECK: cf.assert
// CHECK: %[[SAFE:.*]] = arith.select
// CHECK-NEXT: %[[R:.*]] = arith.remsi %{{.*}}, %[[SAFE]]
// CHECK-NEXT: return %[[R]]
func.func @remainder(%a: i32, %b: i32) -> i32 {
  %r = arith.remsi %a, %b : i32
  return %r : i32
}

// -----

// CHECK-LABEL: func.func @known
// CHECK-NOT: cf.assert
// CHECK-NOT: arith.select
// CHECK: return
func.func @known(%t: tensor<?xf32>, %b: i32) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %q = arith.divui %n, %c4 : index
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %most = arith.maxsi %b, %one : i32
  %r = arith.remsi %seven, %most : i32
  return %q, %r : index, i32
}

// -----

// Front ends replace a divisor of zero.

// CHECK-LABEL: func.func @replaced
// CHECK-NOT: cf.assert
// CHECK: arith.divui
func.func @replaced(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %is_zero = arith.cmpi eq, %b, %zero : i32
  %safe = arith.select %is_zero, %one, %b : i32
  %q = arith.divui %a, %safe : i32
  return %q : i32
}

// -----

// CHECK-LABEL: func.func @named
// CHECK: linalg.generic
// CHECK: cf.assert %{{.*}}, "division by zero"
// CHECK: arith.divsi
func.func @named(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %z = linalg.div ins(%x, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%e : tensor<8xi32>) -> tensor<8xi32>
  return %z : tensor<8xi32>
}

// -----

// All elements of a vector are checked at once, those of several dimensions as a row.

// CHECK-LABEL: func.func @vectors
// CHECK-SAME: %[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>, %[[C:.*]]: vector<2x4xi64>
// CHECK: %[[GOOD:.*]] = arith.cmpi ne, %[[B]], %cst
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[GOOD]] : vector<4xi1> into i1
// CHECK-NEXT: cf.assert %[[ALL]], "division by zero"
// CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : vector<4xi32>
// CHECK: %[[SAFE:.*]] = arith.select %[[MINUS]], %{{.*}}, %[[B]] : vector<4xi1>, vector<4xi32>
// CHECK: arith.divsi %[[A]], %[[SAFE]]
// CHECK: %[[ROW:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi1> to vector<8xi1>
// CHECK-NEXT: %[[ALL2:.*]] = vector.reduction <and>, %[[ROW]]
// CHECK-NEXT: cf.assert %[[ALL2]], "division by zero"
// CHECK-NEXT: arith.remui
func.func @vectors(%a: vector<4xi32>, %b: vector<4xi32>, %c: vector<2x4xi64>)
    -> (vector<4xi32>, vector<2x4xi64>) {
  %q = arith.divsi %a, %b : vector<4xi32>
  %r = arith.remui %c, %c : vector<2x4xi64>
  return %q, %r : vector<4xi32>, vector<2x4xi64>
}

// -----

// CHECK-LABEL: func.func @known_vectors
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known_vectors(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  %one = arith.constant dense<1> : vector<4xi32>
  %most = arith.maxsi %b, %one : vector<4xi32>
  %q = arith.divsi %a, %most : vector<4xi32>
  return %q : vector<4xi32>
}

// -----

// CHECK-LABEL: func.func @indices
// CHECK: cf.assert %{{.*}}, "division by zero"
// CHECK: index.divs
// CHECK: cf.assert %{{.*}}, "division by zero"
// CHECK: index.remu
func.func @indices(%a: index, %b: index, %c: index) -> (index, index) {
  %q = index.divs %a, %b
  %r = index.remu %a, %c
  return %q, %r : index, index
}

// -----

// CHECK-LABEL: func.func @powers
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
// CHECK: %[[NOT_ZERO:.*]] = arith.cmpi ne, %[[A]], %c0_i32
// CHECK: %[[NOT_NEGATIVE:.*]] = arith.cmpi sge, %[[B]], %c0_i32
// CHECK: %[[GOOD:.*]] = arith.ori %[[NOT_ZERO]], %[[NOT_NEGATIVE]]
// CHECK: cf.assert %[[GOOD]], "division by zero: a negative power of zero"
// CHECK: math.ipowi
// CHECK-NOT: cf.assert
// CHECK: return
func.func @powers(%a: i32, %b: i32) -> (i32, i32) {
  %p = math.ipowi %a, %b : i32
  %three = arith.constant 3 : i32
  %q = math.ipowi %a, %three : i32
  return %p, %q : i32, i32
}
