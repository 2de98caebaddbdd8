// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-pgo-pipeline{profile=a path-to-profile=b})' %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: prof-pgo-pipeline: profile and path-to-profile are the same option and name different files

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-pgo-pipeline)' %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: prof-annotate: no profile is given
// NONE: note: hint: {{.+}}

// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-pgo-pipeline{profile=%t.missing})' %s 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}.missing: {{.+}}
func.func private @f()
