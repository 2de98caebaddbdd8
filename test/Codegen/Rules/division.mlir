// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse))' | FileCheck %s

// Lanes that do not count are divided by one: by zero they would trap. Where all
// of them count nothing is selected.

// CHECK-LABEL: func @rest(
// CHECK: %[[ONE:.*]] = arith.constant dense<1> : vector<16xi32>
// CHECK-NOT: arith.select
// CHECK: arith.divsi
// CHECK: %[[MASK:.*]] = vector.constant_mask [13]
// CHECK: %[[DIVISOR:.*]] = arith.select %[[MASK]], %{{.*}}, %[[ONE]]
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]]
func.func @rest(%a: tensor<77xi32>, %b: tensor<77xi32>) -> tensor<77xi32> {
  %e = tensor.empty() : tensor<77xi32>
  %r = linalg.div ins(%a, %b : tensor<77xi32>, tensor<77xi32>) outs(%e : tensor<77xi32>) -> tensor<77xi32>
  return %r : tensor<77xi32>
}
