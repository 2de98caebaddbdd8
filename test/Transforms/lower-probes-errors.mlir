// What prof-lower-probes refuses.

// RUN: split-file %s %t
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/unlisted.mlir 2>&1 | FileCheck %s --check-prefix=UNLISTED
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes)' %t/site.mlir 2>&1 | FileCheck %s --check-prefix=SITE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all},prof-lower-probes{instances=1})' %t/loop.mlir 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes{probe=maybe})' %t/loop.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// Without instances no branch is needed; what is dropped needs no program.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=all},prof-lower-probes)' %t/loop.mlir -o /dev/null
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-lower-probes{probe=drop})' %t/unlisted.mlir 2>&1 | FileCheck %s --check-prefix=DROP
// Names of the runtime are taken, whatever has them.
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,convert-to-llvm,prof-lower-probes)' %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,convert-to-llvm,prof-lower-probes)' %t/global.mlir 2>&1 | FileCheck %s --check-prefix=GLOBAL
// Probes that nothing lowers stop the translation.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(convert-to-llvm)' %t/unlisted.mlir -o %t/left.mlir
// RUN: not mlir-translate --mlir-to-llvmir %t/left.mlir 2>&1 | FileCheck %s --check-prefix=LEFT

// UNLISTED: error: 'prof.begin' op is of a probe that the module's program does not list
// UNLISTED: note: hint: 'prof.program' on the module has to stay until prof-lower-probes
// SITE: error: 'prof.value' op is of a site that the module's program does not list
// BRANCH: error: 'prof.end' op needs code that branches, which 'scf.for' does not allow
// BRANCH: note: hint: run prof-lower-probes after convert-scf-to-cf
// OPTION: Cannot find option named 'maybe'
// DROP: warning: prof-lower-probes: dropped 1 probes and 0 recorded values
// DROP-NOT: prof.
// NAME: name.mlir:1:1: error: prof-lower-probes: 'prof_rt_base' is the name of a function of the runtime, of type '!llvm.func<ptr (ptr)>'
// NAME: note: hint: give this one another name
// GLOBAL: global.mlir:1:1: error: prof-lower-probes: 'prof_rt_ticks' is the name
// LEFT: error: {{.*}}prof

//--- name.mlir
func.func private @prof_rt_base(i32) -> i32
func.func @main() {
  return
}

//--- global.mlir
llvm.mlir.global external @prof_rt_ticks(0 : i64) : i64
func.func @main() {
  return
}

//--- unlisted.mlir
func.func @main() {
  %0 = prof.begin 0
  prof.end 0, %0
  return
}

//--- site.mlir
func.func @main(%v: i64) {
  prof.value 3(%v) : i64
  return
}

//--- loop.mlir
func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
    }
  }
  return
}
