// What prof-materialize makes of locations, case by case.

// RUN: %mlir-prof-opt --prof-materialize --allow-unregistered-dialect %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-materialize)' --allow-unregistered-dialect %s 2>/dev/null | FileCheck %s
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-materialize{remarks=0})' --allow-unregistered-dialect %s 2>&1 >/dev/null | count 0

// 41 of what the annotated module owned is on no op any more.
// REMARK: remark: prof-materialize: 96.0 % arrived, 984 of 1025 ps; 9 source ops on 11 ops, 6 with one owner

// CHECK: module @m attributes {prof.coverage = #prof.coverage<op_time_ps = 1125, owned_ps = 984, unique_ps = 925, fused_ps = 100, unmatched_ps = 100>}
module @m {
  func.func @f(%x: f32, %n: index, %t: tensor<4x4xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index

    // Taken over as it is.
    // CHECK: "a.sole"() {prof.data = #prof.data<count = 3, sole_ps = 100, shared_ps = 60, estimated_ps = 20, first_begin_ps = 77>}
    "a.sole"() : () -> () loc(fused<{prof.data = array<i64: 1, 3, 100, 60, 20, 77>}>["n"("f":1:2)])

    // Constants own nothing.
    // CHECK: arith.constant 1.000000e+00 : f32
    // CHECK-NOT: arith.constant {{.*}}prof.data
    %c = arith.constant 1.0 : f32 loc(fused<{prof.data = array<i64: 2, 1, 41, 0, 0, 0>}>["c"])

    // The loop owns what is nested in it; what joined it owns its own part.
    // CHECK: scf.for
    // CHECK: "a.stranger"{{.*}} {prof.data = #prof.data<count = 1, sole_ps = 5, first_begin_ps = 9>}
    // CHECK: "a.nested"(%{{.*}}) : (index) -> ()
    // CHECK: {prof.data = #prof.data<count = 1, sole_ps = 300, first_begin_ps = 4>}
    scf.for %i = %zero to %n step %one {
      "a.stranger"(%i) : (index) -> () loc(fused<{prof.data = array<i64: 4, 1, 5, 0, 0, 9>}>["s"])
      "a.nested"(%i) : (index) -> () loc(fused<{prof.data = array<i64: 3, 1, 300, 0, 0, 4>}>["l"])
    } loc(fused<{prof.data = array<i64: 3, 1, 300, 0, 0, 4>}>["l"])

    // Two owners of one source op: shared, and split by static cost, 16 to 1.
    // CHECK: "a.big"{{.*}} {prof.data = #prof.data<count = 2, shared_ps = 174, estimated_ps = 176, first_begin_ps = 8>}
    // CHECK: "a.small"{{.*}} {prof.data = #prof.data<count = 2, shared_ps = 174, estimated_ps = 11, first_begin_ps = 8>}
    %big = "a.big"(%t) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(fused<{prof.data = array<i64: 5, 2, 174, 0, 13, 8>}>["w"])
    %small = "a.small"(%x) : (f32) -> f32 loc(fused<{prof.data = array<i64: 5, 2, 174, 0, 13, 8>}>["w"])

    // One op made of two source ops has the time of both.
    // CHECK: "a.both"{{.*}} {prof.data = #prof.data<count = 3, sole_ps = 40, shared_ps = 100, estimated_ps = 50, first_begin_ps = 3>}
    "a.both"(%x) : (f32) -> () loc(fused[fused<{prof.data = array<i64: 6, 1, 40, 0, 0, 7>}>["p"], fused<{prof.data = array<i64: 7, 2, 0, 100, 50, 3>}>["q"]])

    // The callee owns the time, not the call; without data of its own the
    // callee's code is part of the call.
    // CHECK: "a.inlined"{{.*}} {prof.data = #prof.data<count = 1, sole_ps = 150>}
    "a.inlined"(%x) : (f32) -> () loc(callsite("wrapped"(fused<{prof.data = array<i64: 8, 1, 150, 0, 0, 0>}>["callee"]) at fused<{prof.data = array<i64: 9, 1, 87, 0, 0, 0>}>["call"]))
    // CHECK: "a.rest"{{.*}} {prof.data = #prof.data<count = 1, shared_ps = 87, estimated_ps = 44>}
    "a.rest"(%x) : (f32) -> () loc(callsite("plain" at fused<{prof.data = array<i64: 9, 1, 87, 0, 0, 0>}>["call"]))
    // CHECK: "a.rest"{{.*}} {prof.data = #prof.data<count = 1, shared_ps = 87, estimated_ps = 43>}
    "a.rest"(%x) : (f32) -> () loc(callsite(callsite("deep" at "plain") at callsite(fused<{prof.data = array<i64: 9, 1, 87, 0, 0, 0>}>["call"] at "main")))

    // Old data goes.
    // CHECK: "a.old"() : () -> ()
    "a.old"() {prof.data = #prof.data<count = 1>} : () -> ()

    // One source op in two blocks: what is in the loop costs eightfold.
    // CHECK: llvm.br
    // CHECK: "a.outside"
    // CHECK-SAME: shared_ps = 45, estimated_ps = 5
    // CHECK: "a.inside"
    // CHECK-SAME: shared_ps = 45, estimated_ps = 40
    // CHECK: return
    return
  }
  llvm.func @g(%condition: i1) {
    llvm.br ^outside
  ^outside:
    "a.outside"() : () -> () loc(fused<{prof.data = array<i64: 10, 1, 45, 0, 0, 0>}>["o"])
    llvm.br ^inside
  ^inside:
    "a.inside"() : () -> () loc(fused<{prof.data = array<i64: 10, 1, 45, 0, 0, 0>}>["o"])
    llvm.cond_br %condition, ^inside, ^done
  ^done:
    llvm.return
  }
} loc(fused<{prof.coverage = array<i64: 1125, 1025, 925, 0, 100, 0, 100, 0>}>["m.mlir":1:1])
