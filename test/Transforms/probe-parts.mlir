// Probes of kernels: the host side has some for each dispatch, and passes a
// record to the code, which several dispatches share.

// RUN: split-file %s %t
// DEFINE: %{lower} = convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values{everywhere=true},prof-instrument{scope=all},%{lower},prof-lower-probes{instances=2})' %t/kernel.mlir -o %t/kernel.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/kernel.llvm.mlir | FileCheck %t/kernel.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all},%{lower},prof-lower-probes{probe=call})' %t/kernel.mlir -o %t/call.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/call.llvm.mlir | FileCheck %t/kernel.mlir --check-prefix=CALL
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes)' %t/host.mlir -o %t/host.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/host.llvm.mlir | FileCheck %t/host.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,%{lower},prof-lower-probes{probe=drop})' %t/host.mlir | FileCheck %t/host.mlir --check-prefix=DROP
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/unlisted.mlir 2>&1 | FileCheck %t/unlisted.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/parent.mlir 2>&1 | FileCheck %t/parent.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/length.mlir 2>&1 | FileCheck %t/length.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/missing.mlir 2>&1 | FileCheck %t/missing.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,prof-lower-probes)' %t/mixed.mlir 2>&1 | FileCheck %t/mixed.mlir

//--- kernel.mlir
// The kernel does not have a description of its own.
// CHECK-NOT: @__prof_rt_module
// CHECK-LABEL: define void @kernel(
// CHECK-SAME: i64 %[[PART:[0-9]+]])
// CHECK: %[[R:.*]] = inttoptr i64 %[[PART]] to ptr
// CHECK: %[[F:.*]] = getelementptr inbounds { i64, i64, i64, ptr, i32, i32 }, ptr %[[R]], i32 0, i32 3
// CHECK: %[[M:.*]] = load ptr, ptr %[[F]]
// CHECK: %[[B:.*]] = call ptr @prof_rt_base(ptr %[[M]])
// CHECK: %[[SLOTS:.*]] = load i64, ptr
// CHECK: %[[S:.*]] = getelementptr inbounds i64, ptr %[[B]], i64 %[[SLOTS]]
// CHECK: %[[CELLS:.*]] = load i64, ptr
// CHECK: %[[C:.*]] = getelementptr inbounds i64, ptr %[[B]], i64 %[[CELLS]]
// The outermost probe hands its time on to the host side's, whatever that has.
// CHECK: getelementptr inbounds i64, ptr %[[B]], i32 -1
// CHECK: call i64 @llvm.readcyclecounter()
// The value's cell is the part's first one, its table as well.
// CHECK: getelementptr inbounds i64, ptr %[[C]], i32 {{[012]}}
// CHECK: %[[T0:.*]] = load i32, ptr
// CHECK: %[[TABLE:.*]] = add i32 %[[T0]], 0
// CHECK: call void @prof_rt_value(ptr %{{.*}}, i32 %[[TABLE]], i32 1, ptr
// The loop's probe is the part's second: words 4 to 7.
// CHECK: getelementptr inbounds i64, ptr %[[S]], i32 4
// CHECK: getelementptr inbounds i64, ptr %[[S]], i32 5
// CHECK: %[[P0:.*]] = load i32, ptr
// CHECK: %[[PROBE:.*]] = add i32 %[[P0]], 1
// CHECK: call void @prof_rt_instance(ptr %{{.*}}, i32 %[[PROBE]], i64
// CALL-LABEL: define void @kernel(
// CALL: %[[ID:.*]] = add i32 %{{.*}}, 0
// CALL: %[[M:.*]] = load ptr, ptr
// CALL: call void @__prof_rt_probe(i32 %[[ID]], ptr %[[M]])
// CALL: add i32 %{{.*}}, 1
// CALL-LABEL: define internal void @__prof_rt_probe(
// CALL-SAME: i32 %[[OWN:.*]], ptr %[[GIVEN:.*]])
// CALL: call void @prof_rt_handler(ptr %[[GIVEN]], i32 %[[OWN]], ptr
func.func @kernel(%m: memref<8xf32>, %n: index, %part: i64 {prof.part}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %m[%i] : memref<8xf32>
  }
  return
}

