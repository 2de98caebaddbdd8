// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(cpu-split-large{most=0})' 2>&1 | FileCheck %s

// CHECK: error: cpu-split-large: most is 0, not a number that is at least 1
func.func @nothing() {
  return
}
