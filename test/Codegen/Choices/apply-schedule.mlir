// RUN: rm -rf %t && split-file %s %t
// RUN: %mlir-prof-opt %t/model.mlir --pass-pipeline='builtin.module(cpu-apply-schedule{path=%t/schedule.mlir})' | FileCheck %s

// Four rows of eight columns by tiles of two and four.
// CHECK-LABEL: func.func @exp
// CHECK: scf.for {{.*}} to %c4 step %c2
// CHECK: scf.for {{.*}} to %c8 step %c4
// CHECK: linalg.exp ins({{.*}} : tensor<2x4xf32>)

//--- model.mlir
func.func @exp(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
