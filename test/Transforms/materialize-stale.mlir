// Coverage that an earlier run wrote is not that of the times that arrive now.

// RUN: %mlir-prof-opt --prof-materialize %s 2>/dev/null | FileCheck %s
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-materialize)' %s 2>/dev/null | FileCheck %s

// CHECK-NOT: prof.coverage
// CHECK: func.func private @f() attributes {prof.data = #prof.data<count = 2, sole_ps = 3>}
// CHECK-NOT: prof.coverage
module attributes {prof.coverage = #prof.coverage<op_time_ps = 7, owned_ps = 7, unique_ps = 7>} {
  func.func private @f() loc(fused<{prof.data = array<i64: 1, 2, 3, 0, 0, 0>}>["p"])
}
