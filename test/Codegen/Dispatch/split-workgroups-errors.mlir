// RUN: not %mlir-prof-opt %s --cpu-split-workgroups=threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-prof-opt %s --cpu-split-workgroups=threads=100000 2>&1 | FileCheck %s --check-prefix=MANY

// NONE: error: cpu-split-workgroups: threads is 0, not a number from 1 to 65536
// MANY: error: cpu-split-workgroups: threads is 100000, not a number from 1 to 65536
func.func @nothing() {
  return
}
