// The attributes print as they were written, through text and bytecode, in our
// tool and in stock mlir-opt with the plugin, on registered and on unregistered
// ops.

// RUN: %mlir-prof-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %mlirprof_opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %mlirprof_opt --allow-unregistered-dialect --emit-bytecode %s -o %t.mlirbc
// RUN: %mlirprof_opt --allow-unregistered-dialect %t.mlirbc | FileCheck %s
// RUN: %mlir-prof-opt --allow-unregistered-dialect %t.mlirbc | FileCheck %s

// The encoding is binary: no text of the attribute is in the file.
// RUN: not grep -q sole_ps %t.mlirbc

// CHECK: module @m attributes {prof.coverage = #prof.coverage<op_time_ps = 1000, owned_ps = 900, unique_ps = 500, fused_ps = 400, unmatched_ps = 100, mean_fused_members_ppm = 2500000>}
module @m attributes {prof.coverage = #prof.coverage<op_time_ps = 1000, owned_ps = 900, unique_ps = 500, fused_ps = 400, unmatched_ps = 100, mean_fused_members_ppm = 2500000>} {
  // CHECK: func.func @f
  func.func @f(%x: f32) -> f32 {
    // CHECK: arith.addf {{.*}} {prof.data = #prof.data<count = 18446744073709551615, sole_ps = 9223372036854775807, shared_ps = 3, estimated_ps = 4, first_begin_ps = -5>}
    %0 = arith.addf %x, %x {prof.data = #prof.data<count = 18446744073709551615, sole_ps = 9223372036854775807, shared_ps = 3, estimated_ps = 4, first_begin_ps = -5>} : f32
    // CHECK: "other.op"{{.*}} {prof.data = #prof.data<count = 7, shared_ps = 12>}
    %1 = "other.op"(%0) {prof.data = #prof.data<count = 7, shared_ps = 12>} : (f32) -> f32
    return %1 : f32
  }
}
