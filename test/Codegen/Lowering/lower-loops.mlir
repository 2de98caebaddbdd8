// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-lower-loops)' | FileCheck %s
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,canonicalize)' -o %t.upstream.mlir
// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-lower-loops,canonicalize)' -o %t.own.mlir
// RUN: diff %t.upstream.mlir %t.own.mlir

// The same as upstream makes: nests, neighbors, results, and loops that become
// other loops first. An annotation goes to the jump back.

// CHECK-NOT: scf.
// CHECK-COUNT-1: llvm.loop_annotation
#annotation = #llvm.loop_annotation<mustProgress = true>
func.func @loops(%x: memref<8x8xf32>, %n: index, %c: i1, %k: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      scf.for %j = %c0 to %i step %c1 {
        memref.store %k, %x[%i, %j] : memref<8x8xf32>
      } {llvm.loop_annotation = #annotation}
    }
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %k) -> f32 {
    %v = memref.load %x[%i, %c0] : memref<8x8xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %sum, %x[%i, %j] : memref<8x8xf32>
  }
  %w = scf.while (%a = %sum) : (f32) -> f32 {
    %l = arith.cmpf olt, %a, %k : f32
    scf.condition(%l) %a : f32
  } do {
  ^bb0(%a: f32):
    %t = arith.addf %a, %a : f32
    scf.yield %t : f32
  }
  %r = scf.index_switch %n -> f32
  case 1 {
    scf.yield %w : f32
  }
  default {
    scf.yield %k : f32
  }
  return %r : f32
}

// Parallel loops around other loops, and in each other.
// CHECK-NOT: scf.
func.func @parallel(%x: memref<8x8xf32>, %n: index, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %k, %x[%i, %j] : memref<8x8xf32>
    }
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      scf.for %l = %c0 to %j step %c1 {
        memref.store %k, %x[%j, %l] : memref<8x8xf32>
      }
    }
  }
  return
}
