// RUN: %mlir-prof-opt %s --cpu-lower-vectors | FileCheck %s

// Two rows of four columns, three products each: six fused ones of vectors.
// CHECK-LABEL: func.func @contract
// CHECK-NOT: vector.contract
// CHECK-COUNT-6: vector.fma {{.*}} : vector<4xf32>
// CHECK-NOT: vector.fma
func.func @contract(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  return %r : vector<2x4xf32>
}
