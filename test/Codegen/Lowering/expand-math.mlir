// Mathematics that upstream does not lower, or not right.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-expand-math)' | FileCheck %s

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:.*]]: vector<4xf32>, %[[LOW:.*]]: vector<4xf32>, %[[HIGH:.*]]: vector<4xf32>
func.func @clamp(%x: vector<4xf32>, %low: vector<4xf32>, %high: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[ABOVE:.*]] = arith.maximumf %[[X]], %[[LOW]] fastmath<nnan> : vector<4xf32>
  // CHECK: arith.minimumf %[[ABOVE]], %[[HIGH]] fastmath<nnan> : vector<4xf32>
  %0 = math.clampf %x to [%low, %high] fastmath<nnan> : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @infinite(
// CHECK-SAME: %[[X:.*]]: f16
func.func @infinite(%x: f16) -> i1 {
  // CHECK: %[[SIZE:.*]] = math.absf %[[X]] : f16
  // CHECK: %[[INF:.*]] = arith.constant 0x7C00 : f16
  // CHECK: arith.cmpf oeq, %[[SIZE]], %[[INF]] : f16
  %0 = math.isinf %x : f16
  return %0 : i1
}

// CHECK-LABEL: func.func @normal(
// CHECK-SAME: %[[X:.*]]: vector<2xf32>
func.func @normal(%x: vector<2xf32>) -> vector<2xi1> {
  // CHECK: %[[SIZE:.*]] = math.absf %[[X]] : vector<2xf32>
  // CHECK: %[[LEAST:.*]] = arith.constant dense<1.17549435E-38> : vector<2xf32>
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LEAST]] : vector<2xf32>
  // CHECK: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<2xf32>
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]], %[[INF]] : vector<2xf32>
  // CHECK: arith.andi %[[LARGE]], %[[FINITE]] : vector<2xi1>
  %0 = math.isnormal %x : vector<2xf32>
  return %0 : vector<2xi1>
}
