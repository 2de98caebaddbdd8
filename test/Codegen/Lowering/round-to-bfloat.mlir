// From f64 to bf16 by way of f32, rounded to odd.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-round-to-bfloat)' | FileCheck %s

// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[X:.*]]: f64
func.func @number(%x: f64) -> bf16 {
  // CHECK: %[[F:.*]] = arith.truncf %[[X]] : f64 to f32
  // CHECK: %[[Y:.*]] = arith.extf %[[F]] : f32 to f64
  // CHECK: %[[B:.*]] = arith.bitcast %[[F]] : f32 to i32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[AY:.*]] = math.absf %[[Y]] : f64
  // CHECK-DAG: %[[AX:.*]] = math.absf %[[X]] : f64
  // CHECK: %[[NEARER:.*]] = arith.cmpf olt, %[[AY]], %[[AX]] : f64
  // CHECK-DAG: %[[UP:.*]] = arith.addi %[[B]], %[[ONE]] : i32
  // CHECK-DAG: %[[DOWN:.*]] = arith.subi %[[B]], %[[ONE]] : i32
  // CHECK: %[[O:.*]] = arith.select %[[NEARER]], %[[UP]], %[[DOWN]] : i32
  // CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[Y]], %[[X]] : f64
  // CHECK: %[[LAST:.*]] = arith.andi %[[B]], %[[ONE]] : i32
  // CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[LAST]], %[[ZERO]] : i32
  // CHECK: %[[I:.*]] = arith.andi %[[INEXACT]], %[[EVEN]] : i1
  // CHECK: %[[S:.*]] = arith.select %[[I]], %[[O]], %[[B]] : i32
  // CHECK: %[[ODD:.*]] = arith.bitcast %[[S]] : i32 to f32
  // CHECK: arith.truncf %[[ODD]] : f32 to bf16
  %r = arith.truncf %x : f64 to bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @vectors(
func.func @vectors(%x: vector<[4]x3xf64>, %y: vector<2xf80>) -> (vector<[4]x3xbf16>, vector<2xbf16>) {
  // CHECK: arith.truncf {{.*}} : vector<[4]x3xf64> to vector<[4]x3xf32>
  // CHECK: arith.constant dense<1> : vector<[4]x3xi32>
  // CHECK: arith.truncf {{.*}} : vector<[4]x3xf32> to vector<[4]x3xbf16>
  %r = arith.truncf %x : vector<[4]x3xf64> to vector<[4]x3xbf16>
  // CHECK: arith.truncf {{.*}} : vector<2xf80> to vector<2xf32>
  // CHECK: arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
  %s = arith.truncf %y : vector<2xf80> to vector<2xbf16>
  return %r, %s : vector<[4]x3xbf16>, vector<2xbf16>
}

// What is rounded once anyway, and another way to round, stay.
// CHECK-LABEL: func.func @others(
func.func @others(%x: f64, %y: f32) -> (f32, bf16, bf16) {
  // CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to bf16
  // CHECK-NEXT: arith.truncf %{{.*}} toward_zero : f64 to bf16
  // CHECK-NEXT: return
  %a = arith.truncf %x : f64 to f32
  %b = arith.truncf %y : f32 to bf16
  %c = arith.truncf %x toward_zero : f64 to bf16
  return %a, %b, %c : f32, bf16, bf16
}
