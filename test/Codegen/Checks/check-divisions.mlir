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
