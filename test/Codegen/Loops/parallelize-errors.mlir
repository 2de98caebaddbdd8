// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-parallelize{threads=0}))' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-parallelize{threads=100000}))' 2>&1 | FileCheck %s --check-prefix=MANY

// NONE: error: cpu-parallelize: threads is 0, not a number from 1 to 65536
// MANY: error: cpu-parallelize: threads is 100000, not a number from 1 to 65536
func.func @nothing() {
  return
}
