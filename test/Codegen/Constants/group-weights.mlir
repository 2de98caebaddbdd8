// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-group-weights{features=+avx512vnni,+avx512bf16,+avx512vl})' | FileCheck %s

// The weights of a product that nobody uses are not grouped: those of the other
// one are the first constant of that name.

// CHECK-LABEL: func.func @unused
// CHECK: arith.constant dense_resource<grouped> : tensor<1x2x16xi8>
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: reduction
// CHECK: return
func.func @unused(%a: tensor<3x5xi8>, %e: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %v = arith.constant dense<[[1, 6], [2, 5], [3, 4], [4, 3], [5, 2]]> : tensor<5x2xi8>
  %w = arith.constant dense<[[1, -6], [2, -5], [3, -4], [4, -3], [5, -2]]> : tensor<5x2xi8>
  %unused = linalg.matmul ins(%a, %v : tensor<3x5xi8>, tensor<5x2xi8>) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  %r = linalg.matmul ins(%a, %w : tensor<3x5xi8>, tensor<5x2xi8>) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
