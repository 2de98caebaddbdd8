// A module without a profile stays as it is; the pass takes no options and runs
// on modules only.

// RUN: %mlir-prof-opt --prof-strip %s | FileCheck %s
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-strip{all=1})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(func.func(prof-strip))' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR

// CHECK: func.func private @f()
// OPTION: no such option all
// ANCHOR: Can't add pass 'ProfStrip' restricted to 'builtin.module'
func.func private @f()
