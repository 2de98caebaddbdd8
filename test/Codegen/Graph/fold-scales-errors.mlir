// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-fold-scales{max-error=-1}))' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-fold-scales{vector-bits=64}))' 2>&1 | FileCheck %s --check-prefix=OTHER

// ERROR: error: cpu-fold-scales: max-error is -1.000000e+00, not a number that is at least 0
// OTHER: no such option vector-bits
func.func @nothing() {
  return
}
