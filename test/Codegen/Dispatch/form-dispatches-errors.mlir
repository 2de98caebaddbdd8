// RUN: not %mlir-prof-opt %s --form-dispatches=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --form-dispatches=vector-registers=0 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not %mlir-prof-opt %s --form-dispatches=max-error=nan 2>&1 | FileCheck %s --check-prefix=ERROR

// BITS: error: form-dispatches: vector-bits is 100, not a power of two from 8 to 8192
// REGISTERS: error: form-dispatches: vector-registers is 0, not a number from 1 to 1024
// ERROR: error: form-dispatches: max-error is nan, not a number that is at least 0
func.func @nothing() {
  return
}
