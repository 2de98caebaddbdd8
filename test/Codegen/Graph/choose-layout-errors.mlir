// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-choose-layout{vector-bits=100}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-choose-layout{max-error=0}))' 2>&1 | FileCheck %s --check-prefix=OTHER

// BITS: error: cpu-choose-layout: vector-bits is 100, not a power of two from 8 to 8192
// OTHER: no such option max-error
func.func @nothing() {
  return
}
