// prof-record-values: dimensions, arguments, trip counts and branches, and what
// is not recorded.

// RUN: split-file %s %t
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values)' %t/in.mlir 2>&1 | FileCheck %t/in.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values{everywhere=true})' %t/in.mlir 2>&1 | FileCheck %t/in.mlir --check-prefix=ALL
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{values=true})' %t/in.mlir 2>&1 | FileCheck %t/in.mlir --check-prefix=BOTH
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values)' %t/cf.mlir 2>&1 | FileCheck %t/cf.mlir
// Down to LLVM IR.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values,lower-affine,convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts,prof-lower-probes)' %t/in.mlir -o %t/llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/llvm.mlir | FileCheck %t/in.mlir --check-prefix=IR

//--- in.mlir
// CHECK: remark: prof-record-values: not recorded: 1 innermost loops whose bounds change in a loop, 1 branches in innermost loops, 1 loops whose trip count is unknown in advance
// CHECK: note: the first of innermost loops whose bounds change in a loop
// ALL: remark: prof-record-values: not recorded: 1 loops whose trip count is unknown in advance
// ALL-NOT: innermost loops

// IR-DAG: @__prof_rt_lengths = internal constant [4 x i32] [i32 2, i32 2, i32 1, i32 1]

// CHECK-LABEL: func.func @main(%arg0
// CHECK-DAG: %[[D0:.*]] = memref.dim %{{.*}}, %c0{{[_0-9]*}} : memref<?x4xf32>
// CHECK-DAG: %[[I0:.*]] = arith.index_cast %[[D0]] : index to i64
// CHECK-DAG: %[[D1:.*]] = memref.dim %{{.*}}, %c1{{[_0-9]*}} : memref<8x?xf32>
// CHECK-DAG: %[[I1:.*]] = arith.index_cast %[[D1]] : index to i64
// CHECK: prof.value 0(%[[I0]], %[[I1]]) : i64, i64
// CHECK: %[[N:.*]] = arith.index_cast %arg2 : index to i64
// CHECK: %[[FLAG:.*]] = arith.extui %arg3 : i1 to i64
// CHECK: prof.value 1(%[[N]], %[[FLAG]]) : i64, i64
// BOTH: prof.begin 0
// BOTH: prof.value 0(
// IR-LABEL: define void @main
// IR: %[[B:.*]] = call ptr @prof_rt_base(ptr @__prof_rt_module)
// No probes: the cell of site 0 is words 0 to 4, its tuple is handed over in 3.
// IR: %[[T0:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 3
// IR-NEXT: store i64 %{{.*}}, ptr %[[T0]]
// IR: call void @prof_rt_value(ptr @__prof_rt_module, i32 0, i32 2, ptr
func.func @main(%a: memref<?x4xf32>, %b: memref<8x?xf32>, %n: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  // The bounds of the inner loop do not change in the outer one. A step of 2:
  // rounded up, and none when the bounds are the wrong way around.
  // CHECK: arith.index_cast %{{.*}} : index to i64
  // CHECK: %[[LARGER:.*]] = arith.maxsi
  // CHECK: %[[COUNT:.*]] = arith.divui
  // CHECK-NEXT: prof.value 2(%[[COUNT]]) : i64
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // BOTH: prof.value 2(
  // BOTH-NEXT: prof.begin 1{{$}}
  // BOTH-NEXT: scf.for
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %n step %c2 {
      memref.store %f, %a[%j, %c0] : memref<?x4xf32>
    }
  }
  // Not an innermost loop, but one in a loop: counted by code in it.
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: prof.value 3(%{{.*}}) hot : i64
  // CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[I]]
  // CHECK-NOT: prof.value
  // ALL: prof.value 3(%{{.*}}) hot : i64
  // ALL: prof.value 4(%{{.*}}) hot : i64
  // ALL: arith.extui
  // ALL-NEXT: prof.value 5(%{{.*}}) hot : i64
  // ALL-NEXT: scf.if
  // The cell of site 2 is words 10 to 12, that of site 3 words 13 to 15: when the
  // tuple is the last one, its count goes up.
  // IR: %[[L0:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 14
  // IR-NEXT: %[[L:.*]] = load i64, ptr %[[L0]]
  // IR-NEXT: %[[NE:.*]] = icmp ne i64 %[[L]],
  // IR-NEXT: %[[EQ:.*]] = xor i1 %[[NE]], true
  // IR-NEXT: %[[ONE:.*]] = zext i1 %[[EQ]] to i64
  // IR-NEXT: %[[C0:.*]] = getelementptr inbounds i64, ptr %[[B]], i32 13
  // IR-NEXT: %[[C:.*]] = load i64, ptr %[[C0]]
  // IR-NEXT: add i64 %[[C]], %[[ONE]]
  // IR: br i1 %[[NE]], label %[[ASIDE:.*]], label %[[ON:.*]], !prof
  // IR: call void @prof_rt_value_changed(ptr @__prof_rt_module, i32 3, ptr
  // IR-NEXT: br label %[[ON]]
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      scf.for %k = %c0 to %j step %c1 {
        scf.if %flag {
          memref.store %f, %b[%k, %c0] : memref<8x?xf32>
        }
      }
    }
  }
  scf.while : () -> () {
    scf.condition(%flag)
  } do {
    scf.yield
  }
  return
}

