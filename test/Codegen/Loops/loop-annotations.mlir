// RUN: %mlir-prof-opt %s --cpu-loop-annotations | FileCheck %s

// The attribute that lowerings hand on becomes the branch's own.
#unroll = #llvm.loop_unroll<disable = true>
#hints = #llvm.loop_annotation<unroll = #unroll>
// CHECK: #[[HINTS:.*]] = #llvm.loop_annotation<
// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.cond_br %arg0, ^bb1, ^bb2 {loop_annotation = #[[HINTS]]}
// CHECK: llvm.br ^bb1 {loop_annotation = #[[HINTS]]}
// CHECK-NOT: llvm.loop_annotation =
llvm.func @loop(%c: i1, %d: i1) {
  "llvm.cond_br"(%c)[^head, ^latch] <{operandSegmentSizes = array<i32: 1, 0, 0>}> {llvm.loop_annotation = #hints} : (i1) -> ()
^head:
  llvm.cond_br %d, ^latch, ^end
^latch:
  "llvm.br"()[^head] {llvm.loop_annotation = #hints} : () -> ()
^end:
  llvm.return
}
