// prof-instrument: what each scope puts probes around, and their numbers.

// RUN: split-file %s %t
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument)' %t/linalg.mlir | FileCheck %t/linalg.mlir --check-prefix=OP
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false})' %t/linalg.mlir | FileCheck %t/linalg.mlir --check-prefix=NOFUNC
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=siblings functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=SIBLINGS
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=depth:0 functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=DEPTH0
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=depth:1 functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=DEPTH1
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=height:1 functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=HEIGHT1
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=height:0 functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=ALL
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all functions=false})' %t/loops.mlir | FileCheck %t/loops.mlir --check-prefix=ALL
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all})' %t/affine.mlir | FileCheck %t/affine.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=height:2 functions=false})' %t/linalg.mlir | FileCheck %t/linalg.mlir --check-prefix=STRUCTURED
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{functions=false})' %t/blocks.mlir | FileCheck %t/blocks.mlir
// Stable: the same module gives the same numbers; an instrumented one survives
// a round trip.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all})' %t/loops.mlir > %t/once
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all})' %t/loops.mlir > %t/again
// RUN: cmp %t/once %t/again
// RUN: %mlirprof_opt %t/once | cmp - %t/once

//--- linalg.mlir
// OP-LABEL: func.func @main
// OP-NEXT: %[[F:.*]] = prof.begin 0 calls
// OP-NEXT: %[[M:.*]] = prof.begin 1{{$}}
// OP-NEXT: linalg.matmul
// OP-NEXT: prof.end 1, %[[M]]
// OP: prof.begin 2 calls
// OP-NEXT: call @helper
// OP-NEXT: prof.end 2
// OP: cf.cond_br
// OP: prof.begin 3{{$}}
// OP-NEXT: memref.copy
// OP-NEXT: prof.end 3
// Each return ends the function's probe.
// OP-NEXT: prof.end 0, %[[F]]
// OP-NEXT: return
// OP: prof.end 0, %[[F]]
// OP-NEXT: return
// OP-LABEL: func.func private @helper
// OP-NEXT: prof.begin 4{{$}}
// OP-NEXT: prof.begin 5
// OP-NEXT: linalg.exp
// OP: prof.end 4
// NOFUNC-LABEL: func.func @main
// NOFUNC-NEXT: prof.begin 0{{$}}
// NOFUNC-NEXT: linalg.matmul
// NOFUNC: prof.begin 1 calls
// NOFUNC: prof.begin 2
// NOFUNC-NEXT: memref.copy
// NOFUNC-LABEL: func.func private @helper
// NOFUNC-NEXT: prof.begin 3
// A structured op is the loops that it will become: matmul has three, exp two.
// STRUCTURED: prof.begin 0
// STRUCTURED-NEXT: linalg.matmul
// STRUCTURED-NEXT: prof.end 0
// STRUCTURED-NOT: prof.begin
func.func @main(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>, %flag: i1) {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  call @helper(%c, %a) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  cf.cond_br %flag, ^copy, ^done
^copy:
  memref.copy %c, %b : memref<8x8xf32> to memref<8x8xf32>
  return
^done:
  return
}
func.func private @helper(%c: memref<8x8xf32>, %d: memref<8x8xf32>) {
  linalg.exp ins(%c : memref<8x8xf32>) outs(%d : memref<8x8xf32>)
  return
}
func.func private @external(memref<8x8xf32>)

//--- loops.mlir
// The loops: a { b { c }  d }  e, where a calls nothing else.
// SIBLINGS: prof.begin 0
// SIBLINGS-NEXT: scf.for
// SIBLINGS-NEXT: prof.begin 1
// SIBLINGS-NEXT: scf.for
// SIBLINGS-NEXT: scf.for
// SIBLINGS: prof.end 1
// SIBLINGS-NEXT: scf.for
// SIBLINGS: prof.end 0
// SIBLINGS-NEXT: prof.begin 2
// SIBLINGS-NEXT: scf.for
// SIBLINGS: prof.end 2
// DEPTH0: prof.begin 0
// DEPTH0-NEXT: scf.for
// DEPTH0-NEXT: scf.for
// DEPTH0-NEXT: scf.for
// DEPTH0: prof.end 0
// DEPTH0-NEXT: prof.begin 1
// DEPTH0-NEXT: scf.for
// DEPTH0-NOT: prof.begin
// DEPTH1: prof.begin 0
// DEPTH1-NEXT: scf.for
// DEPTH1-NEXT: prof.begin 1
// DEPTH1-NEXT: scf.for
// DEPTH1-NEXT: scf.for
// DEPTH1: prof.end 1
// DEPTH1-NEXT: prof.begin 2
// DEPTH1-NEXT: scf.for
// DEPTH1: prof.end 2
// DEPTH1: prof.end 0
// DEPTH1-NEXT: prof.begin 3
// HEIGHT1: prof.begin 0
// HEIGHT1-NEXT: scf.for
// HEIGHT1-NEXT: prof.begin 1
// HEIGHT1-NEXT: scf.for
// HEIGHT1-NEXT: scf.for
// HEIGHT1: prof.end 1
// HEIGHT1-NEXT: scf.for
// HEIGHT1: prof.end 0
// HEIGHT1-NOT: prof.begin
// ALL: prof.begin 0
// ALL-NEXT: scf.for
// ALL-NEXT: prof.begin 1
// ALL-NEXT: scf.for
// ALL-NEXT: prof.begin 2
// ALL-NEXT: scf.for
// ALL: prof.end 2
// ALL: prof.end 1
// ALL-NEXT: prof.begin 3
// ALL-NEXT: scf.for
// ALL: prof.end 3
// ALL: prof.end 0
// ALL-NEXT: prof.begin 4
// ALL-NEXT: scf.for
func.func @main(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  scf.for %a = %c0 to %c8 step %c1 {
    scf.for %b = %c0 to %c8 step %c1 {
      scf.for %c = %c0 to %c8 step %c1 {
        memref.store %f, %m[%c] : memref<8xf32>
      }
    }
    scf.for %d = %c0 to %c8 step %c1 {
      memref.store %f, %m[%d] : memref<8xf32>
    }
  }
  scf.for %e = %c0 to %c8 step %c1 {
    memref.store %f, %m[%e] : memref<8xf32>
  }
  return
}

//--- affine.mlir
// CHECK: prof.begin 0
// CHECK: prof.begin 1
// CHECK-NEXT: affine.for
// CHECK-NEXT: prof.begin 2
// CHECK-NEXT: scf.while
// CHECK: prof.end 2
// CHECK: prof.end 1
func.func @main(%m: memref<8xf32>, %go: i1) {
  affine.for %i = 0 to 8 {
    scf.while : () -> () {
      scf.condition(%go)
    } do {
      scf.yield
    }
  }
  return
}

//--- blocks.mlir
// Probes of ops go into a loop that computes them block by block.
// CHECK-LABEL: func.func @blocks
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: prof.begin 0
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: prof.end 0
// CHECK-NEXT: prof.begin 1
// CHECK-NEXT: linalg.tanh
// CHECK-NEXT: prof.end 1
func.func @blocks(%a: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      linalg.exp ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
      linalg.tanh ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
    } {mlirprof.blocks}
  } {mlirprof.blocks}
  return
}
