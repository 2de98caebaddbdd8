// RUN: %mlir-prof-opt %s --cpu-lift-loops | FileCheck %s

// A loop between blocks becomes structured.
// CHECK-LABEL: func.func @count
// CHECK-NOT: cf.
// CHECK: scf.while
// CHECK: arith.addi
// CHECK: scf.condition
// CHECK: return
func.func @count(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %less = arith.cmpi slt, %i, %n : index
  cf.cond_br %less, ^body, ^end
^body:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return %i : index
}

// Without a loop nothing changes.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT: cf.cond_br
func.func @branch(%c: i1, %a: f32, %b: f32) -> f32 {
  cf.cond_br %c, ^end(%a : f32), ^end(%b : f32)
^end(%r: f32):
  return %r : f32
}

// A branch that does not end has a value all the same, which is used once its loop is
// removed: not poison, for which LLVM would remove what is checked.

// CHECK-LABEL: func.func @endless
// CHECK-NOT: ub.poison
// CHECK: scf.while
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: scf.yield %[[ZERO]] : i64
func.func @endless(%x: i64, %c: i1) -> i64 {
  cf.cond_br %c, ^good, ^loop
^loop:
  cf.br ^loop
^good:
  return %x : i64
}
