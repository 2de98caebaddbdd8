// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lines)' %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: prof-lines: the module does not have identities
// NONE: note: hint: run prof-identify first, and keep the module's attributes and locations on the way

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-lines)' %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: lines-errors.mlir:[[#@LINE+9]]:1: error: 'func.func' is not of the LLVM dialect
// LEVEL: note: hint: debug lines are set at the end of a pipeline, after convert-to-llvm and reconcile-unrealized-casts

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,convert-func-to-llvm,prof-lines)' %s 2>&1 | FileCheck %s --check-prefix=OP
// OP: error: 'math.tanh' is not of the LLVM dialect

// RUN: echo 'module attributes {prof.program = {}} {}' > %t.bad.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lines)' %t.bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: 'prof.program' is malformed: its version, strings or levels are missing
func.func @f(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}
