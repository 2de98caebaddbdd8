// Folders that are not there, paths that the options of passes cannot hold, and
// registers that no machine has.

// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{path=%t.none/s.mlir})' 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{path="%t a.mlir" command=%t.sh})' 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{vector-bits=100})' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{vector-registers=0})' 2>&1 | FileCheck %s --check-prefix=REGISTERS

// FOLDER: error: cannot open output file
// PATH: error: {{.*}}the options of passes cannot contain this path
// BITS: error: prof-write-schedule: vector-bits is 100, not a power of two from 8 to 8192
// REGISTERS: error: prof-write-schedule: vector-registers is 0, not a number from 1 to 1024
func.func @main() {
  return
}