//--- cf.mlir
// CHECK: remark: prof-record-values: not recorded: 1 branches in innermost loops
// CHECK-LABEL: func.func private @branches(%arg0
// CHECK: %[[V:.*]] = arith.extui %{{.*}} : i1 to i64
// CHECK-NEXT: prof.value 0(%[[V]]) : i64
// CHECK-NEXT: cf.cond_br
// CHECK-NOT: prof.value
func.func private @branches(%a: i1, %b: i1) {
  cf.cond_br %a, ^loop, ^exit
^loop:
  cf.cond_br %b, ^loop, ^exit
^exit:
  return
}
// CHECK-LABEL: func.func @trips(%arg0
// Bounds of other types and kinds: unsigned, affine, two dimensions.
// CHECK: prof.value 1(%{{.*}}, %{{.*}}, %{{.*}}) : i64, i64, i64
// CHECK: arith.extui
// CHECK: prof.value 2
// CHECK: affine.max
// CHECK: affine.min
// CHECK: prof.value 3(%{{.*}}) : i64
// CHECK: prof.value 4(%{{.*}}, %{{.*}}) : i64, i64
func.func @trips(%n: i32, %i: index, %j: index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  scf.for unsigned %k = %c0 to %n step %c1 : i32 {
  }
  affine.for %k = max affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0) -> (d0, 100)>(%j) step 3 {
  }
  scf.parallel (%x, %y) = (%z, %z) to (%i, %j) step (%o, %o) {
  }
  return
}
// The only element of a buffer is read; a float is not recorded, nor what has
// several elements or a sign.
// CHECK-LABEL: func.func @arguments(%arg0
// CHECK: %[[A:.*]] = memref.load %arg0[] : memref<i32>
// CHECK: %[[WA:.*]] = arith.extsi %[[A]] : i32 to i64
// CHECK: %[[B:.*]] = memref.load %arg1[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] : memref<1x1xi1>
// CHECK: %[[WB:.*]] = arith.extui %[[B]] : i1 to i64
// CHECK: prof.value {{[0-9]+}}(%[[WA]], %[[WB]], %arg2) : i64, i64, i64
// CHECK-NOT: prof.value
// CHECK: return
func.func @arguments(%a: memref<i32>, %b: memref<1x1xi1>, %c: i64, %d: f32, %e: memref<2xi32>, %f: memref<ui8>, %g: memref<f32>) {
  return
}
