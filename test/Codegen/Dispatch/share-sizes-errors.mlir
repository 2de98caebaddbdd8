// RUN: not %mlir-prof-opt %s --share-sizes=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --share-sizes=vector-registers=0 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not %mlir-prof-opt %s --share-sizes=max-error=nan 2>&1 | FileCheck %s --check-prefix=ERROR

// BITS: error: share-sizes: vector-bits is 100, not a power of two from 8 to 8192
// REGISTERS: error: share-sizes: vector-registers is 0, not a number from 1 to 1024
// ERROR: error: share-sizes: max-error is nan, not a number that is at least 0
func.func @nothing() {
  return
}
