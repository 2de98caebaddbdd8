// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track)' %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: prof-track: no pipeline is given
// NONE: note: hint: name the passes to run: prof-track{pipeline="PASSES"}

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-track{pipeline="cse"})' %s 2>&1 | FileCheck %s --check-prefix=IDENTIFY
// IDENTIFY: error: prof-track: the module does not have identities
// IDENTIFY: note: hint: run prof-identify before prof-track

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="cse,canonicalise"})' %s 2>&1 | FileCheck %s --check-prefix=TYPO
// TYPO: error: prof-track: the pipeline is invalid: {{.*}}'canonicalise' does not refer to a registered pass or pass pipeline
// TYPO: note: hint: mlir-opt --help lists the passes and their options

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="func.func(cse"})' %s 2>&1 | FileCheck %s --check-prefix=PAREN
// PAREN: error: prof-track: the pipeline is invalid:

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="canonicalize{no-such=1}"})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: prof-track: the pipeline is invalid: {{.*}}no such option no-such

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="cse" audit-file=%t/no/such/dir})' %s 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: prof-track: the audit was not written: {{.*}}no/such/dir: cannot be written: No such file or directory
// FILE: note: hint: give audit-file a path that can be written

// A typo further on is found before anything runs.
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="convert-to-llvm,test-no,cse"})' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: 'test-no' does not refer to a registered pass

// RUN: echo 'module attributes {prof.program = {version = 2 : i32, strings = [""], levels = []}} {}' > %t.bad.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-track{pipeline="cse"})' %t.bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: 'prof.program' is malformed: its version is unknown
func.func @f(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
