// RUN: rm -rf %t && split-file %s %t
// RUN: not %mlir-prof-opt %t/model.mlir --pass-pipeline='builtin.module(cpu-apply-schedule{path=%t/none.mlir})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-prof-opt %t/model.mlir --pass-pipeline='builtin.module(cpu-apply-schedule{path=%t/model.mlir})' 2>&1 | FileCheck %s --check-prefix=SEQUENCE
// RUN: not %mlir-prof-opt %t/model.mlir --pass-pipeline='builtin.module(cpu-apply-schedule{path=%t/broken.mlir})' 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-prof-opt %t/model.mlir --pass-pipeline='builtin.module(cpu-apply-schedule)' 2>&1 | FileCheck %s --check-prefix=EMPTY

// NONE: error: {{.*}}none.mlir: {{.*}}No such file
// SEQUENCE: error: {{.*}}model.mlir does not contain the named sequence '__transform_main'
// BROKEN: broken.mlir
// EMPTY: error: cpu-apply-schedule: no path is given

//--- model.mlir
func.func @nothing() {
  return
}

//--- broken.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
}
