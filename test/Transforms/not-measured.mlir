// What prof-instrument and prof-record-values leave out is said, once for each
// function.

// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all})' %s -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values)' %s -o %t.values.mlir 2>&1 | FileCheck %s --check-prefix=VALUES --implicit-check-not=remark:
// RUN: FileCheck %s --check-prefix=BRANCH --input-file=%t.values.mlir

// CHECK: remark: prof-instrument: not probed: 1 functions of other dialects than func, 1 functions in nested modules
// CHECK: note: the first of functions of other dialects than func
// CHECK: note: the first of functions in nested modules
// CHECK: remark: prof-instrument: not probed: 2 loops of branches, 1 ends of functions that do not return
// CHECK: note: the first of loops of branches
// CHECK: remark: prof-instrument: not probed: 1 loops of branches

// VALUES: remark: prof-record-values: not recorded: 1 functions of other dialects than func, 1 functions in nested modules
// VALUES: remark: prof-record-values: not recorded: 1 branches in innermost loops, 2 loops of branches whose trip count is unknown in advance
// VALUES: remark: prof-record-values: not recorded: 1 branches in innermost loops, 1 loops of branches whose trip count is unknown in advance
// VALUES: remark: prof-record-values: not recorded: 2 structured ops of dynamic shapes, 1 branches of other kinds

llvm.func @lowered() {
  llvm.return
}
module @nested {
  func.func @in_module() {
    return
  }
}
// Two loops, one within the other.
// BRANCH-LABEL: func.func @blocks
// BRANCH: prof.value
// BRANCH: cf.cond_br
func.func @blocks(%c: i1, %d: i1) {
  cf.br ^outer
^outer:
  cf.br ^inner
^inner:
  cf.cond_br %c, ^inner, ^latch
^latch:
  cf.cond_br %d, ^outer, ^end
^end:
  llvm.unreachable
}
// Blocks of an op within the function.
// BRANCH-LABEL: func.func @region
// BRANCH: scf.execute_region
// BRANCH: prof.value
// BRANCH-NEXT: cf.cond_br
func.func @region(%c: i1, %d: i1) {
  scf.execute_region {
    cf.cond_br %d, ^loop, ^end
  ^loop:
    cf.cond_br %c, ^loop, ^end
  ^end:
    scf.yield
  }
  return
}
func.func @others(%a: memref<?x?xf32>, %n: index) {
  linalg.exp ins(%a : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) {
    linalg.exp ins(%a : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  }
  return
}
