// What prof-instrument and prof-record-values refuse.

// RUN: split-file %s %t
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=loops})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=depth:})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=depth:x})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=height:-1})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scope=height:99999999999})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,prof-instrument{scope=all})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument{scop=op})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values,prof-record-values)' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=VALUES
// The program knows, also when the probes are code already or values were
// recorded by another pass.
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,prof-lower-probes,prof-instrument)' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=LISTED
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values,prof-instrument{values=true})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=RECORDED
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-record-values,prof-instrument)' %t/plain.mlir -o /dev/null
// A module without functions is none to complain about.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-instrument,prof-record-values,prof-lower-probes)' %t/empty.mlir

// An op whose identity a pass has lost is counted, and one with two.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,strip-debuginfo,prof-instrument)' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=LOST

// SCOPE: error: prof-instrument: unknown scope '{{.*}}'
// SCOPE: note: hint: op, siblings, depth:N, height:N or all
// TWICE: error: prof-instrument: the module already has probes
// TWICE: note: hint: instrument a module once, with one scope
// LISTED: error: prof-instrument: the module's program lists probes already
// LISTED: note: hint: instrument a module once, with one scope
// RECORDED: error: prof-instrument: the module's program lists recorded values already
// RECORDED: note: hint: leave out values, or the pass prof-record-values
// OPTION: no such option scop
// VALUES: error: prof-record-values: values are recorded already
// VALUES: note: hint: run prof-record-values once
// LOST: remark: prof-instrument: of 2 probed ops 1 do not have an identity, 0 have several, of which the first owns the time

//--- empty.mlir
module {}

//--- plain.mlir
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
