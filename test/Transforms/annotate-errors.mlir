// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate)' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-annotate)' %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: prof-annotate: no profile is given
// NONE: note: hint: name a recording or a .mlprof file: prof-annotate{profile=FILE}

// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%t.missing})' %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-annotate{profile=%t.missing})' %s 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}.missing: {{.+}}

// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%s})' %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: {{.*}}annotate-errors.mlir: {{.+}}
// FORMAT: note: hint: {{.+}}

// A module that was not measured: nothing is printed but the reason.
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json})' %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=UNMATCHED
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json})' %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=UNMATCHED
// UNMATCHED: error: no op of this module owns any time of the profile (coverage 0, 7 measured ops)
// UNMATCHED: note: reason: {{.+}} ({{.*}} measured ops, {{.*}} ps)
// UNMATCHED: note: hint: give the module that was run when the profile was recorded, with its locations (--mlir-print-debuginfo), or accept it with allow-unmatched

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json allow-unmatched})' %s | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: module attributes {prof.coverage = #prof.coverage<op_time_ps = 11000, unmatched_ps = 11000>}
// ALLOWED-NOT: prof.data

// Samples without a unit have no time.
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%data/fuzz/folded/one-frame.folded})' %s 2>&1 | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: error: no op of this module owns any time
// SAMPLES: note: hint: the profile does not contain the time of any op; if its samples lack a unit, import it with --sample-period=TIME first

// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=x carrier=mail})' %s 2>&1 | FileCheck %s --check-prefix=CARRIER
// CARRIER: Cannot find option named 'mail'
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
