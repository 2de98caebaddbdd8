// Probes of parallel loops: wall time around them, work of each thread inside.

// RUN: split-file %s %t
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=SCF
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-scf-to-openmp,canonicalize,prof-instrument)' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=OMP
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-scf-to-openmp,canonicalize,prof-instrument{scope=height:2})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=NONE
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false})' %t/team.mlir 2>&1 | FileCheck %t/team.mlir
// A loop of two dimensions has a level for each, and is an innermost one still.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false scope=height:1})' %t/plane.mlir | FileCheck %t/plane.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-scf-to-openmp,canonicalize,prof-instrument{functions=false scope=height:1})' %t/plane.mlir | FileCheck %t/plane.mlir --check-prefix=OMP
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false scope=height:2})' %t/plane.mlir | FileCheck %t/plane.mlir --check-prefix=NONE
// Probes placed before the loop becomes OpenMP's are no obstacle to it, nor to
// lowering either to LLVM IR.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,scf-forall-to-parallel,convert-scf-to-openmp,canonicalize,convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts,prof-lower-probes)' %t/loops.mlir -o %t/early.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/early.mlir | FileCheck %t/loops.mlir --check-prefixes=IR,EARLY
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(scf-forall-to-parallel,convert-scf-to-openmp,canonicalize,prof-instrument,convert-scf-to-cf,expand-strided-metadata,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts,prof-lower-probes{instances=2})' %t/loops.mlir -o %t/late.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/late.mlir | FileCheck %t/loops.mlir --check-prefixes=IR,LATE

//--- loops.mlir
// SCF-LABEL: func.func @nested
// SCF: prof.begin 0
// SCF-NEXT: scf.parallel
// SCF-NEXT: prof.begin 1
// SCF: scf.for
// SCF: prof.end 1
// SCF-NEXT: scf.reduce
// SCF: prof.end 0
// An innermost loop stays as it is.
// SCF-LABEL: func.func @innermost
// SCF: prof.begin 2
// SCF-NEXT: scf.parallel
// SCF-NEXT: memref.store
// SCF-NEXT: scf.reduce
// SCF: prof.end 2
// SCF-LABEL: func.func @forall
// SCF: prof.begin 3
// SCF-NEXT: scf.forall
// SCF-NEXT: prof.begin 4
// SCF: memref.store
// SCF: prof.end 4
// SCF-NEXT: }
// SCF-NEXT: prof.end 3

// OMP-LABEL: func.func @nested
// OMP: prof.begin 0
// OMP: prof.begin 1
// OMP-NEXT: omp.parallel
// OMP-NEXT: %[[W:.*]] = prof.begin 2
// The team waits at the end of the region, not within the work.
// OMP-NEXT: omp.wsloop nowait
// OMP-NEXT: omp.loop_nest
// OMP-NOT: prof.
// OMP: prof.end 2, %[[W]]
// OMP-NEXT: omp.terminator
// OMP-NEXT: }
// OMP-NEXT: prof.end 1
// OMP-NEXT: prof.end 0
// OMP-LABEL: func.func @innermost
// OMP: prof.begin 3
// OMP: prof.begin 4
// OMP-NEXT: omp.parallel
// OMP-NEXT: prof.begin 5

// Nothing is two loops deep; functions have probes.
// NONE: prof.begin 0
// NONE-NOT: prof.begin {{[3-9]}}
// NONE-NOT: nowait

// Each thread of a team fetches its own block.
// EARLY: @__prof_rt_parents = internal constant [8 x i32] [i32 -1, i32 0, i32 1, i32 -1, i32 3, i32 -1, i32 5, i32 6]
// LATE: @__prof_rt_parents = internal constant [9 x i32] [i32 -1, i32 0, i32 1, i32 -1, i32 3, i32 4, i32 -1, i32 6, i32 7]
// IR: define void @nested
// IR: call ptr @prof_rt_base(ptr @__prof_rt_module)
// IR: call void {{.*}}@__kmpc_fork_call
// IR: define internal void @nested..omp_par
// IR: call ptr @prof_rt_base(ptr @__prof_rt_module)
// IR: call i64 @llvm.readcyclecounter()
func.func @nested(%a: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.for %j = %c0 to %c64 step %c1 {
      memref.store %f, %a[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
func.func @innermost(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %f, %a[%i] : memref<64xf32>
  }
  return
}
func.func @forall(%a: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    scf.forall (%j) in (8) {
      memref.store %f, %a[%j] : memref<64xf32>
    }
  }
  return
}

//--- team.mlir
// CHECK: remark: prof-instrument: the work of this loop includes waiting for the other threads
// CHECK-LABEL: func.func @two
// CHECK: omp.parallel
// CHECK-NEXT: prof.begin 1
// CHECK-NEXT: omp.wsloop nowait
// CHECK: prof.end 1
// The second loop needs what the first has done.
// CHECK-NEXT: omp.barrier
// CHECK-NEXT: prof.begin 2
// CHECK-NEXT: omp.wsloop nowait
// CHECK: prof.end 2
// CHECK-NEXT: omp.terminator
func.func @two(%a: memref<64xf32>, %lb: index, %ub: index, %step: index, %f: f32) {
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) {
        memref.store %f, %a[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) {
        memref.store %f, %a[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
// A loop that its threads have not to wait after keeps that; one without a loop
// to share is work as a whole.
// CHECK-LABEL: func.func @others
// CHECK: prof.begin 4
// CHECK-NEXT: omp.wsloop nowait
// CHECK: prof.end 4
// CHECK-NEXT: omp.terminator
// CHECK: omp.parallel
// CHECK-NEXT: prof.begin 6
// CHECK-NEXT: memref.store
// CHECK-NEXT: prof.end 6
// CHECK-NEXT: omp.terminator
func.func @others(%a: memref<64xf32>, %lb: index, %ub: index, %step: index, %f: f32) {
  omp.parallel {
    omp.wsloop nowait {
      omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) {
        memref.store %f, %a[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  omp.parallel {
    memref.store %f, %a[%lb] : memref<64xf32>
    omp.terminator
  }
  return
}
// The barrier finishes the reduction.
// CHECK-LABEL: func.func @reduction
// CHECK: omp.wsloop reduction
omp.declare_reduction @add : f32
init {
^bb0(%arg: f32):
  %0 = arith.constant 0.0 : f32
  omp.yield (%0 : f32)
}
combiner {
^bb1(%arg0: f32, %arg1: f32):
  %1 = arith.addf %arg0, %arg1 : f32
  omp.yield (%1 : f32)
}
func.func @reduction(%p: !llvm.ptr, %lb: index, %ub: index, %step: index, %f: f32) {
  omp.parallel {
    omp.wsloop reduction(@add %p -> %x : !llvm.ptr) {
      omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

//--- plane.mlir
// CHECK: height = array<i32: 1>
// CHECK: prof.begin 0
// CHECK-NEXT: scf.parallel
// CHECK-NOT: prof.begin
// OMP: height = array<i32: 2, 1>
// OMP: prof.begin 0
// OMP: omp.parallel
// OMP: prof.begin 1
// OMP: omp.wsloop
// NONE-NOT: prof.begin
func.func @plane(%m: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    memref.store %z, %m[%i, %j] : memref<8x8xf32>
    scf.reduce
  }
  return
}
