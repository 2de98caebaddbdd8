// RUN: %mlir-prof-opt %s --cpu-approximate-math | FileCheck %s

// f32 becomes polynomials; f64 and what upstream reduces too roughly stay.
// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.exp {{.*}} : f32
// CHECK: math.fma {{.*}} : f32
// CHECK: math.exp %arg1 : f64
// CHECK-NOT: math.tanh
// CHECK: math.fma {{.*}} : vector<8xf32>
// CHECK: math.sin %arg0 : f32
func.func @functions(%x: f32, %y: f64, %v: vector<8xf32>) -> (f32, f64, vector<8xf32>, f32) {
  %a = math.exp %x : f32
  %b = math.exp %y : f64
  %c = math.tanh %v : vector<8xf32>
  %d = math.sin %x : f32
  return %a, %b, %c, %d : f32, f64, vector<8xf32>, f32
}

// The angle of zero has the sign of it, and two infinities have one, too.
// CHECK-LABEL: func.func @angle
// CHECK-SAME: %[[Y:.*]]: f32, %[[X:.*]]: f32
// CHECK-DAG: math.copysign %{{.*}}, %[[X]]
// CHECK-DAG: math.copysign %{{.*}}, %[[Y]]
// CHECK-NOT: math.atan2
// CHECK: %[[ZERO:.*]] = arith.cmpf oeq, %[[Y]], %{{.*}}
// CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[X]], %[[X]]
// CHECK: %[[ZEROS:.*]] = arith.andi %[[ZERO]], %[[NUMBER]]
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[Y]], %[[X]]
// CHECK: %[[NONE:.*]] = arith.cmpf oeq, %[[QUOTIENT]], %{{.*}}
// CHECK: %[[EXACT:.*]] = arith.ori %[[ZEROS]], %[[NONE]]
// CHECK: %[[ANGLE:.*]] = math.copysign %{{.*}}, %[[Y]]
// CHECK: %[[RESULT:.*]] = arith.select %[[EXACT]], %[[ANGLE]]
// CHECK: return %[[RESULT]]
func.func @angle(%y: f32, %x: f32) -> f32 {
  %a = math.atan2 %y, %x : f32
  return %a : f32
}
