// Identities as debug lines, for LLVM: index of the node + 1.

// DEFINE: %{lower} = convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="%{lower}"},prof-lines)' --mlir-print-debuginfo --mlir-print-local-scope %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir -o %t.ll
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// RUN: opt -passes=verify -disable-output %t.ll
// RUN: llc -O2 -mtriple=x86_64-linux-gnu -filetype=obj %t.ll -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=DWARF
// With the snapshot taken before, it is not taken twice.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="%{lower}"},prof-snapshot{level=llvm},prof-lines)' --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// Probes that nothing lowered by then are dropped: stock translation takes it.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lines)' --mlir-print-debuginfo %s -o %t.dropped.mlir 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: mlir-translate --mlir-to-llvmir %t.dropped.mlir | FileCheck %s --check-prefix=DROPPED
// WARNING: warning: prof-lower-probes: dropped 3 probes and 0 recorded values; they will not be measured
// DROPPED: define float @main
// DROPPED-NOT: prof_rt

// Input: 0 @callee, 1 the product, 2 the return, 3 @main, 4 call, 5 return.
// CHECK: prof.program = {
// CHECK-SAME: level = "input"
// CHECK-SAME: container = array<i32: -1, 6, 6, -1, 9, 9>
// CHECK-SAME: level = "llvm"
// CHECK-SAME: parents = array<i32: 0, 1, 2, 3, 4, 5>
// A global of another producer with a location that LLVM would not take.
// CHECK: llvm.mlir.global {{.*}} loc(unknown)
llvm.mlir.global internal constant @global(1.0 : f32) : f32 loc(fused<"strange">["a", callsite("b" at "c")])
// CHECK: llvm.func @declared(f32) -> f32 {{.*}}loc(unknown)
func.func private @declared(%x: f32) -> f32
// CHECK: llvm.func @callee
func.func @callee(%x: f32) -> f32 {
  // CHECK: llvm.mlir.constant{{.*}} loc("prof.program":0:0)
  %c = arith.constant 2.0 : f32 loc("constant")
  // CHECK: llvm.fmul {{.*}} loc("prof.program":8:0)
  %0 = arith.mulf %x, %c : f32 loc("product")
  // CHECK: llvm.return {{.*}} loc("prof.program":9:0)
  return %0 : f32 loc("return")
  // CHECK: } loc(fused<#llvm.di_subprogram<{{.*}}emissionKind = LineTablesOnly{{.*}}name = "callee"{{.*}}line = 7, scopeLine = 7,{{.*}}>["prof.program":7:0])
}
// CHECK: llvm.func @main
func.func @main(%x: f32) -> f32 {
  // CHECK: llvm.call @callee{{.*}} loc("prof.program":11:0)
  %0 = call @callee(%x) : (f32) -> f32 loc(callsite("inlined" at "call"))
  return %0 : f32 loc("return")
}

// The program is in the object; what the module kept already is kept still.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,%{lower},prof-lines)' %S/Inputs/used.mlir --mlir-print-debuginfo | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=SECTION
// SECTION-DAG: @llvm.used = appending global [2 x ptr] [ptr @kept, ptr @__mlirprof_program], section "llvm.metadata"
// SECTION-DAG: @__mlirprof_program = internal constant [{{[0-9]+}} x i8] c"{{.*}}", section ".mlirprof.program", align 1
// SECTION-DAG: !DIFile(filename: "prof.program", directory: "{{[0-9a-f]+}}")
// RUN: llvm-readelf --sections %t.o | FileCheck %s --check-prefix=OBJECT
// OBJECT: .mlirprof.program PROGBITS {{.*}} AR
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,%{lower},prof-lines{section=false})' %S/Inputs/used.mlir | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: __mlirprof_program
// WITHOUT: llvm.mlir.global appending @llvm.used() {{.*}} : !llvm.array<1 x ptr>
// Objects that are not in ELF have other names of sections.
// RUN: sed 's/^module {/module attributes {llvm.target_triple = "arm64-apple-macosx"} {/' %S/Inputs/used.mlir > %t.apple.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,%{lower},prof-lines)' %t.apple.mlir | FileCheck %s --check-prefix=WITHOUT

// IR: define float @callee(float %0) !dbg ![[CALLEE:[0-9]+]] {
// IR: fmul float {{.*}}, !dbg ![[MUL:[0-9]+]]
// IR: call float @callee({{.*}}), !dbg ![[CALL:[0-9]+]]
// IR-DAG: ![[CALLEE]] = distinct !DISubprogram(name: "callee", {{.*}}line: 7,
// IR-DAG: ![[MUL]] = !DILocation(line: 8, scope: ![[CALLEE]])
// IR-DAG: ![[CALL]] = !DILocation(line: 11,
// DWARF: name: "prof.program"
// @callee has no prologue, @main has.
// DWARF: 0x{{[0-9a-f]+}} {{ *}}8 {{ *}}0 {{.*}}prologue_end
// DWARF: 0x{{[0-9a-f]+}} {{ *}}9 {{ *}}0
// DWARF: 0x{{[0-9a-f]+}} {{ *}}10 {{ *}}0
// DWARF: 0x{{[0-9a-f]+}} {{ *}}11 {{ *}}0
