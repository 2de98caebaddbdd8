// RUN: mlir-prof-opt --cpu-narrow-comparisons %s | FileCheck %s

// Both types have an infinity and 0.5.

// CHECK-LABEL: @exact
// CHECK-NOT: arith.extf
// CHECK:     [[INFINITY:%.*]] = arith.constant 0xFF800000 : f32
// CHECK:     arith.cmpf oeq, %arg0, [[INFINITY]] : f32
// CHECK:     [[HALF:%.*]] = arith.constant 5.000000e-01 : f32
// CHECK:     arith.cmpf ult, [[HALF]], %arg0 : f32
// CHECK:     arith.cmpf ogt, %arg0, %arg1 : f32
func.func @exact(%x: f32, %y: f32) -> (i1, i1, i1) {
  %infinity = arith.constant 0xFFF0000000000000 : f64
  %half = arith.constant 0.5 : f64
  %wide = arith.extf %x : f32 to f64
  %other = arith.extf %y : f32 to f64
  %a = arith.cmpf oeq, %wide, %infinity : f64
  %b = arith.cmpf ult, %half, %wide : f64
  %c = arith.cmpf ogt, %wide, %other : f64
  return %a, %b, %c : i1, i1, i1
}

// The narrow type does not have 0.1, and the other operand is not widened.

// CHECK-LABEL: @inexact
// CHECK-COUNT-2: arith.cmpf {{.*}} : f64
func.func @inexact(%x: f32, %y: f64) -> (i1, i1) {
  %tenth = arith.constant 0.1 : f64
  %wide = arith.extf %x : f32 to f64
  %a = arith.cmpf oeq, %wide, %tenth : f64
  %b = arith.cmpf oeq, %wide, %y : f64
  return %a, %b : i1, i1
}
