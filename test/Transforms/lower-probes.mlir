// prof-lower-probes: the code of inline probes and of calls.

// DEFINE: %{lower} = convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes)' %s -o %t.inline.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.inline.mlir | FileCheck %s
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{instances=7 metadata=false})' %s -o %t.instances.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.instances.mlir | FileCheck %s --check-prefix=INSTANCES
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{probe=call})' %s -o %t.call.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.call.mlir | FileCheck %s --check-prefix=CALL
// RUN: mlir-translate --mlir-to-llvmir %t.call.mlir | opt -O2 -S | llc -O2 -mtriple=x86_64-unknown-linux-gnu | FileCheck %s --check-prefix=ASM
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{clock=runtime})' %s -o %t.clock.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.clock.mlir | FileCheck %s --check-prefix=CLOCK
// Dropped: the code is that of the module without probes.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{probe=drop},prof-strip)' %s -o %t.drop.mlir 2>%t.warning
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t.warning
// RUN: mlir-translate --mlir-to-llvmir %t.drop.mlir > %t.drop.ll
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(%{lower})' %s -o %t.plain.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.plain.mlir | diff - %t.drop.ll
// In functions that are not lowered yet.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,prof-lower-probes)' %s | FileCheck %s --check-prefix=EARLY

// The block to throw away has a header of 8 words, 4 slots of 4 and 4 numbers.
// CHECK: @__prof_rt_module = internal global { i32, i32, ptr, ptr, i32, i32, ptr, ptr, ptr, i64, ptr, ptr, ptr, i32, i32 } { i32 3, i32 4, ptr getelementptr {{.*}}@__prof_rt_discard, {{(i64 64|i32 8)}}), ptr null, i32 0, i32 0, ptr @__prof_rt_parents, ptr null, ptr @__prof_rt_metadata, i64 {{[1-9][0-9]*}}, ptr @main, ptr null, ptr null, i32 4, i32 0 }
// CHECK: @__prof_rt_parents = internal constant [4 x i32] [i32 -1, i32 0, i32 -1, i32 2]
// CHECK: @__prof_rt_discard = internal global [28 x i64] zeroinitializer
// INSTANCES: ptr null, i32 0, i32 7, ptr @__prof_rt_parents, ptr null, ptr null, i64 0, ptr @main, ptr null, ptr null, i32 4, i32 0 }

// The probe around the call sums up what the callee's probes do.
// CHECK-LABEL: define void @main(
// CHECK: %[[B:.*]] = call ptr @prof_rt_base(ptr @__prof_rt_module)
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 -1
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 -2
// CHECK: call i64 @llvm.readcyclecounter()
// CHECK: %[[T0:.*]] = call i64 @llvm.readcyclecounter()
// CHECK: call void @helper
// CHECK-NEXT: %[[T1:.*]] = call i64 @llvm.readcyclecounter()
// CHECK-NEXT: %[[D:.*]] = sub i64 %[[T1]], %[[T0]]
// CHECK-NEXT: %[[A:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 4
// CHECK-NEXT: %[[OLD:.*]] = load i64, ptr %[[A]]
// CHECK-NEXT: %[[NEW:.*]] = add i64 %[[OLD]], %[[D]]
// CHECK: store i64 %[[NEW]], ptr
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 5
// CHECK: add i64 %{{.*}}, 1
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 6
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 7
// CHECK: ret void
// CHECK-LABEL: define void @helper(
// CHECK: %[[B:.*]] = call ptr @prof_rt_base(ptr @__prof_rt_module)
// The callee's outermost probe hands its ticks and executions on.
// CHECK: %[[X:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 -3
// CHECK: load i64, ptr %[[X]]
// CHECK: %[[P1:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 13
// CHECK: store i64
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 -3
// CHECK: ret void

// INSTANCES: call void @helper
// INSTANCES: %[[OLD:.*]] = load i64, ptr %{{.*}}, align 8
// INSTANCES: %[[COUNT:.*]] = load i64, ptr %{{.*}}, align 8
// INSTANCES: %[[FEW:.*]] = icmp ult i64 %[[COUNT]], 7
// INSTANCES: br i1 %[[FEW]], label %{{.*}}, label %{{.*}}, !prof ![[W:.*]]
// INSTANCES: call void @prof_rt_instance(ptr @__prof_rt_module, i32 1, i64 %{{.*}}, i64 %{{.*}})
// INSTANCES: ![[W]] = !{!"branch_weights", i32 1, i32 2000}

// CALL-LABEL: define void @main(
// CALL-NOT: readcyclecounter
// CALL: notail call void @__prof_rt_probe(i32 0)
// CALL: notail call void @__prof_rt_probe(i32 1)
// CALL: call void @helper
// CALL-NEXT: notail call void @__prof_rt_probe(i32 1)
// CALL-NEXT: notail call void @__prof_rt_probe(i32 0)
// CALL-NEXT: ret void
// CALL: define internal void @__prof_rt_probe(i32 %[[ID:.*]]) #[[NOINLINE:.*]] {
// CALL: %[[ADDRESS:.*]] = call ptr @llvm.returnaddress(i32 0)
// CALL-NEXT: call void @prof_rt_handler(ptr @__prof_rt_module, i32 %[[ID]], ptr %[[ADDRESS]])
// CALL: attributes #[[NOINLINE]] = { {{.*}}noinline

// The last probe returns to this function: a jump would return to its caller.
// ASM-LABEL: main:
// ASM-COUNT-4: callq __prof_rt_probe
// ASM-NOT: jmp __prof_rt_probe
// ASM: retq
// ASM-LABEL: helper:
// ASM-NOT: jmp __prof_rt_probe
// ASM: retq

// CLOCK-NOT: readcyclecounter
// CLOCK: call i64 @prof_rt_ticks()

// WARNING: warning: prof-lower-probes: dropped 4 probes and 0 recorded values; they will not be measured
// WARNING-NOT: warning

// EARLY: func.func @main
// EARLY: llvm.call @prof_rt_base
// EARLY: llvm.call_intrinsic "llvm.readcyclecounter"
// EARLY: call @helper

func.func @main(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  call @helper(%a, %b) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
func.func @helper(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  return
}
