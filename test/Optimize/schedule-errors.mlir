// Folders that are not there, and paths that the options of passes cannot hold.

// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{path=%t.none/s.mlir})' 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not %mlir-prof-opt %s --pass-pipeline='builtin.module(prof-write-schedule{path="%t a.mlir" command=%t.sh})' 2>&1 | FileCheck %s --check-prefix=PATH

// FOLDER: error: cannot open output file
// PATH: error: {{.*}}the options of passes cannot hold this path
func.func @main() {
  return
}
