// prof-strip leaves the module as it was before prof-annotate, locations
// included.

// RUN: %mlir-prof-opt --prof-strip --mlir-print-debuginfo --mlir-print-local-scope --allow-unregistered-dialect %s | FileCheck %s
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-strip)' --mlir-print-debuginfo --mlir-print-local-scope --allow-unregistered-dialect %s | FileCheck %s


// CHECK: module @m {
module @m attributes {prof.coverage = #prof.coverage<op_time_ps = 3>} {
  // A block argument's location.
  // CHECK: func.func @f(%{{.*}}: f32 loc("x"))
  func.func @f(%x: f32 loc(fused<{prof.data = array<i64: 9, 1, 5, 0, 0, 0>}>["x"])) {
    // CHECK: "a.name"({{.*}}) : (f32) -> () loc("net/a"("net.py":3:4))
    "a.name"(%x) {prof.data = #prof.data<count = 1>} : (f32) -> () loc(fused<{prof.data = array<i64: 1, 1, 5, 0, 0, 0>}>["net/a"("net.py":3:4)])
    // CHECK: "a.unknown"({{.*}}) : (f32) -> () loc(unknown)
    "a.unknown"(%x) : (f32) -> () loc(fused<{prof.data = array<i64: 2, 1, 5, 0, 0, 0>}>[unknown])
    // CHECK: "a.fused"({{.*}}) : (f32) -> () loc(fused["p", "q"])
    "a.fused"(%x) : (f32) -> () loc(fused<{prof.data = array<i64: 3, 1, 5, 0, 0, 0>}>[fused["p", "q"]])
    // CHECK: "a.metadata"({{.*}}) : (f32) -> () loc(fused<"mine">["p"])
    "a.metadata"(%x) : (f32) -> () loc(fused<{prof.data = array<i64: 4, 1, 5, 0, 0, 0>}>[fused<"mine">["p"]])
    // CHECK: "a.parts"({{.*}}) : (f32) -> () loc(fused["p", "q"])
    "a.parts"(%x) : (f32) -> () loc(fused[fused<{prof.data = array<i64: 5, 1, 5, 0, 0, 0>}>["p"], fused<{prof.data = array<i64: 6, 1, 5, 0, 0, 0>}>["q"]])
    // CHECK: "a.call"({{.*}}) : (f32) -> () loc(callsite("callee" at "caller"))
    "a.call"(%x) : (f32) -> () loc(callsite(fused<{prof.data = array<i64: 7, 1, 5, 0, 0, 0>}>["callee"] at fused<{prof.data = array<i64: 8, 1, 5, 0, 0, 0>}>["caller"]))
    // CHECK: "a.twice"({{.*}}) : (f32) -> () loc("p")
    "a.twice"(%x) : (f32) -> () loc(fused<{prof.data = array<i64: 5, 1, 5, 0, 0, 0>}>[fused<{prof.data = array<i64: 6, 1, 5, 0, 0, 0>}>["p"]])
    // A name around it.
    // CHECK: "a.named"({{.*}}) : (f32) -> () loc("p"("q"))
    "a.named"(%x) : (f32) -> () loc("p"(fused<{prof.data = array<i64: 5, 1, 5, 0, 0, 0>}>["q"]))
    // Ours by name only: it goes, too.
    // CHECK: "a.malformed"({{.*}}) : (f32) -> () loc("p")
    "a.malformed"(%x) : (f32) -> () loc(fused<{prof.data = "what"}>["p"])
    // Another tool's location and attributes stay.
    // CHECK: "a.other"({{.*}}) {profiler_data = {ts = 1 : i64}} : (f32) -> () loc(fused<{tool = 3 : i32}>["p"])
    "a.other"(%x) {profiler_data = {ts = 1 : i64}} : (f32) -> () loc(fused<{tool = 3 : i32}>["p"])
    // CHECK: "a.compat"({{.*}}) {keep} : (f32) -> ()
    "a.compat"(%x) {keep, prof.data = #prof.data<>, profiler_data = {dur = 3 : i64, ts = 1 : i64}} : (f32) -> ()
    // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
    %0 = arith.addf %x, %x {prof.data = #prof.data<count = 1>} : f32
    return
  }
}
