// Probes: syntax, bytecode, and what upstream's passes may do with them.

// RUN: %mlirprof_opt %s | %mlirprof_opt | FileCheck %s
// RUN: %mlirprof_opt --emit-bytecode %s | %mlirprof_opt | FileCheck %s
// Neither merged, nor removed, nor moved out of the loop.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(canonicalize,cse,loop-invariant-code-motion,sccp,canonicalize)' %s | FileCheck %s
// As ops that no conversion knows they come through to the LLVM dialect.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-scf-to-cf,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)' %s | FileCheck %s --check-prefix=LLVM
// They do not stop inlining.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(inline)' %s | FileCheck %s --check-prefix=INLINE

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: %[[A:.*]] = prof.begin 0
// CHECK-NEXT: %[[B:.*]] = prof.begin 0
// CHECK-NEXT: prof.end 0, %[[A]]
// CHECK-NEXT: prof.end 0, %[[B]]
// LLVM-LABEL: llvm.func @twice
// LLVM-COUNT-2: prof.begin 0
// LLVM-COUNT-2: prof.end 0
func.func @twice() {
  %0 = prof.begin 0
  %1 = prof.begin 0
  prof.end 0, %0
  prof.end 0, %1
  return
}

// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: %[[T:.*]] = prof.begin 1 calls
// CHECK-NEXT: prof.value 0(%{{.*}}) hot : i64
// CHECK-NEXT: func.call @callee
// CHECK-NEXT: prof.end 1, %[[T]]
// LLVM-LABEL: llvm.func @loop
// LLVM: llvm.cond_br
// LLVM: prof.begin 1 calls
// LLVM-NEXT: prof.value 0(%{{.*}}) hot : i64
// LLVM-NEXT: llvm.call @callee
// LLVM-NEXT: prof.end 1
func.func @loop(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = prof.begin 1 calls
    prof.value 0(%v) hot : i64
    func.call @callee() : () -> ()
    prof.end 1, %0
  }
  return
}

// Ends of different probes are not merged into one block.
// CHECK-LABEL: func.func @branches
// CHECK: prof.end 2
// CHECK: prof.end 3
func.func @branches(%c: i1) {
  %0 = prof.begin 2
  %1 = prof.begin 3
  cf.cond_br %c, ^a, ^b
^a:
  prof.end 2, %0
  cf.br ^c
^b:
  prof.end 3, %1
  cf.br ^c
^c:
  return
}

// CHECK-LABEL: func.func @values
// CHECK: prof.value 2(%{{.*}}, %{{.*}}) : index, i64
func.func @values(%a: index, %b: i64) {
  prof.value 2(%a, %b) : index, i64
  return
}

// CHECK-LABEL: func.func @part
// CHECK: prof.part 3
// LLVM-LABEL: llvm.func @part
// LLVM: prof.part 3
func.func @part() -> i64 {
  %0 = prof.part 3
  return %0 : i64
}

func.func private @callee()

func.func private @inlined(%v: i64) {
  %0 = prof.begin 4
  prof.value 1(%v) : i64
  prof.end 4, %0
  return
}
// INLINE-LABEL: func.func @caller
// INLINE-NEXT: %[[A:.*]] = prof.begin 5 calls
// INLINE-NEXT: %[[B:.*]] = prof.begin 4
// INLINE-NEXT: prof.value 1(%{{.*}}) : i64
// INLINE-NEXT: prof.end 4, %[[B]]
// INLINE-NEXT: prof.end 5, %[[A]]
func.func @caller(%v: i64) {
  %0 = prof.begin 5 calls
  func.call @inlined(%v) : (i64) -> ()
  prof.end 5, %0
  return
}
