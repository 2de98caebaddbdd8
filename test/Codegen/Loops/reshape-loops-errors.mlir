// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{vector-bits=100}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{vector-bits=16384}))' 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{vector-registers=0}))' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{vector-bits=many}))' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{max-error=-1}))' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-reshape-loops{max-error=nan}))' 2>&1 | FileCheck %s --check-prefix=NAN

// BITS: error: cpu-reshape-loops: vector-bits is 100, not a power of two from 8 to 8192
// WIDE: error: cpu-reshape-loops: vector-bits is 16384, not a power of two from 8 to 8192
// OTHER: error: cpu-reshape-loops: vector-registers is 0, not a number from 1 to 1024
// TEXT: 'many' value invalid for uint argument
// ERROR: error: cpu-reshape-loops: max-error is -1.000000e+00, not a number that is at least 0
// NAN: error: cpu-reshape-loops: max-error is nan, not a number that is at least 0
func.func @nothing() {
  return
}