//--- host.mlir
// Two probes of the host side (function and call), then those of the three
// dispatches of two kernels: 2, 1, and 2 probes, and a table of two values for
// the second dispatch. The model's program lists 2 + 2 + 1 probes. Seven slots
// of four words, then a cell of five, then seven numbers.
// CHECK: @__prof_rt_parts = internal global [3 x { i64, i64, i64, ptr, i32, i32 }]
// CHECK-SAME: { i64 8, i64 28, i64 35, ptr @__prof_rt_module, i32 2, i32 0 }
// CHECK-SAME: { i64 16, i64 28, i64 37, ptr @__prof_rt_module, i32 4, i32 0 }
// CHECK-SAME: { i64 20, i64 33, i64 38, ptr @__prof_rt_module, i32 5, i32 1 }
// CHECK: @__prof_rt_module = internal global
// CHECK-SAME: { i32 3, i32 7, ptr
// CHECK-SAME: i32 1, i32 0, ptr @__prof_rt_parents, ptr @__prof_rt_lengths, ptr @__prof_rt_metadata, i64 0, ptr @main, ptr @__prof_rt_probe_places, ptr @__prof_rt_table_places, i32 5, i32 1 }
// A place is the number in the model's program, and the dispatch plus 1 in the
// upper half.
// CHECK: @__prof_rt_table_places = internal constant [1 x i64] [i64 8589934592]
// CHECK: @__prof_rt_probe_places = internal constant [7 x i64] [i64 0, i64 1, i64 4294967298, i64 4294967299, i64 8589934596, i64 12884901890, i64 12884901891]
// CHECK: @__prof_rt_lengths = internal constant [1 x i32] [i32 2]
// CHECK: @__prof_rt_parents = internal constant [7 x i32] [i32 -1, i32 0, i32 -1, i32 2, i32 -1, i32 -1, i32 5]
// CHECK: @__prof_rt_discard = internal global [48 x i64]
// CHECK-LABEL: define i64 @main(
// CHECK: getelementptr inbounds i64, ptr %{{.*}}, i32 -1
// CHECK: @__prof_rt_parts
// DROP-NOT: = prof.part
// DROP: llvm.mlir.constant(0 : i64)
module attributes {prof.parts = {
    kernels = [{parents = array<i32: -1, 0>, lengths = array<i32>},
               {parents = array<i32: -1>, lengths = array<i32: 2>}],
    dispatches = array<i32: 0, 1, 0>}} {
  func.func private @callee()
  func.func @main() -> i64 {
    %0 = prof.part 2
    call @callee() : () -> ()
    return %0 : i64
  }
}

//--- unlisted.mlir
// CHECK: error: 'prof.part' op is of a dispatch that 'prof.parts' on the module does not list
func.func @main() -> i64 {
  %0 = prof.part 0
  return %0 : i64
}

//--- parent.mlir
// CHECK: error: 'prof.parts': the parent of a probe does not precede it
module attributes {prof.parts = {
    kernels = [{parents = array<i32: 0>, lengths = array<i32>}],
    dispatches = array<i32: 0>}} {
  func.func @main() -> i64 {
    %0 = prof.part 0
    return %0 : i64
  }
}

//--- length.mlir
// CHECK: error: 'prof.parts': a table has tuples of a length that is out of range
module attributes {prof.parts = {
    kernels = [{parents = array<i32>, lengths = array<i32: -1>}],
    dispatches = array<i32: 0>}} {
  func.func @main() -> i64 {
    %0 = prof.part 0
    return %0 : i64
  }
}

//--- missing.mlir
// CHECK: error: 'prof.parts': a dispatch runs a kernel that is not listed
module attributes {prof.parts = {kernels = [], dispatches = array<i32: 0>}} {
  func.func @main() -> i64 {
    %0 = prof.part 0
    return %0 : i64
  }
}

//--- mixed.mlir
// CHECK: error: 'prof.begin' op is in a function that lacks the argument with 'prof.part', which another function has
func.func @kernel(%part: i64 {prof.part}) {
  return
}
func.func @other() {
  return
}
