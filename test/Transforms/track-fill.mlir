// Vectorized, linalg.fill becomes a store with the location of the value that is
// stored: a constant. If constants had identities, the store would count for it;
// as they have none the store is repaired, from the constant vector that was
// made with it.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="transform-interpreter"})' --mlir-print-debuginfo --mlir-print-local-scope %s 2>&1 | FileCheck %s

// CHECK: remark: prof-track: transform-interpreter on builtin.module lost 1 of 9 identities: 1 vector.transfer_write; 1 were repaired
// CHECK: arith.constant dense<1.000000e+00> : vector<8x16xf32> loc("fill")
// CHECK: vector.transfer_write {{.*}} loc(fused<{prof = 2 : i32}>["fill"])
// The sum is that of the body of linalg.add, which upstream makes without a
// location.
// CHECK: arith.addf {{.*}} loc(fused<{prof = 5 : i32}>[unknown])
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %zero = arith.constant 1.0 : f32 loc("constant")
    %empty = tensor.empty() : tensor<8x16xf32> loc("empty")
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32> loc("fill")
    %1 = linalg.add ins(%x, %0 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32> loc("add")
    return %1 : tensor<8x16xf32> loc("return")
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %fill : !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %add : !transform.any_op
    transform.yield
  }
}
