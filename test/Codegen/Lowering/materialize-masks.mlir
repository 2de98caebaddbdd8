// RUN: %mlir-prof-opt --cpu-materialize-masks %s | FileCheck %s
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-materialize-masks,convert-to-llvm{dynamic=true},reconcile-unrealized-casts)' %s | FileCheck %s --check-prefix=LLVM

// Indices of the mask are compared as numbers of 32 bits.
// CHECK-LABEL: func.func @masks
// CHECK-DAG: arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK-DAG: arith.constant dense<[true, true, true, false]> : vector<4xi1>
// CHECK-NOT: create_mask
// CHECK-NOT: constant_mask
// CHECK: arith.cmpi sgt, %{{.*}} : vector<4xi32>

// LLVM-LABEL: llvm.func @masks(%{{.*}}: i32)
// LLVM: llvm.icmp {{.*}} : vector<4xi32>
// LLVM-NOT: unrealized_conversion_cast
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @masks(%n: index) -> (vector<4xi1>, vector<4xi1>) {
    %a = vector.create_mask %n : vector<4xi1>
    %b = vector.constant_mask [3] : vector<4xi1>
    return %a, %b : vector<4xi1>, vector<4xi1>
  }
}
