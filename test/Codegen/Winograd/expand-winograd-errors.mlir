// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-expand-winograd{vector-bits=100}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-expand-winograd{max-error=0}))' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-expand-winograd{vector-bits=many}))' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms=perhaps}))' 2>&1 | FileCheck %s --check-prefix=KEEP

// BITS: error: cpu-expand-winograd: vector-bits is 100, not a power of two from 8 to 8192
// OTHER: no such option max-error
// TEXT: 'many' value invalid for uint argument
// KEEP: invalid value for boolean argument
func.func @nothing() {
  return
}
