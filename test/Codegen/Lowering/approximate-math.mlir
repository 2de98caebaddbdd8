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
